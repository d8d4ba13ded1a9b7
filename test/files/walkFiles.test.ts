import { relative } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FileAccess, FileError } from '../../src/contracts/files.ts'
import { extendIgnoreRules, type IgnoreRules, ignoreRulesAbove, isIgnored } from '../../src/files/ignoreRules.ts'
import { type WalkOptions, walkFiles } from '../../src/files/walkFiles.ts'
import type { Files } from '../helpers/effects/makeFiles.ts'
import { createToolContext, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
const at = (name: string) => context.at(name)
const put = (files: Files) => context.put(files)
const named = (path: string) => relative(context.cwd, path)
async function walk(options: Partial<WalkOptions> = {}): Promise<string[]> {
  const { files, cwd, signal } = context
  const found: string[] = []
  const walked = walkFiles({ files, base: cwd, workingDirectories: [cwd], signal, ...options })
  for await (const path of walked) found.push(named(path))
  return found
}
/** The guard, but for one folder, which cannot be listed. */
const refusing = (folder: string, error: Error): FileAccess => ({
  ...context.files,
  list: async (path) => {
    if (path === at(folder)) throw error
    return context.files.list(path)
  },
})

beforeEach(() => {
  context = createToolContext()
})

describe('walkFiles', () => {
  it('names files folder by folder, in the order of names', async () => {
    put({ 'b/z': '', 'b/a/x': '', 'a/y': '', c: '', '.hidden': '' })
    expect(await walk()).toEqual(['.hidden', 'c', 'a/y', 'b/z', 'b/a/x'])
    expect(await walk({ base: at('b') })).toEqual(['b/z', 'b/a/x'])
  })

  it('follows no link and never enters version control', async () => {
    put({ '.git/config': '', 'sub/.hg/x': '', '.svn/x': '', '.jj/x': '', 'sub/a': '', '.github/x': '' })
    put({ folder: '-> sub', file: '-> sub/a' })
    expect(await walk()).toEqual(['.github/x', 'sub/a'])
  })

  it('leaves out what git ignores, and says what that was', async () => {
    put({
      '.gitignore': '*.log\n!keep.log\nout\nonly/\n',
      ...{ 'a.log': '', 'keep.log': '', 'out/x': '', only: '', 'sub/.gitignore': '!b.log\n/a\n' },
      ...{ 'sub/b.log': '', 'sub/c.log': '', 'sub/a': '', 'sub/deep/a': '', 'sub/only/x': '' },
    })
    const ignored: [string, boolean][] = []
    const onIgnored = (path: string, isFolder: boolean) => ignored.push([named(path), isFolder])
    expect(await walk({ onIgnored })).toEqual([
      ...['.gitignore', 'keep.log', 'only'],
      ...['sub/.gitignore', 'sub/b.log', 'sub/deep/a'],
    ])
    expect(ignored).toEqual([
      ['a.log', false],
      ['out', true],
      ['sub/a', false],
      ['sub/c.log', false],
      ['sub/only', true],
    ])
  })

  it('obeys the rules above its base, but not those that would ignore the base itself', async () => {
    put({ '.gitignore': 'x\nout/\n', 'a/.gitignore': 'y\n', 'a/b/x': '', 'a/b/y': '', 'a/b/z': '', 'out/x': '' })
    expect(await walk({ base: at('a/b') })).toEqual(['a/b/z'])
    expect(await walk({ base: at('out') })).toEqual(['out/x'])
    // Rules of a folder outside the working directories say nothing about what is below.
    expect(await walk({ base: at('a/b'), workingDirectories: [at('a/b')] })).toEqual(['a/b/x', 'a/b/y', 'a/b/z'])
    expect(await walk({ base: at('a/b'), workingDirectories: [at('other')] })).toEqual(['a/b/x', 'a/b/y', 'a/b/z'])
  })

  it('opens no folder that is pruned, and asks only about folders', async () => {
    put({ 'a/x': '', 'b/y': '', c: '', '.git/x': '' })
    const asked: string[] = []
    const isPruned = (folder: string) => asked.push(named(folder)) > 0 && folder === at('a')
    expect(await walk({ isPruned })).toEqual(['c', 'b/y'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('skips a folder that the guard refuses, but not its base, and no other error', async () => {
    put({ 'a/x': '', b: '' })
    const refused = new FileError('protected', 'not this one')
    expect(await walk({ files: refusing('a', refused) })).toEqual(['b'])
    await expect(walk({ files: refusing('a', refused), base: at('a') })).rejects.toThrow('not this one')
    await expect(walk({ files: refusing('a', new Error('a bug')) })).rejects.toThrow('a bug')
  })

  it('ends when it is aborted', async () => {
    put({ 'a/x': '', b: '' })
    const controller = new AbortController()
    const { files, cwd } = context
    const walked = walkFiles({ files, base: cwd, workingDirectories: [cwd], signal: controller.signal })
    expect((await walked.next()).value).toBe(at('b'))
    controller.abort(new Error('enough'))
    await expect(walked.next()).rejects.toThrow('enough')
  })
})

describe('rules of .gitignore', () => {
  it('a folder that is called .gitignore, or a file that is no text, has none', async () => {
    put({ '.gitignore/x': '', 'sub/.gitignore': 'a\0b', 'sub/a': '' })
    expect(await walk()).toEqual(['.gitignore/x', 'sub/.gitignore', 'sub/a'])
    expect(await extendIgnoreRules([], context.files, at('sub'))).toEqual([])
    const broken: FileAccess = { ...context.files, read: () => Promise.reject(new Error('a bug')) }
    await expect(extendIgnoreRules([], broken, at('sub'))).rejects.toThrow('a bug')
  })

  it('asks at the root of the file system for one slash', async () => {
    const asked: string[] = []
    const files: FileAccess = {
      ...context.files,
      read: (path) => {
        asked.push(path)
        return Promise.reject(new FileError('not_found', path))
      },
    }
    expect(await ignoreRulesAbove(files, ['/'], '/a/b')).toEqual([])
    expect(asked).toEqual(['/.gitignore', '/a/.gitignore'])
  })

  it('the innermost file that has a rule decides', async () => {
    put({ '.gitignore': 'x\n!y\n', 'sub/.gitignore': '!x\n' })
    const outer = await extendIgnoreRules([], context.files, context.cwd)
    const both = await extendIgnoreRules(outer, context.files, at('sub'))
    const ignoredBy = (rules: IgnoreRules) =>
      ['sub/x', 'sub/y', 'sub/z'].map((name) => isIgnored(rules, at(name), false))
    expect([ignoredBy(outer), ignoredBy(both)]).toEqual([
      [true, false, false],
      [false, false, false],
    ])
  })
})
