import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listGitObjects, lostObjects, objectName, unpackedObjects } from '../../../src/effects/watch/watchedObjects.ts'
import { isValidObject } from '../../../src/git/repository/gitObjects.ts'
import { type Files, makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { commitAll } from '../../helpers/git.ts'

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
      'g/objects/info/packs': '',
      'g/objects/ab/tmp_obj_x': '',
      'g/objects/pack/x.pack': '',
      'g/objects/abc/x': '',
      [`g/objects/cd/${'e'.repeat(38)}/x`]: '',
      [`g/objects/ab/${'g'.repeat(38)}`]: '',
      [`g/objects/xab/${'a'.repeat(38)}`]: '',
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
