import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import type { ProcessIdentity } from '../../../src/contracts/events.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { acquireLock } from '../../../src/run/resume/acquireLock.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { recordFiles } from '../../helpers/runs/recordFiles.ts'
import { stubCalls } from '../../helpers/stubCalls.ts'
import { listOf, table } from '../../helpers/table.ts'

const lockFolder = () => join(makeFolder(), 'nightly')
const take = (folder: string, staleMs?: number) => acquireLock(folder, { label: 'lock nightly', staleMs })

/** Why the lock is refused; `taken` where it is not. */
function refusal(folder: string, staleMs?: number): string {
  try {
    take(folder, staleMs)
    return 'taken'
  } catch (error) {
    return error instanceof RunError ? `${error.reason}: ${error.message}` : `a defect: ${error}`
  }
}
const contentOf = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))

function heldBy(folder: string, owner: Partial<ProcessIdentity>, number = 1): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, String(number))
  writeFileSync(file, JSON.stringify({ ...ownIdentity(), ...owner }))
  return file
}

/** A number that no process has. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid
}

describe('a lock', () => {
  it('is of one owner, who is named for this user alone, until it is released', () => {
    const folder = lockFolder()
    const first = take(folder)
    expect([readdirSync(folder), contentOf(folder, '1')]).toEqual([['1'], ownIdentity()])
    expect(statSync(join(folder, '1')).mode & 0o777).toBe(0o600)
    expect(refusal(folder)).toBe(`locked: lock nightly is held by pid ${process.pid} on ${hostname()}.`)
    expect(readdirSync(folder)).toEqual(['1'])
    first.release()
    take(folder).release()
    expect(readdirSync(folder)).toEqual(['2'])
  })

  it.each<[string, Partial<ProcessIdentity>]>([
    ['whose process is gone', { pid: deadPid() }],
    ['whose number belongs to another process now', { started: 1 }],
    ['from before the machine was started', { boot: 'another-boot' }],
  ])('is taken over from an owner %s', (_, owner) => {
    const folder = lockFolder()
    heldBy(folder, owner)
    expect([refusal(folder), refusal(folder)]).toEqual(['taken', expect.stringMatching(/^locked/)])
  })

  it.each<[string, Partial<ProcessIdentity>]>([
    ['of another host', { host: 'elsewhere', pid: deadPid(), boot: 'x' }],
    ['of another container', { namespace: 'pid:[1]', pid: deadPid() }],
  ])('%s is never taken over before it is stale', (_, owner) => {
    const folder = lockFolder()
    const file = heldBy(folder, owner)
    const old = new Date(Date.now() - 3_600_000)
    expect(refusal(folder)).toMatch(/^locked.*--lock-stale/)
    utimesSync(file, old, old)
    expect(refusal(folder)).toMatch(/^locked/)
    expect(refusal(folder, 3_700_000)).toMatch(/^locked/)
    expect(refusal(folder, 3_500_000)).toBe('taken')
  })

  it('of a live owner on this host is never stale', () => {
    const folder = lockFolder()
    const file = heldBy(folder, {})
    utimesSync(file, new Date(0), new Date(0))
    expect(refusal(folder, 1)).toMatch(/^locked/)
  })

  it('is on the disk before anybody can see it, and so is its release', () => {
    const folder = lockFolder()
    const { calls } = recordFiles(folder)
    const lock = take(folder)
    const named = /^(?:open|write|fsync|close) \.\d+\.[0-9a-f]{12}$/
    expect(calls.map((call) => call.replace(/ .*/, ''))).toEqual(['open', 'write', 'fsync', 'close'])
    for (const call of calls) expect(call).toMatch(named)
    lock.release()
    expect(calls.slice(4)).toEqual(['open', 'write', 'fsync', 'close'].map((call) => `${call} .1.released`))
    expect([readdirSync(folder), contentOf(folder, '1')]).toEqual([['1'], null])
  })

  it('of another host says when it was seen last', () => {
    const folder = lockFolder()
    const hourAgo = new Date(Date.now() - 3_660_000)
    utimesSync(heldBy(folder, { pid: 7, host: 'elsewhere' }), hourAgo, hourAgo)
    expect(refusal(folder)).toMatch(
      /^locked: lock nightly is held by pid 7 on elsewhere, last seen 1 h \d min ago \(--lock-stale takes it over\)\.$/,
    )
  })

  it.each([
    ['', 'cannot be read'],
    ['{', 'cannot be read'],
    ['{}', 'names no owner'],
    ['{"pid":7}', 'names no owner'],
    ['{"host":"a"}', 'names no owner'],
    ['{"pid":7.5,"host":"a"}', 'names no owner'],
    ['{"pid":7,"host":1}', 'names no owner'],
    ['7', 'names no owner'],
  ])('that reads %j is held, and the file is named', (text, why) => {
    const folder = lockFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, '1'), text)
    expect(refusal(folder)).toBe(`locked: lock nightly: ${join(folder, '1')} ${why}; remove it if no run holds it.`)
  })

  it('counts by number, not by name, and leaves the files of others', () => {
    const folder = lockFolder()
    mkdirSync(folder)
    for (const name of ['2', '9', '10']) writeFileSync(join(folder, name), 'null')
    for (const name of ['12x', 'x13', '1.5']) writeFileSync(join(folder, name), 'of another')
    take(folder)
    expect(readdirSync(folder).toSorted()).toEqual(['1.5', '11', '12x', 'x13'])
  })

  it('that cannot be made or read is named, with the reason and its cause', () => {
    const caused = (code: string) => expect.objectContaining({ cause: expect.objectContaining({ code }) })
    const folder = lockFolder()
    writeFileSync(folder, 'a file')
    expect(refusal(folder)).toMatch(`cannot_create: lock nightly: ${folder}: EEXIST`)
    expect(() => take(folder)).toThrow(caused('EEXIST'))
    const unreadable = lockFolder()
    mkdirSync(join(unreadable, '1'), { recursive: true })
    expect(() => take(unreadable)).toThrow(caused('EISDIR'))
  })
})

describe('two that take a lock at once', () => {
  it.each(table`
    the one whose number is taken gives up, and leaves nothing | 1 | EEXIST | locked: lock nightly is being taken by another run. | 1
    the one that finds a higher number gives up | 2 | | locked: lock nightly is being taken by another run. | 1, 2
    another error is told as what it is | | EPERM | cannot_create: lock nightly: FOLDER: EPERM: no links here |
  `)('%s', (_, other = '', code = '', said = '', left = '') => {
    const folder = lockFolder()
    const { linkSync } = fs
    stubCalls({
      linkSync: (from: string, to: string) => {
        if (code === '') linkSync(from, to)
        if (other !== '') writeFileSync(join(folder, other), JSON.stringify(ownIdentity()))
        if (code !== '') throw Object.assign(new Error(`${code}: no links here`), { code })
      },
    })
    expect(refusal(folder)).toBe(said.replace('FOLDER', folder))
    expect(readdirSync(folder).toSorted()).toEqual(listOf(left))
  })
})

describe('the heartbeat', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    return () => void vi.useRealTimers()
  })

  it('comes every 20 seconds, keeps the content, and ends with the release', () => {
    const folder = lockFolder()
    const file = join(folder, '1')
    const lock = take(folder)
    const isFresh = () => statSync(file).mtimeMs > 1_000_000
    const beatAfter = (milliseconds: number) => {
      utimesSync(file, 1, 1)
      vi.advanceTimersByTime(milliseconds)
      return isFresh()
    }
    expect([beatAfter(19_999), beatAfter(1), beatAfter(20_000)]).toEqual([false, true, true])
    expect(contentOf(folder, '1')).toEqual(ownIdentity())
    lock.release()
    expect([beatAfter(60_000), contentOf(folder, '1')]).toEqual([false, null])
  })

  it('a file system that is away for a while does not end the run', () => {
    const folder = lockFolder()
    const lock = take(folder)
    const failed: number[] = []
    const writeSync = (descriptor: number) => {
      failed.push(descriptor)
      throw new Error('EIO')
    }
    stubCalls({ writeSync })
    expect(() => vi.advanceTimersByTime(20_000)).not.toThrow()
    // No beat leaves its file open.
    expect(() => fstatSync(failed[0] ?? -1)).toThrow('EBADF')
    rmSync(folder, { recursive: true })
    expect(() => vi.advanceTimersByTime(20_000)).not.toThrow()
    expect(failed).toHaveLength(1)
    lock.release()
    expect(existsSync(folder)).toBe(false)
  })
})

describe('processes that start at once', () => {
  const script = `
    import { acquireLock } from '${join(import.meta.dirname, '../../../src/run/resume/acquireLock.ts')}'
    process.stdin.once('data', () => {
      try {
        acquireLock(process.argv[1], { label: 'lock' })
        console.log('held')
        setTimeout(() => {}, 60_000)
      } catch (error) {
        console.log(error.reason)
        process.exit()
      }
    })
    console.log('ready')`

  const hold = (folder: string) => heldBy(folder, { pid: deadPid() }, 7)
  for (const [name, count, prepare, tags] of [
    ['a free lock', 20, () => undefined, ['night']],
    ['the lock of a dead owner', 3, hold, []],
    ['the lock of a dead owner', 20, hold, ['night']],
  ] as const) {
    it(`${name} is taken by exactly one of ${count}`, { timeout: 60_000, tags: [...tags] }, async () => {
      const folder = lockFolder()
      prepare(folder)
      const children = Array.from({ length: count }, () =>
        spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, folder], {
          stdio: ['pipe', 'pipe', 'inherit'],
        }),
      )
      onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')))
      const outputs = children.map((child) => child.stdout.setEncoding('utf8'))
      await Promise.all(outputs.map((output) => once(output, 'data')))
      for (const child of children) child.stdin.write('go')
      const seen = await Promise.all(outputs.map(async (output) => String((await once(output, 'data'))[0]).trim()))
      expect(seen.toSorted()).toEqual(['held', ...Array(count - 1).fill('locked')])
      const left = readdirSync(folder).filter((name) => !name.startsWith('.'))
      expect(left.map((name) => contentOf(folder, name))).toMatchObject([{ pid: expect.any(Number) }])
    })
  }
})
