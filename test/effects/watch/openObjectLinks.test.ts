import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  listGitObjects,
  lostObjects,
  objectName,
  openWatchedObjects,
  unpackedObjects,
} from '../../../src/effects/watch/openObjectLinks.ts'
import { isValidObject } from '../../../src/git/repository/gitObjects.ts'
import { type Files, makeFiles, openIn, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { commitAll } from '../../helpers/git.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { table } from '../../helpers/table.ts'

/** A loose object with this text, as `objects/ab/cd…` and its bytes. */
function objectOf(text: string, kind: 'sha1' | 'sha256' = 'sha1') {
  const content = Buffer.from(`blob ${text.length}\0${text}`)
  const oid = createHash(kind).update(content).digest('hex')
  return { oid, name: `objects/${oid.slice(0, 2)}/${oid.slice(2)}`, bytes: deflateSync(content) }
}
const [ONE, TWO, LONG] = [objectOf('one'), objectOf('two'), objectOf('long', 'sha256')] as const
/** The index of a pack with one object. */
const indexOf = (oid: string) =>
  Buffer.concat([Buffer.alloc(8 + 255 * 4), Buffer.from([0, 0, 0, 1]), Buffer.from(oid, 'hex')])
const PACK = `objects/pack/pack-${'a'.repeat(40)}`

/** A git directory `g` with these files and two objects. Scripts know them as `$ONE` and `$TWO`, and `$PACK`. */
function lab(more: Files = {}) {
  const objects = { [`g/${ONE.name}`]: ONE.bytes, [`g/${TWO.name}`]: TWO.bytes }
  const folder = makeFiles({ ...objects, 'g/objects/pack/': '', 'g/objects/info/': '', 'away/': '', ...more })
  const gitDir = join(folder, 'g')
  const repository = { top: folder, gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' } as const
  const list = () => listGitObjects([repository])
  const before = list()
  const short = (paths: Iterable<string>) => [...paths].map((path) => path.slice(gitDir.length + 1)).sort()
  const env = { PATH: process.env['PATH'], ONE: ONE.name, TWO: TWO.name, PACK }
  return {
    ...{ folder, gitDir, repository, list, short },
    at: (name: string) => join(gitDir, name),
    sh: (script: string) => void execFileSync('sh', ['-ec', script], { cwd: gitDir, env }),
    watched: (name = 'held') => openWatchedObjects([repository], join(folder, name)),
    held: (name = 'held') => readdirSync(join(folder, name)),
    lost: () => short(lostObjects(before, list())),
    unpacked: () => short(unpackedObjects(lostObjects(before, list()), before, list())),
  }
}

const WITH_ZEROS = 'head -c $(wc -c < $ONE) /dev/zero > x; cat x > $ONE; rm x'

describe('openWatchedObjects', () => {
  it.each(table`
    what was removed                              | rm $ONE $TWO                                           |
    all with their folders                        | rm -r objects                                          |
    them through no link                          | rm -r objects; ln -s ../away objects                   |
    one in the place of which there is a folder   | rm $PACK.pack; mkdir -p $PACK.pack/in/the/way          |
    not what was written, with another content    | ${WITH_ZEROS}                                          | 1
    nor what became longer                        | printf x >> $ONE; printf x >> $TWO                     | 2
    nor by a link that is another file now | mv ../held ../h; mkdir ../held; cp ../h/* ../held; rm $ONE    | 1
    nor by one that is gone                       | rm ../held/*; rm $ONE                                  | 1
  `)('restores %s', (_, change = '', open = '') => {
    const { watched, sh, gitDir, folder } = lab({ [`g/${PACK}.pack`]: 'pack' })
    const objects = watched()
    objects.note()
    const before = treeOf(gitDir)
    sh(change)
    expect(objects.restore()?.replace(/ git objects were removed or changed and could not be restored$/, '')).toBe(
      open === '' ? undefined : open,
    )
    if (open === '') expect(treeOf(gitDir)).toEqual(before)
    expect([readdirSync(join(folder, 'away')), openIn(folder)]).toEqual([[], 0])
  })

  it('holds one link to each object, a new one where it is another file now, and none to what is gone', () => {
    const { watched, sh, held, folder, at } = lab()
    const objects = watched('deep/held')
    const links = () => {
      objects.note()
      return held('deep/held').length
    }
    expect([links(), links(), statSync(join(folder, 'deep/held')).mode & 0o777]).toEqual([2, 2, 0o700])
    const first = held('deep/held')
    expect([links(), held('deep/held')]).toEqual([2, first])
    sh('cp $ONE x; mv $ONE ../old; mv x $ONE')
    expect([links(), statSync(at(ONE.name)).nlink]).toEqual([2, 2])
    sh('rm $ONE')
    expect([objects.restore(), statSync(at(ONE.name)).nlink]).toEqual([undefined, 2])
    sh('rm $ONE')
    expect([links(), objects.isNoted(at(ONE.name)), objects.restore()]).toEqual([1, false, undefined])
  })

  it('holds new ones that were judged, too', () => {
    const { watched, sh, at, held } = lab()
    const objects = watched()
    sh('mv $ONE ../one')
    objects.note()
    sh(`mkdir -p $(dirname $ONE); mv ../one $ONE`)
    objects.accept([at('HEAD'), at(ONE.name)])
    expect([objects.isNoted(at(ONE.name)), objects.isNoted(at('HEAD')), held().length]).toEqual([true, false, 2])
    sh('rm $ONE')
    expect([objects.restore(), statSync(at(ONE.name)).isFile()]).toEqual([undefined, true])
  })

  it('goes on where one object cannot be held, and stops where its folder is on another file system', () => {
    const { watched, list, short, folder, held } = lab()
    const [first = ''] = short(list().keys())
    const holding = (code: string) => {
      const objects = watched(code)
      expect(objects.areHeld()).toBe(true)
      recordCalls(folder).fail(`link g/${first} ${code}/0`, code)
      objects.note()
      return [held(code).length, objects.areHeld()]
    }
    expect([holding('EACCES'), holding('EXDEV')]).toEqual([
      [1, false],
      [0, false],
    ])
    const objects = watched()
    objects.note()
    expect(objects.areHeld()).toBe(true)
  })
})

describe('listGitObjects', () => {
  it('names loose objects and packs, of both kinds of hash, and nothing else', () => {
    const { list, short } = lab({
      ...{ [`g/${LONG.name}`]: LONG.bytes, [`g/${PACK}.pack`]: 'x', [`g/${PACK}.idx`]: 'x', [`g/${PACK}.rev`]: 'x' },
      ...{ 'g/objects/info/packs': '', 'g/objects/ab/tmp_obj_x': '', 'g/objects/pack/x.pack': '' },
      ...{ 'g/objects/abc/x': '', [`g/objects/cd/${'e'.repeat(38)}/x`]: '', [`g/objects/ab/${'g'.repeat(38)}`]: '' },
      ...{ [`g/objects/xab/${'a'.repeat(38)}`]: '' },
    })
    expect(short(list().keys())).toEqual([ONE.name, TWO.name, LONG.name, `${PACK}.idx`, `${PACK}.pack`].sort())
  })

  it('names each once where repositories share them, and nothing of a git directory that is not there', () => {
    const { repository } = lab()
    expect(listGitObjects([repository, { ...repository, gitDir: '/elsewhere' }]).size).toBe(2)
    expect(listGitObjects([{ ...repository, commonDir: '/nowhere' }]).size).toBe(0)
  })

  it('does not look behind links, which may lead elsewhere later', () => {
    const { list, at, gitDir, folder, short, sh } = lab()
    sh('rm $ONE; ln -s ../../$TWO $ONE')
    expect(short(list().keys())).toEqual([TWO.name])
    renameSync(at('objects'), join(folder, 'o'))
    symlinkSync('../o', at('objects'))
    expect(list().size).toBe(0)
    rmSync(at('objects'))
    renameSync(join(folder, 'o'), at('objects'))
    renameSync(gitDir, join(folder, 'h'))
    symlinkSync('h', gitDir)
    expect(list().size).toBe(0)
  })
})

describe('lostObjects', () => {
  it.each(table`
    none                                                  | true                                    |
    none of those that were touched                       | touch -d @1 $ONE $PACK.pack             |
    none of those that were stored again                  | cp $ONE x; mv $ONE ../old; mv x $ONE    |
    those that are gone                                   | rm $ONE                                 | ${ONE.name}
    those that are longer                                 | printf x >> $ONE                        | ${ONE.name}
    those with another content of the same length         | ${WITH_ZEROS}                           | ${ONE.name}
    those in the place of which there is a folder         | rm $ONE; mkdir $ONE                     | ${ONE.name}
    packs of another size                                 | echo other > $PACK.pack                 | ${PACK}.pack
    all, with their folder                                | rm -r objects | ${[ONE.name, TWO.name, `${PACK}.pack`].sort().join(' ')}
  `)('are %s', (_, change = '', expected = '') => {
    const { sh, lost } = lab({ [`g/${PACK}.pack`]: 'pack' })
    sh(change)
    expect(lost().join(' ')).toBe(expected)
  })
})

it.each([
  ['ino', [ONE.name]],
  ['size', [ONE.name, TWO.name].sort()],
] as const)('an object is another one where its %s is, whatever its time says', (field, expected) => {
  const { sh, list, short } = lab()
  sh(WITH_ZEROS)
  const before = new Map([...list()].map(([path, stamp]) => [path, { ...stamp, [field]: stamp[field] + 1 }]))
  expect(short(lostObjects(before, list()))).toEqual(expected)
})

describe('unpackedObjects', () => {
  it('are packs that no new index has as much as, and the first object of', () => {
    const { folder, sh, list, short } = lab({ [`g/${PACK}.pack`]: 'pack', [`g/${PACK}.idx`]: indexOf(ONE.oid) })
    const before = list()
    sh('rm $PACK.pack $PACK.idx')
    const left = () => short(unpackedObjects(lostObjects(before, list()), before, list()))
    const other = `g/objects/pack/pack-${'b'.repeat(40)}.idx`
    writeFiles(folder, { [other]: indexOf(TWO.oid) })
    expect(left()).toContain(`${PACK}.pack`)
    writeFiles(folder, { [other]: indexOf(ONE.oid) })
    expect(left()).not.toContain(`${PACK}.pack`)
  })

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

  it('are those that were there with another content, and those that no index names, or only an old one', () => {
    const index = indexOf(ONE.oid)
    const old = lab({ [`g/${PACK}.idx`]: index })
    old.sh('rm $ONE')
    expect(old.unpacked()).toEqual([ONE.name])
    const young = lab()
    writeFiles(young.folder, { [`g/${PACK}.idx`]: index })
    young.sh('rm $ONE; echo x > $TWO')
    expect([young.lost(), young.unpacked()]).toEqual([[ONE.name, TWO.name].sort(), [TWO.name]])
    writeFiles(young.folder, { [`g/${PACK}.idx`]: indexOf(TWO.oid) })
    expect(young.unpacked()).toEqual([ONE.name, TWO.name].sort())
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
