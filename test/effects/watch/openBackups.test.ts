import { execFileSync } from 'node:child_process'
import fs, { appendFileSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openBackups } from '../../../src/effects/watch/openBackups.ts'
import { stampAt } from '../../../src/effects/watch/surveyFiles.ts'
import { openIn } from '../../helpers/effects/makeFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { RUN_GIT } from '../../helpers/runs/watchedProject.ts'
import { stubCalls } from '../../helpers/stubCalls.ts'

/** What a survey finds of these paths. */
function found(...paths: readonly string[]) {
  const stamps = paths.flatMap((path) => {
    const stamp = stampAt(path)
    return stamp === undefined ? [] : [[path, stamp] as const]
  })
  return { found: new Map(stamps), gone: new Set<string>() }
}

function place() {
  const folder = makeFolder()
  const file = join(folder, 'file')
  const backups = openBackups(join(folder, 'backups'), RUN_GIT)
  const sh = (script: string) => void execFileSync('sh', ['-ec', script], { cwd: folder })
  const surveyed = (text: string) => {
    writeFileSync(file, text)
    return found(file)
  }
  const stored = () => readdirSync(join(folder, 'backups')).sort()
  const held = () => readFileSync(backups.known.get(file)?.copy ?? '', 'utf8')
  const pack = join(folder, 'backups', 'pack')
  const isNow = () => {
    const stamp = backups.known.get(file)?.stamp
    return stamp !== undefined && stampAt(file, stamp) === stamp
  }
  return { file, sh, backups, surveyed, held, stored, pack, isNow }
}

it('rejects content that was written after the file was examined', async () => {
  const { file, backups, surveyed, held } = place()
  await backups.begin(surveyed('one'))
  const two = surveyed('two!')
  writeFileSync(file, 'three')
  backups.keep(two)
  expect(held()).toBe('one')
})

it('starts with the current content and its stamp', async () => {
  const { file, backups, surveyed, held, isNow } = place()
  const one = surveyed('one')
  writeFileSync(file, 'later')
  await backups.begin(one)
  expect([held(), isNow()]).toEqual(['later', true])
})

it('keeps what it starts with in one file, and writes a copy with its mode when it is asked for', async () => {
  const { file, sh, backups, surveyed, held, stored } = place()
  sh('touch file; chmod 751 file')
  await backups.begin(surveyed('#!/bin/sh\n'))
  expect(stored()).toEqual(['pack'])
  expect([held(), held()]).toEqual(['#!/bin/sh\n', '#!/bin/sh\n'])
  expect(stored()).toEqual(['0', 'pack'])
  expect(lstatSync(backups.known.get(file)?.copy ?? '').mode & 0o7777).toBe(0o751)
  backups.close()
})

it('leaves no descriptor open that leads a command to the contents', async () => {
  const { backups, surveyed, held, pack } = place()
  await backups.begin(surveyed('one'))
  expect(openIn(join(pack, '../..'))).toBe(0)
  expect(held()).toBe('one')
})

it.each([
  ['rewritten', 'printf evil > pack'],
  ['replaced', 'printf evil > new; mv new pack'],
  ['removed', 'rm pack'],
])('has no content to restore after a command has %s the stored ones', async (_, change) => {
  const { file, sh, backups, surveyed } = place()
  await backups.begin(surveyed('good'))
  sh(`cd backups; ${change}`)
  expect(backups.known.get(file)?.copy).toBeUndefined()
})

it.each([0, 1, 64 * 1024, 64 * 1024 + 1, 300_000])(
  'keeps %i bytes, also after its stamp was accepted anew',
  async (size) => {
    const { file, backups, surveyed, held } = place()
    const text = 'ab\n'.repeat(size).slice(0, size)
    await backups.begin(surveyed(text))
    surveyed(text)
    const stamp = stampAt(file)
    backups.touch(stamp === undefined ? [] : [{ path: file, stamp }])
    writeFileSync(file, 'other')
    expect(held()).toBe(text)
    expect(backups.known.get(file)?.stamp).toBe(stamp)
    backups.close()
  },
)

it('replaces what it started with by what the file became, and removes the copy', async () => {
  const { file, backups, surveyed, held, stored } = place()
  await backups.begin(surveyed('one'))
  expect(held()).toBe('one')
  await backups.begin(surveyed('two!'))
  expect(held()).toBe('two!')
  expect(stored()).toHaveLength(2)
  await backups.begin({ found: new Map(), gone: new Set([file]) })
  expect(stored()).toEqual(['pack'])
  backups.close()
})

describe('a backup while a command works', () => {
  it('is never made through a link that was put in the place of a folder', async () => {
    const { file, sh, backups } = place()
    sh('mkdir away; printf secret > away/x; ln -s away d')
    await backups.begin(found())
    const path = join(file, '../d/x')
    backups.keepAt([path])
    backups.keep(found(path))
    expect(backups.known.has(path)).toBe(false)
  })

  it('is made of what is new, kept of what changed since it was looked at, and dropped of what is gone', async () => {
    const { file, backups, surveyed, held, stored } = place()
    await backups.begin(found())
    backups.keep(surveyed('one'))
    expect([held(), stored()]).toEqual(['one', ['0', 'pack']])
    const old = surveyed('two!')
    writeFileSync(file, 'later than that')
    backups.keep(old)
    expect([held(), stored()]).toEqual(['one', ['0', 'pack']])
    backups.keep({ found: new Map(), gone: new Set([file]) })
    expect([backups.known.size, stored()]).toEqual([0, ['pack']])
  })

  it('is made of some paths as they are now, and of none that is gone', async () => {
    const { file, backups, surveyed, held, stored, isNow } = place()
    await backups.begin(surveyed('one'))
    writeFileSync(file, 'by a tool')
    backups.keepAt([file, `${file}.none`])
    expect([held(), isNow(), backups.known.size]).toEqual(['by a tool', true, 1])
    backups.keepAt([file])
    expect(stored()).toHaveLength(2)
    rmSync(file)
    backups.keepAt([file])
    expect([backups.known.size, stored()]).toEqual([0, ['pack']])
  })

  it('is not made again of what has not changed', async () => {
    const { backups, surveyed, held, file } = place()
    await backups.begin(surveyed('one'))
    const before = backups.known.get(file)
    backups.keep(found(file))
    backups.keepAt([file])
    expect([backups.known.get(file), held()]).toEqual([before, 'one'])
  })

  it('has no content of a file that is written all the time, and is tried three times', async () => {
    const { file, backups, surveyed, isNow } = place()
    await backups.begin(found())
    surveyed('one')
    const { copyFileSync } = fs
    let copies = 0
    stubCalls({
      copyFileSync: (...args: Parameters<typeof copyFileSync>) => {
        copyFileSync(...args)
        appendFileSync(file, String(copies++))
      },
    })
    backups.keepAt([file])
    expect([copies, isNow(), backups.known.get(file)?.copy]).toEqual([3, true, undefined])
  })
})

describe('what is kept of an entry', () => {
  const keptOf = async (script: string, isFirst: boolean) => {
    const { file, sh, backups } = place()
    if (!isFirst) await backups.begin(found())
    sh(script)
    await backups.begin(found(file))
    return backups.known.get(file)?.copy
  }

  it.each([true, false])(
    'is nothing of a folder, a FIFO or a very large file, and a link itself: first %s',
    async (isFirst) => {
      for (const script of [
        'mkdir file',
        'mkfifo file',
        `dd if=/dev/zero of=file bs=1 count=0 seek=${512 * 1024 * 1024 + 1} 2>/dev/null`,
      ])
        expect([script, await keptOf(script, isFirst)]).toEqual([script, undefined])
      expect(readlinkSync((await keptOf('ln -s away file', isFirst)) ?? '')).toBe('away')
    },
  )

  it('is, of what git has, the file itself as long as nobody touches it', async () => {
    const { file, backups, surveyed, held, stored } = place()
    const git = new Map([[file, { gitDir: '/none', oid: 'a'.repeat(40) }]])
    await backups.begin(surveyed('one'), git)
    expect([held(), held(), stored()]).toEqual(['one', 'one', ['0', 'pack']])
    await backups.begin(surveyed('two!'), git)
    writeFileSync(file, 'later')
    expect(backups.known.get(file)?.copy).toBeUndefined()
    expect(backups.known.get(file)?.git?.gitDir).toBe('/none')
  })

  it('lies in a folder for this user alone, which is made with those above it', async () => {
    const { pack } = place()
    const folder = join(pack, '../../deep/backups')
    openBackups(folder, RUN_GIT)
    expect(lstatSync(folder).mode & 0o777).toBe(0o700)
    openBackups(folder, RUN_GIT)
  })

  it('is no reason to fail if somebody removed it', async () => {
    const { backups, surveyed, held, file } = place()
    await backups.begin(surveyed('one'))
    held()
    rmSync(backups.known.get(file)?.copy ?? '')
    await backups.begin(surveyed('two!'))
    expect(held()).toBe('two!')
  })
})

it('lets other work go on while it copies many files, and not between a few', { tags: 'long' }, async () => {
  const { backups, file } = place()
  const folder = join(file, '..')
  const pauses = async (count: number) => {
    let turns = 0
    let isDone = false
    const turn = () => {
      if (isDone) return
      turns++
      setImmediate(turn)
    }
    const names = Array.from({ length: count }, (_, at) => join(folder, `f${at}`))
    for (const name of names) writeFileSync(name, 'x')
    const now = found(...names)
    setImmediate(turn)
    await backups.begin(now)
    isDone = true
    return turns
  }
  expect(await pauses(500)).toBe(0)
  expect(await pauses(1100)).toBeGreaterThan(1)
})

it('closes what it keeps the contents in', async () => {
  const { backups, surveyed, pack } = place()
  backups.close()
  await backups.begin(surveyed('one'))
  backups.close()
  expect(openIn(join(pack, '../..'))).toBe(0)
})

it('holds the state that paths will have, and has it when it is told that they do', async () => {
  const { file, sh, backups, surveyed, held } = place()
  await backups.begin(surveyed('old'))
  sh('printf new > above; ln -s x link')
  const at = (name: string) => file.replace(/file$/, name)
  const accept = backups.hold([
    [file, at('above')],
    [at('l'), at('link')],
    [at('gone'), at('nothing')],
  ])
  sh('printf later > above')
  expect(held()).toBe('old')
  accept()
  expect([held(), readlinkSync(backups.known.get(at('l'))?.copy ?? '')]).toEqual(['new', 'x'])
  expect(backups.known.has(at('gone'))).toBe(false)
})
