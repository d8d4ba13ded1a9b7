import { spawnSync } from 'node:child_process'
import fs, {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { abandonedFolders, OWNER, ownedFolder, removeOwned, shortLivedFolder } from '../../../src/lib/fs/ownedFolder.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { type Files, makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { sampled } from '../../helpers/sampled.ts'
import { stubCalls } from '../../helpers/stubCalls.ts'
import { table } from '../../helpers/table.ts'

const DEAD = { ...ownIdentity(), pid: 2 ** 22 + 1 }

describe('a folder with an owner', () => {
  it('is for this user alone, at its resolved place, and names this process', () => {
    const parent = makeFiles({ link: '-> .' })
    const folder = ownedFolder(join(parent, 'link'), 'mine-')
    expect(folder).toMatch(new RegExp(`^${parent}/mine-${process.pid}_[0-9a-f]{12}_.+$`))
    expect(JSON.parse(readFileSync(join(folder, OWNER), 'utf8'))).toEqual(ownIdentity())
    expect([statSync(folder), statSync(join(folder, OWNER))].map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600])
  })

  it('for a short time lies where temporary files lie', () => {
    const folder = shortLivedFolder('kode-run-short-')
    onTestFinished(() => removeOwned(folder))
    expect(folder.startsWith(join(tmpdir(), `kode-run-short-${process.pid}_`))).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, OWNER), 'utf8'))).toEqual(ownIdentity())
  })

  it('for a short time is made on a full disk too, without a name', () => {
    const parent = makeFolder()
    stubCalls({
      writeFileSync: () => {
        throw new Error('ENOSPC')
      },
    })
    const folder = shortLivedFolder('kode-run-full-')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    expect(readdirSync(folder)).toEqual([])
    expect(() => ownedFolder(parent, 'mine-')).toThrow('ENOSPC')
  })

  it('goes with all that is in it', () => {
    const parent = makeFolder()
    const folder = ownedFolder(parent, 'mine-')
    writeFiles(folder, { 'deep/er/file': '' })
    removeOwned(folder)
    expect(readdirSync(parent)).toEqual([])
  })

  it('goes with the name of its owner last', () => {
    const folder = ownedFolder(makeFolder(), 'mine-')
    writeFiles(folder, { '-first': '', last: '' })
    const { rmSync: plain } = fs
    const gone: string[][] = []
    stubCalls({
      rmSync: (path: string) => {
        plain(path, { recursive: true, force: true })
        gone.push(existsSync(folder) ? readdirSync(folder) : ['nothing'])
      },
    })
    removeOwned(folder)
    expect(gone).toEqual([[OWNER, 'last'], [OWNER], ['nothing']])
  })
})

describe('a folder is abandoned', () => {
  const names = (parent: string) => abandonedFolders(parent, 'mine-').map((path) => basename(path))
  const make = (parent: string, name: string, files: Files = {}, ageMs = 0) => {
    writeFiles(join(parent, name), { './': '', ...files })
    const time = (Date.now() - ageMs) / 1000
    utimesSync(join(parent, name), time, time)
  }

  it('by the number of its maker, which is in its name', () => {
    const parent = makeFolder()
    const living = basename(ownedFolder(parent, 'mine-'))
    const [, mark] = /^mine-\d+(_[0-9a-f]{12}_)/.exec(living) ?? []
    make(parent, `mine-${DEAD.pid}${mark}x`)
    // The name tells nothing where it is cut, of another machine, or not where the mark stands.
    make(parent, `mine-x${DEAD.pid}${mark}x`)
    make(parent, `mine-${DEAD.pid}_0123456789ab_x`)
    make(parent, `mine-${DEAD.pid}${mark?.slice(0, -1)}`)
    make(parent, `mine-${process.pid}${mark}y`)
    expect(names(parent)).toEqual([`mine-${DEAD.pid}${mark}x`])
  })

  it('by its owner, where another process has the number of its maker now', () => {
    const parent = makeFolder()
    const folder = ownedFolder(parent, 'mine-')
    expect(names(parent)).toEqual([])
    writeFileSync(join(folder, OWNER), JSON.stringify({ ...ownIdentity(), started: 1 }))
    expect(names(parent)).toEqual(process.platform === 'linux' ? [basename(folder)] : [])
  })

  it('a minute after it was made, if it names nobody', () => {
    const parent = makeFolder()
    make(parent, 'mine-new', {}, 50_000)
    make(parent, 'mine-old', {}, 70_000)
    make(parent, 'mine-old-cut', { [OWNER]: '' }, 70_000)
    make(parent, 'mine-old-of-another', { file: '' }, 70_000)
    make(parent, 'mine-old-of-another-too', { [OWNER]: '', file: '' }, 70_000)
    make(parent, 'mine-old-of-the-living', { [OWNER]: JSON.stringify(ownIdentity()) }, 70_000)
    expect(names(parent)).toEqual(['mine-old', 'mine-old-cut'])
  })

  it('only if it is a folder, and of this user', () => {
    const parent = makeFolder()
    const dead = { [OWNER]: JSON.stringify(DEAD) }
    make(parent, 'mine-dead', dead)
    make(parent, 'mine-of-another-host', { [OWNER]: JSON.stringify({ ...DEAD, host: 'elsewhere.example' }) })
    make(parent, 'other', dead)
    writeFiles(parent, { 'mine-link': '-> other', 'mine-file': '' })
    expect(names(parent)).toEqual(['mine-dead'])
    expect(abandonedFolders(parent, 'mine-')).toEqual([join(parent, 'mine-dead')])
    renameSync(join(parent, 'other'), join(parent, 'mine-other'))
    if (process.getuid?.() !== 0) return
    chownSync(join(parent, 'mine-other'), 1234, 1234)
    expect(names(parent)).toEqual(['mine-dead'])
  })

  it('not where there is no folder at all', () => {
    expect(abandonedFolders('/nowhere', 'mine-')).toEqual([])
  })
})

/** Runs a script that is killed when it calls this function of `node:fs` for the nth time, counted from 0. */
function killAt(parent: string, name: string, nth: number, path: string, call: string): void {
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const module = await import(${JSON.stringify(new URL(`../../../src/${path}`, import.meta.url))})
    const plain = fs.${name}
    let calls = 0
    fs.${name} = (...words) => calls++ === ${nth} ? process.kill(process.pid, 'SIGKILL') : plain(...words)
    syncBuiltinESMExports()
    ${call}`
  const { signal, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'], TMPDIR: parent },
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  expect([signal, stderr]).toEqual(['SIGKILL', ''])
}

it('is abandoned at once where its maker was killed before it wrote the owner', () => {
  const parent = makeFolder()
  killAt(parent, 'writeFileSync', 0, 'lib/fs/ownedFolder.ts', `module.ownedFolder(${JSON.stringify(parent)}, 'mine-')`)
  const [name = ''] = readdirSync(parent)
  expect(readdirSync(join(parent, name))).toEqual([])
  expect(abandonedFolders(parent, 'mine-')).toEqual([join(parent, name)])
  const other = name.replace(/_[0-9a-f]+_/, '_0123456789ab_')
  mkdirSync(join(parent, other))
  expect(abandonedFolders(parent, 'mine-')).toEqual([join(parent, name)])
})

/** What stands in a folder for a moment: the process is killed when it takes it away. */
const PASSING = table`
  the input of a child        | openStreams   | module.openInput('secret')
  output on its way to a blob | captureStream | module.createSpill(() => '', 1).add(Buffer.from('secret'))
  pipes to a child            | openStreams   | await module.openPipe()
`.slice(0, process.platform === 'linux' ? 3 : 2)

it.each(sampled(PASSING, 0))(
  '%s is known as abandoned after a kill, until nothing of it is there',
  (_, file, call = '') => {
    const parent = makeFolder()
    for (const kill of [0, 1]) {
      killAt(parent, 'rmSync', kill, `lib/process/${file}.ts`, call)
      expect(abandonedFolders(parent, 'kode-run-')).toHaveLength(kill + 1)
    }
  },
)
