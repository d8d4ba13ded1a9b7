import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  listGitObjects,
  lostObjects,
  objectName,
  openObjectLinks,
  unpackedObjects,
} from '../../../src/effects/watch/openObjectLinks.ts'
import { isValidObject } from '../../../src/git/repository/gitObjects.ts'
import { type Files, makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { commitAll } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function repository() {
  const folder = makeFolder()
  const gitDir = join(folder, 'r/.git')
  execFileSync('git', ['init', '-q', join(folder, 'r')])
  execFileSync('git', ['-C', join(folder, 'r'), 'hash-object', '-w', '--stdin'], { input: 'x' })
  const list = () => listGitObjects([{ top: join(folder, 'r'), gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' }])
  const [path = ''] = list().keys()
  return { folder, list, path }
}

/** A folder on another file system than that for temporary files. */
const ELSEWHERE = '/dev/shm'
const isElsewhere = existsSync(ELSEWHERE) && statSync(ELSEWHERE).dev !== statSync(tmpdir()).dev

describe('openObjectLinks', () => {
  it('restores what was removed; the extra link exists only while it is held', () => {
    const { folder, list, path } = repository()
    const held = openObjectLinks(join(folder, 'held'))
    expect(held.keep(list())).toBe(true)
    const objects = list()
    expect(held.keep(objects)).toBe(false)
    const content = readFileSync(path)
    rmSync(join(path, '../..'), { recursive: true })
    expect(held.restore([path], objects)).toEqual([])
    expect(readFileSync(path)).toEqual(content)
    rmSync(path)
    held.keep(list())
    expect(held.restore([path], objects)).toEqual([path])
  })

  it('does not restore what was modified', () => {
    const { folder, list, path } = repository()
    const held = openObjectLinks(join(folder, 'held'))
    held.keep(list())
    const objects = list()
    execFileSync('chmod', ['u+w', path])
    writeFileSync(path, Buffer.alloc(statSync(path).size))
    expect(held.restore([path], objects)).toEqual([path])
  })

  it('holds one link to each object, and a new one where the object is another file now', () => {
    const { folder, list, path } = repository()
    const held = openObjectLinks(join(folder, 'deep/held'))
    const links = () => readdirSync(join(folder, 'deep/held')).length
    expect(statSync(join(folder, 'deep/held')).mode & 0o777).toBe(0o700)
    execFileSync('git', ['-C', join(folder, 'r'), 'hash-object', '-w', '--stdin'], { input: 'y' })
    held.keep(list())
    expect([links(), held.keep(list())]).toEqual([2, false])
    const bytes = readFileSync(path)
    renameSync(path, join(folder, 'old'))
    writeFileSync(path, bytes)
    expect([held.keep(list()), links()]).toEqual([true, 2])
    const objects = list()
    rmSync(path)
    expect(held.restore([path], objects)).toEqual([])
    rmSync(path)
    held.keep(list())
    expect(links()).toBe(1)
  })

  it('restores what it holds, and names the rest: what it never saw, and what is another file now', () => {
    const { folder, list, path } = repository()
    const held = openObjectLinks(join(folder, 'held'))
    held.keep(list())
    const objects = list()
    const other = join(path, '../other')
    expect(held.restore([other], objects)).toEqual([other])
    expect(held.restore([path], new Map())).toEqual([path])
    const bytes = readFileSync(path)
    rmSync(path)
    // It stays, so that no other file gets its inode.
    renameSync(join(folder, 'held/0'), join(folder, 'away'))
    expect(held.restore([path], objects)).toEqual([path])
    writeFileSync(join(folder, 'held/0'), bytes)
    expect(held.restore([path], objects)).toEqual([path])
    expect(existsSync(path)).toBe(false)
  })

  it('restores a pack as it was, with the folders that git expects, through no link', () => {
    const { folder, list } = repository()
    const objects = join(folder, 'r/.git/objects')
    const pack = join(objects, 'pack', `pack-${'a'.repeat(40)}.pack`)
    writeFileSync(pack, 'pack')
    const held = openObjectLinks(join(folder, 'held'))
    held.keep(list())
    const before = list()
    rmSync(objects, { recursive: true })
    mkdirSync(join(folder, 'away'))
    symlinkSync(join(folder, 'away'), objects)
    expect(held.restore([pack], before)).toEqual([])
    expect([readFileSync(pack, 'utf8'), readdirSync(objects).sort()]).toEqual(['pack', ['info', 'pack']])
    expect(readdirSync(join(folder, 'away'))).toEqual([])
    rmSync(pack)
    mkdirSync(join(pack, 'in/the/way'), { recursive: true })
    expect(held.restore([pack], before)).toEqual([])
    expect(readFileSync(pack, 'utf8')).toBe('pack')
  })

  it('goes on where one object cannot be held, and stops where its folder is on another file system', () => {
    const { folder, list } = repository()
    execFileSync('git', ['-C', join(folder, 'r'), 'hash-object', '-w', '--stdin'], { input: 'y' })
    const paths = [...list().keys()].map((path) => path.slice(folder.length + 1))
    const holding = (code: string) => {
      const made = openObjectLinks(join(folder, code))
      recordCalls(folder).fail(`link ${paths[0]} ${code}/0`, code)
      made.keep(list())
      return [readdirSync(join(folder, code)).length, made.holds(list()), made.holds(new Map())]
    }
    expect([holding('EACCES'), holding('EXDEV')]).toEqual([
      [1, false, true],
      [0, false, true],
    ])
  })

  it.skipIf(!isElsewhere)(
    'can restore nothing if its folder is on another file system (needs two file systems)',
    () => {
      const { list, path } = repository()
      const folder = mkdtempSync(join(ELSEWHERE, 'held-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const held = openObjectLinks(folder)
      expect(held.keep(list())).toBe(false)
      rmSync(path)
      expect(held.restore([path], list())).toEqual([path])
    },
  )
})

/** A loose object with this text, as `objects/ab/cd…` and its bytes. */
function objectOf(text: string, kind: 'sha1' | 'sha256' = 'sha1') {
  const content = Buffer.from(`blob ${text.length}\0${text}`)
  const oid = createHash(kind).update(content).digest('hex')
  return { oid, name: `objects/${oid.slice(0, 2)}/${oid.slice(2)}`, bytes: deflateSync(content) }
}
const [ONE, TWO, LONG] = [objectOf('one'), objectOf('two'), objectOf('long', 'sha256')] as const

/** A git directory with these files and the two objects. */
function lab(more: Files = {}) {
  const folder = makeFiles({ [`g/${ONE.name}`]: ONE.bytes, [`g/${TWO.name}`]: TWO.bytes, 'g/objects/pack/': '' })
  writeFiles(folder, more)
  const gitDir = join(folder, 'g')
  const repository = { top: folder, gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' } as const
  const list = () => listGitObjects([repository])
  const before = list()
  const short = (paths: Iterable<string>) => [...paths].map((path) => path.slice(gitDir.length + 1)).sort()
  return {
    ...{ folder, gitDir, repository, list, short },
    at: (name: string) => join(gitDir, name),
    lost: () => short(lostObjects(before, list())),
    unpacked: () => short(unpackedObjects(lostObjects(before, list()), before, list())),
  }
}

type Lab = ReturnType<typeof lab>

describe('listGitObjects', () => {
  it('names loose objects and packs, of both kinds of hash, and nothing else', () => {
    const pack = `objects/pack/pack-${'a'.repeat(40)}`
    const { list, short } = lab({
      ...{ [`g/${LONG.name}`]: LONG.bytes, [`g/${pack}.pack`]: 'x', [`g/${pack}.idx`]: 'x', [`g/${pack}.rev`]: 'x' },
      ...{ 'g/objects/info/packs': '', 'g/objects/ab/tmp_obj_x': '', 'g/objects/pack/x.pack': '' },
      ...{ 'g/objects/abc/x': '', [`g/objects/cd/${'e'.repeat(38)}/x`]: '', [`g/objects/ab/${'g'.repeat(38)}`]: '' },
      ...{ [`g/objects/xab/${'a'.repeat(38)}`]: '' },
    })
    expect(short(list().keys())).toEqual([ONE.name, TWO.name, LONG.name, `${pack}.idx`, `${pack}.pack`].sort())
  })

  it('names each once, where repositories share them', () => {
    const { repository } = lab()
    const found = listGitObjects([repository, { ...repository, gitDir: '/elsewhere' }])
    expect(found.size).toBe(2)
  })

  it('does not look behind links, which may lead elsewhere later', () => {
    const { list, at, gitDir, folder } = lab()
    renameSync(at('objects'), join(folder, 'o'))
    symlinkSync('../o', at('objects'))
    expect(list().size).toBe(0)
    rmSync(at('objects'))
    renameSync(join(folder, 'o'), at('objects'))
    renameSync(gitDir, join(folder, 'h'))
    symlinkSync('h', gitDir)
    expect(list().size).toBe(0)
  })

  it('names nothing of a git directory that is not there', () => {
    const { repository } = lab()
    expect(listGitObjects([{ ...repository, commonDir: '/nowhere' }]).size).toBe(0)
  })

  it('follows no link in the place of an object', () => {
    const { list, at, short } = lab()
    rmSync(at(ONE.name))
    symlinkSync(`../../${TWO.name.slice('objects/'.length)}`, at(ONE.name))
    expect(short(list().keys())).toEqual([TWO.name])
  })
})

describe('lostObjects', () => {
  it.each<[string, (made: Lab) => unknown, string[]]>([
    ['none', () => undefined, []],
    ['none of those that were touched', ({ at }) => utimesSync(at(ONE.name), 1, 1), []],
    [
      'none of those that were stored again',
      ({ at }) => [rmSync(at(ONE.name)), writeFileSync(at(ONE.name), ONE.bytes)],
      [],
    ],
    ['those that are gone', ({ at }) => rmSync(at(ONE.name)), [ONE.name]],
    ['those that are longer', ({ at }) => appendFileSync(at(ONE.name), 'x'), [ONE.name]],
    [
      'those with another content of the same length',
      ({ at }) => writeFileSync(at(ONE.name), Buffer.alloc(ONE.bytes.length)),
      [ONE.name],
    ],
    [
      'those in the place of which there is a folder',
      ({ at }) => [rmSync(at(ONE.name)), mkdirSync(at(ONE.name))],
      [ONE.name],
    ],
    ['all, with their folder', ({ at }) => rmSync(at('objects'), { recursive: true }), [ONE.name, TWO.name].sort()],
  ])('are %s', (_, change, expected) => {
    const made = lab()
    change(made)
    expect(made.lost()).toEqual(expected)
  })

  it('are packs of another size, but not those that were touched', () => {
    const pack = `objects/pack/pack-${'a'.repeat(40)}.pack`
    const { at, lost } = lab({ [`g/${pack}`]: 'pack' })
    utimesSync(at(pack), 1, 1)
    expect(lost()).toEqual([])
    writeFileSync(at(pack), 'other pack')
    expect(lost()).toEqual([pack])
  })
})

describe('unpackedObjects', () => {
  it('are not those that git has packed', () => {
    const folder = makeFiles({ a: 'a', b: 'b' })
    const git = commitAll(folder)
    const gitDir = join(folder, '.git')
    const list = () => listGitObjects([{ top: folder, gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' }])
    const loose = list()
    git('gc', '-q', '--prune=now')
    const packed = list()
    const lost = lostObjects(loose, packed)
    expect([lost.length, unpackedObjects(lost, loose, packed)]).toEqual([loose.size, []])
    git('commit', '-qm', 'y', '--allow-empty')
    git('repack', '-adq')
    const again = list()
    const gone = lostObjects(packed, again)
    expect([gone.length, unpackedObjects(gone, packed, again)]).toEqual([2, []])
    const [index = ''] = readdirSync(join(gitDir, 'objects/pack')).filter((name) => name.endsWith('.idx'))
    chmodSync(join(gitDir, 'objects/pack', index), 0o600)
    writeFileSync(join(gitDir, 'objects/pack', index), '')
    expect(unpackedObjects(lost, loose, list())).toEqual(lost)
  })

  it('are those that were there with another content, and those that only an old index names', () => {
    const index = Buffer.concat([Buffer.alloc(8 + 255 * 4), Buffer.from([0, 0, 0, 1]), Buffer.from(ONE.oid, 'hex')])
    const name = `g/objects/pack/pack-${'a'.repeat(40)}.idx`
    const old = lab({ [name]: index })
    rmSync(old.at(ONE.name))
    expect(old.unpacked()).toEqual([ONE.name])
    const young = lab()
    writeFiles(young.folder, { [name]: index })
    rmSync(young.at(ONE.name))
    writeFileSync(young.at(TWO.name), 'x')
    expect([young.lost(), young.unpacked()]).toEqual([[ONE.name, TWO.name].sort(), [TWO.name]])
  })
})

describe('the name of an object', () => {
  it('is its path in the git directory', () => {
    expect(objectName(`/p/objects/x/.git/${ONE.name}`)).toBe(ONE.name)
    expect(objectName('/p/.git/HEAD')).toBe('')
  })

  it('is that of its content', () => {
    expect([ONE, TWO, LONG].map(({ name, bytes }) => isValidObject(name, bytes))).toEqual([true, true, true])
    expect(isValidObject(ONE.name, TWO.bytes)).toBe(false)
    expect(isValidObject(ONE.name, Buffer.from('no zip'))).toBe(false)
    expect(isValidObject(LONG.name.slice(0, 43), LONG.bytes)).toBe(false)
  })
})
