import { execFileSync } from 'node:child_process'
import fs, { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diskPath } from '../../../src/lib/fs/diskPath.ts'
import { listTree, parentsAreFolders, readEntry } from '../../../src/lib/fs/listTree.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { stubCalls } from '../../helpers/stubCalls.ts'

async function namesIn(top: string, ...tracked: readonly string[]): Promise<string[]> {
  const names: string[] = []
  for await (const [name] of listTree(top, new Set(tracked))) names.push(name)
  return names.toSorted()
}

/** What git itself takes for its own. */
function askGit(top: string, ...tracked: readonly string[]): string[] {
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'core.excludesFile=/dev/null', ...words], { cwd: top, encoding: 'utf8' })
  git('init', '-q')
  if (tracked.length > 0) git('add', '-f', ...tracked)
  const listed = git('ls-files', '-z', '--cached', '--others', '--exclude-per-directory=.gitignore')
  return [...new Set(listed.split('\0').filter((name) => name !== ''))].toSorted()
}

const IGNORED = {
  ...{ '.gitignore': '*.log\nout/\n/a\n', 'a.log': '', a: '', 'out/b': '', 'c/out/d': '', 'c/a': '', 'd/out': '' },
  ...{ 'b/.gitignore': '!keep.log\nx\n', 'b/keep.log': '', 'b/c.log': '', 'b/x': '', 'b/c/x': '', x: '' },
  ...{ 'out/.gitignore': '!e\n', 'out/e': '' },
}

describe('the files of a checkout are those that git would track', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['plain files, links and folders', { a: '', 'b/c': '', 'b/d/e': '', link: '-> a', dangling: '-> gone' }, []],
    ['a link to a folder is a link', { 'b/c': '', link: '-> b', out: '-> /etc' }, []],
    ['ignored by name, by ending, by folder, and not where rules further in say so', IGNORED, []],
    [
      'tracked though ignored',
      { '.gitignore': '*.log\nout/\n', 'a.log': '', 'out/b': '', 'out/c': '' },
      ['a.log', 'out/b'],
    ],
  ])('%s', async (_, files, tracked) => {
    const top = makeFiles(files)
    const listed = await namesIn(top, ...tracked)
    expect(listed).toEqual(askGit(top, ...tracked))
    // Each file once, the tracked ones too.
    expect(new Set(listed).size).toBe(listed.length)
  })

  it('a link in the place of the rules has none', async () => {
    const top = makeFiles({ '.gitignore': '-> rules', rules: 'a\n', a: '' })
    expect(await namesIn(top)).toEqual(['.gitignore', 'a', 'rules'])
  })

  it('also those whose names are not UTF-8, and what is in such a folder', async () => {
    const top = makeFiles({ '.gitignore': '*.log\n' })
    const at = (name: string) => Buffer.from(join(top, name), 'latin1')
    mkdirSync(at('d\xe9'))
    for (const name of ['caf\xe9', 'caf\xe8.log', 'd\xe9/x', 'd\xe9/y.log']) writeFileSync(at(name), name)
    const listed = await namesIn(top)
    const bytes = listed.map((name) => Buffer.from(diskPath(name)).toString('latin1'))
    expect(bytes.toSorted()).toEqual(['.gitignore', 'caf\xe9', 'd\xe9/x'])
    expect(Buffer.from(readEntry(join(top, listed.at(-1) ?? ''))?.content ?? []).toString()).toMatch(/^(?:café|dé\/x)$/)
  })

  it('and those of a nested repository, without its own records', async () => {
    const top = makeFiles({ a: '', 'sub/b': '', 'sub/.git/HEAD': 'ref: refs/heads/main', 'other/.git': 'gitdir: x' })
    expect(await namesIn(top)).toEqual(['a', 'sub/b'])
  })

  it('a tracked file that is gone, or behind a link, is not there', async () => {
    const top = makeFiles({ '.gitignore': 'out\n', 'real/a': '', link: '-> real', 'out/b': '' })
    expect(await namesIn(top, 'gone', 'link/a', 'out/b', 'out/gone')).toEqual(['.gitignore', 'link', 'out/b', 'real/a'])
  })

  it('a tracked path that is a folder now is listed as one, and what is in it is not', async () => {
    const top = makeFiles({ 'sub/b': '' })
    const found: [string, boolean][] = []
    for await (const [name, stat] of listTree(top, new Set(['sub']))) found.push([name, stat.isDirectory()])
    expect(found).toEqual([['sub', true]])
  })

  it('comes with the state of the entry itself, a link as a link', async () => {
    const top = makeFiles({ a: 'abc', link: '-> a' })
    const found = new Map<string, [bigint, boolean]>()
    for await (const [name, stat] of listTree(top, new Set())) found.set(name, [stat.size, stat.isSymbolicLink()])
    expect(Object.fromEntries(found)).toEqual({ a: [3n, false], link: [1n, true] })
  })

  it('rules that cannot be read are none, and a file that goes meanwhile is not there', async () => {
    const top = makeFiles({ '.gitignore': 'a\n', a: '', b: '', c: '' })
    const { lstatSync } = fs
    stubCalls({
      openSync: () => {
        throw new Error('EACCES')
      },
      lstatSync: (path: string, options: fs.StatSyncOptions) =>
        lstatSync(path.endsWith('/b') ? '/nowhere' : path, options),
    })
    expect(await namesIn(top)).toEqual(['.gitignore', 'a', 'c'])
  })

  it('is empty where there is no folder', async () => {
    expect(await namesIn(join(makeFiles(), 'gone'))).toEqual([])
  })
})

describe('what git stores of an entry', () => {
  const read = (path: string) => {
    const entry = readEntry(path)
    return entry === undefined ? undefined : [entry.mode, Buffer.from(entry.content).toString()]
  }

  it('the content and whether its owner may run it, or the target of a link', () => {
    const top = makeFiles({ a: 'text', run: 'go', group: 'x', link: '-> ../any where', sub: '-> gone' })
    chmodSync(join(top, 'run'), 0o755)
    chmodSync(join(top, 'group'), 0o654)
    const [plain, executable, link] = ['100644', '100755', '120000']
    expect(['a', 'run', 'group', 'link', 'sub'].map((name) => read(join(top, name)))).toEqual([
      ...[
        [plain, 'text'],
        [executable, 'go'],
        [plain, 'x'],
        [link, '../any where'],
        [link, 'gone'],
      ],
    ])
  })

  it('the target of a link byte by byte', () => {
    const top = makeFiles({})
    const target = Buffer.from([0x61, 0xff, 0x62])
    symlinkSync(target, join(top, 'link'))
    expect(readEntry(join(top, 'link'))).toEqual({ mode: '120000', content: target })
  })

  it('nothing of a folder, a pipe, or what is not there', () => {
    const top = makeFiles({ 'sub/a': '' })
    execFileSync('mkfifo', [join(top, 'pipe')])
    expect(['sub', 'pipe', 'gone', 'sub/a/b'].map((name) => read(join(top, name)))).toEqual(Array(4).fill(undefined))
  })

  it('nothing of what took the place of a file after the look, and it is closed', () => {
    const top = makeFiles({ a: 'text', 'sub/b': '' })
    const { openSync, closeSync } = fs
    const closed: number[] = []
    stubCalls({
      openSync: (_: string, flags: number) => openSync(join(top, 'sub'), flags),
      closeSync: (fd: number) => {
        closed.push(fd)
        closeSync(fd)
      },
    })
    expect(readEntry(join(top, 'a'))).toBeUndefined()
    expect(closed).toHaveLength(1)
  })
})

it('knows a path that leads through a link', () => {
  const top = makeFiles({ 'real/deep/a': '', link: '-> real', file: '' })
  const through = ['a', 'real/deep/a', 'real/gone', 'link/deep/a', 'link/a', 'real/deep/a/b', 'file/b', 'gone/deep/b']
  expect(through.filter((name) => parentsAreFolders(top, name))).toEqual(['a', 'real/deep/a', 'real/gone'])
})
