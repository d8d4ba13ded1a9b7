import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  differingEntries,
  indexNames,
  parseGitIndex,
  readIndex,
  stampOf,
} from '../../../src/git/repository/gitIndex.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { type MadeEntry, type MadeIndex, makeIndex } from '../../helpers/effects/makeIndex.ts'
import { gitAt } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { listOf, table } from '../../helpers/table.ts'

/** Version 4: each entry repeats the name before it, and adds a letter. */
function repeating(length: number): Buffer {
  const names = Array.from({ length: 40 }, (_, index) => ({
    path: `${'n'.repeat(length)}${String(index).padStart(3, '0')}`,
  }))
  return makeIndex(names as MadeEntry[], { version: 4 })
}

const entriesOf = (bytes: Buffer, oidBytes?: number) => parseGitIndex(bytes, oidBytes)?.entries
const LONG = 'd/'.repeat(200)

describe('parseGitIndex', () => {
  it('refuses a small file whose repeated names could fill the memory', () => {
    expect(entriesOf(repeating(4_000))).toHaveLength(40)
    expect(entriesOf(repeating(8_000))).toBeUndefined()
  })

  it.each<[string, readonly string[], MadeIndex]>([
    [
      'version 2, with every length of padding',
      ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'abcdefgh'],
      {},
    ],
    ['version 3', ['a', 'b/c'], { version: 3 }],
    ['version 4, where a name starts as the one before', ['a/b', 'a/bc', 'a/c', 'b'], { version: 4 }],
    [
      'version 4, where much of a long name is dropped',
      [`a/${LONG}x`, 'a/b', `c/${LONG}${LONG}`, `c/${LONG}y`, 'd'],
      { version: 4 },
    ],
    [
      'version 4, where 127, 128 or 129 bytes are dropped',
      ['127', '128', '129'].flatMap((n) => [`${n}/${'x'.repeat(Number(n) - 1)}`, `${n}0`]),
      { version: 4 },
    ],
    [
      'version 4, where many thousands are',
      [`a${'x'.repeat(16_511)}`, `b${'x'.repeat(16_512)}`, 'c', 'd'],
      { version: 4 },
    ],
    ['none', [], {}],
  ])('reads the names of %s', (_, names, options) => {
    expect(entriesOf(makeIndex(names, options))?.map(({ path }) => path)).toEqual(names)
  })

  it('reads mode and object, of SHA-1 and of SHA-256', () => {
    const made: MadeEntry[] = [
      { path: 'a', mode: 0o100755, oid: 'b' },
      { path: 'b', mode: 0o120000, oid: 'c' },
      { path: 'c', mode: 0o040000, oid: 'd' },
    ]
    for (const oidBytes of [20, 32] as const)
      expect(entriesOf(makeIndex(made, { oidBytes }), oidBytes)).toMatchObject([
        { path: 'a', mode: '100755', oid: 'b'.repeat(2 * oidBytes), marks: 0 },
        { path: 'b', mode: '120000', oid: 'c'.repeat(2 * oidBytes), marks: 0 },
        { path: 'c', mode: '040000', oid: 'd'.repeat(2 * oidBytes), marks: 0 },
      ])
  })

  it('tells entries apart by stage and by each flag that hides a change, and by nothing else', () => {
    const made: MadeEntry[] = [
      ...[0, 0x1000, 0x2000, 0x8000].map((flags) => ({ path: 'a', flags })),
      ...[0x4000, 0x2000].map((more) => ({ path: 'a', more })),
    ]
    const marks = entriesOf(makeIndex(made, { version: 3 }))?.map((entry) => entry.marks)
    expect(new Set(marks).size).toBe(6)
    const lengths = entriesOf(makeIndex(['a', 'ab', 'x'.repeat(5_000), { path: 'a', more: 0 }], { version: 3 }))
    expect(lengths?.map((entry) => entry.marks)).toEqual([0, 0, 0, 0])
    expect(lengths?.[2]?.path).toHaveLength(5_000)
  })

  it('reads what git itself writes', () => {
    const folder = makeFiles({ 'a b': 'x', 'd/e': 'y', 'd/f': 'z' })
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' })
    git('init', '-q')
    git('add', '-A')
    git('update-index', '--skip-worktree', 'd/e')
    const shown = git('ls-files', '-s')
      .split('\n')
      .slice(0, -1)
      .map((line) => line.replace(/ 0\t/, ' '))
    for (const version of ['2', '4']) {
      git('update-index', '--index-version', version)
      const entries = entriesOf(readFileSync(join(folder, '.git/index'))) ?? []
      expect(entries.map(({ mode, oid, path }) => `${mode} ${oid} ${path}`)).toEqual(shown)
      expect(entries.map((entry) => entry.marks !== 0)).toEqual([false, true, false])
    }
  })

  const good = makeIndex(['a', 'b/c'])
  const at = (offset: number, byte: number) => {
    const bytes = Buffer.from(good)
    bytes[offset] = byte
    return bytes
  }
  const damaged: readonly (readonly [string, Buffer])[] = [
    ['empty', Buffer.alloc(0)],
    ['of something else', at(0, 0x58)],
    ['of version 1', at(7, 1)],
    ['of version 5', at(7, 5)],
    ['with more entries than it has', at(11, 3)],
    ['with fewer entries than it has', at(11, 1)],
    ['cut in the middle of an entry', good.subarray(0, 60)],
    ['cut in its hash', good.subarray(0, -1)],
    ['longer than it says', Buffer.concat([good, Buffer.alloc(1)])],
    ['with a name that does not end', Buffer.concat([good.subarray(0, 74), Buffer.alloc(30, 0x61)])],
    ['that is split in two files', makeIndex(['a'], { extensions: { link: 'x' } })],
    ['with an extension that is cut', makeIndex(['a'], { extensions: { TREE: 'x' } }).subarray(0, -2)],
  ]
  it.each(damaged)('does not understand an index %s', (_, bytes) => {
    expect(parseGitIndex(bytes)).toBeUndefined()
    expect(indexNames(bytes, 20)).toBeUndefined()
  })

  it('does not take the hashes of one kind for those of another', () => {
    expect(parseGitIndex(good, 32)).toBeUndefined()
    expect(parseGitIndex(makeIndex(['a'], { oidBytes: 32 }))).toBeUndefined()
  })
})

describe('readIndex', () => {
  const top = makeFolder('kode-run-index-')
  const git = gitAt(top)
  const file = join(top, '.git/index')
  const entry = async (name: string) => (await readIndex(file))?.get(name)
  git('init', '-q')
  for (const folder of ['one', 'two', ...'abcdefghi']) mkdirSync(join(top, folder))
  for (const name of ['a/x', 'b/x', 'c/x', 'd/x', 'e/x', 'f/x', 'g/x', 'h/x', 'i/x', 'one/x', 'two/x', 'y'])
    writeFileSync(join(top, name), name)
  utimesSync(join(top, 'y'), 1_234_567.25, 1_234_567.25)

  it('knows a file by its stamp, unless it was written in the same moment as the index', async () => {
    git('add', '-A')
    const stat = statSync(join(top, 'y'), { bigint: true })
    expect(await entry('y')).toMatchObject({ mode: '100644', stamp: stampOf(stat) })
    for (const [at, isKnown] of [
      [1_234_567.249, false],
      [1_234_567.25, false],
      [1_234_567.252, true],
    ] as const) {
      utimesSync(file, at, at)
      expect((await entry('y'))?.stamp).toBe(isKnown ? stampOf(stat) : undefined)
    }
  })

  it('has the tree of the whole index, as long as it is noted for all of it', async () => {
    git('add', '-A')
    const tree = git('write-tree')
    expect((await readIndex(file))?.tree).toBe(tree)
    writeFileSync(join(top, 'a', 'more'), '')
    git('add', '-A')
    expect(await readIndex(file)).not.toHaveProperty('tree', expect.anything())
    expect(readFileSync(file, 'latin1')).toMatch(/TREE....\0-1 11\n/s)
  })

  it('reads at most as many entries as it may, and none of what it does not understand', async () => {
    expect([(await readIndex(file, 13))?.size, await readIndex(file, 12)]).toEqual([13, undefined])
    for (const bytes of [makeIndex([{ path: 'a/', mode: 0o040000 }]), Buffer.alloc(0), Buffer.alloc(20)]) {
      writeFileSync(file, bytes)
      expect(await readIndex(file)).toBeUndefined()
    }
    expect(await readIndex(join(top, 'nowhere'))).toBeUndefined()
  })
})

describe('an index without its caches', () => {
  const EXTENSIONS = { TREE: 'cached trees', Tree: 'x', sdir: '', UNTR: 'files', FSMN: 'x', EOIE: 'y' }
  it.each([20, 32] as const)(
    'has the same entries, what is needed to read them, and its own hash: %i bytes',
    (oidBytes) => {
      const names: MadeEntry[] = [
        { path: 'a', stat: 7 },
        { path: 'b/c', flags: 0x8000 },
      ]
      const full = parseGitIndex(makeIndex(names, { oidBytes, extensions: EXTENSIONS }), oidBytes)
      expect(full?.plain().equals(makeIndex(names, { oidBytes, extensions: { sdir: '' } }))).toBe(true)
      const none = makeIndex(names, { oidBytes })
      expect(parseGitIndex(none, oidBytes)?.plain().equals(none)).toBe(true)
    },
  )
})

describe('differingEntries', () => {
  /** An index with entries such as `a`, `a oid=b`, `a flags=1000`, numbers in octal or hexadecimal figures. */
  const index = (cell: string) => {
    const entries = listOf(cell).map((line): MadeEntry => {
      const [path = '', ...words] = line.split(' ')
      const of = (key: string) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1)
      const number = (key: string, base: number) => {
        const text = of(key)
        return text !== undefined && { [key]: Number.parseInt(text, base) }
      }
      const numbers = { ...number('mode', 8), ...number('flags', 16), ...number('more', 16), ...number('stat', 10) }
      return { path, oid: of('oid') ?? 'a', ...numbers }
    })
    const parsed = parseGitIndex(makeIndex(entries, { version: 3 }))
    if (parsed === undefined) throw new Error('the index cannot be read')
    return parsed
  }

  it.each(table`
    nothing                                    | a, b           | a, b          |
    nothing but what git remembers of the files | a stat=1      | a stat=2      |
    a new path                                 | a              | a, b          | b: 100644 a
    a path that is gone                        | a, b           | b             | a:
    another object                             | a              | a oid=b       | a: 100644 b
    another mode                               | a              | a mode=100755 | a: 100755 a
    a flag that hides the file                 | a              | a more=4000   | a: 100644 a
    another stage                              | a              | a flags=1000  | a: 100644 a
    one stage more                             | a flags=1000   | a flags=1000, a flags=2000 oid=b
      | a: 100644 a 100644 b
    the first of two stages                    | a flags=1000, a flags=2000 | a flags=1000 oid=b, a flags=2000
      | a: 100644 b 100644 a
    the objects of two stages, exchanged       | a flags=1000, a flags=2000 oid=b | a flags=1000 oid=b, a flags=2000
      | a: 100644 b 100644 a
  `)('are %s', (_, before = '', now = '', expected = '') => {
    const found = differingEntries(index(before), index(now)).map(([path, entries]) =>
      [`${path}:`, ...entries.map(({ mode, oid }) => `${mode} ${oid[0]}`)].join(' '),
    )
    expect(found).toEqual(listOf(expected))
  })
})
