import fs, {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { abandonedFolders, OWNER, ownedFolder, removeOwned, shortLivedFolder } from '../../../src/lib/fs/ownedFolder.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const DEAD = { ...ownIdentity(), pid: 2 ** 22 + 1 }

function makeParent(): string {
  const parent = makeFolder()
  return parent
}

/** The rest of the test gets these from `node:fs`. */
function stub(calls: Partial<Record<'writeFileSync' | 'rmSync', (path: string) => void>>): void {
  const real = { writeFileSync: fs.writeFileSync, rmSync: fs.rmSync }
  Object.assign(fs, calls)
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, real)
    syncBuiltinESMExports()
  })
}

describe('a folder with an owner', () => {
  it('is for this user alone, at its resolved place, and names this process', () => {
    const parent = makeParent()
    symlinkSync(parent, join(parent, 'link'))
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
    const parent = makeParent()
    stub({
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
    const parent = makeParent()
    const folder = ownedFolder(parent, 'mine-')
    mkdirSync(join(folder, 'deep/er'), { recursive: true })
    writeFileSync(join(folder, 'deep/er/file'), '')
    removeOwned(folder)
    expect(readdirSync(parent)).toEqual([])
  })

  it('goes with the name of its owner last', () => {
    const folder = ownedFolder(makeParent(), 'mine-')
    for (const name of ['-first', 'last']) writeFileSync(join(folder, name), '')
    const { rmSync: plain } = fs
    const gone: string[][] = []
    stub({
      rmSync: (path) => {
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
  const make = (parent: string, name: string, files: Readonly<Record<string, string>> = {}, ageMs = 0) => {
    const folder = join(parent, name)
    mkdirSync(folder)
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
    const time = (Date.now() - ageMs) / 1000
    utimesSync(folder, time, time)
    return folder
  }

  it('by the number of its maker, which is in its name', () => {
    const parent = makeParent()
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
    const parent = makeParent()
    const folder = ownedFolder(parent, 'mine-')
    expect(names(parent)).toEqual([])
    writeFileSync(join(folder, OWNER), JSON.stringify({ ...ownIdentity(), started: 1 }))
    expect(names(parent)).toEqual(process.platform === 'linux' ? [basename(folder)] : [])
  })

  it('a minute after it was made, if it names nobody', () => {
    const parent = makeParent()
    make(parent, 'mine-new', {}, 50_000)
    make(parent, 'mine-old', {}, 70_000)
    make(parent, 'mine-old-cut', { [OWNER]: '' }, 70_000)
    make(parent, 'mine-old-of-another', { file: '' }, 70_000)
    make(parent, 'mine-old-of-another-too', { [OWNER]: '', file: '' }, 70_000)
    make(parent, 'mine-old-of-the-living', { [OWNER]: JSON.stringify(ownIdentity()) }, 70_000)
    expect(names(parent)).toEqual(['mine-old', 'mine-old-cut'])
  })

  it('only if it is a folder, and of this user', () => {
    const parent = makeParent()
    const dead = { [OWNER]: JSON.stringify(DEAD) }
    make(parent, 'mine-dead', dead)
    make(parent, 'other', dead)
    symlinkSync('other', join(parent, 'mine-link'))
    writeFileSync(join(parent, 'mine-file'), '')
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
