import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGitRunner } from '../../../src/git/own/ownGit.ts'
import { pathsIn, stageOnFiles, stagePatch } from '../../../src/git/states/stagePatch.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { commitAll } from '../../helpers/git.ts'

const runGit = createGitRunner(process.env['PATH'] ?? '')

it.each([
  ['a change', '--- a/src/x y\t\n+++ b/src/x y\t\n', ['src/x y']],
  ['a new file', '--- /dev/null\n+++ b/x\n', ['dev/null', 'x']],
  ['a rename', 'rename from a\nrename to b/"c\n', ['a', 'b/"c']],
  ['a mode, a binary, an empty file', 'diff --git a/x y b/x y\n', ['x y']],
  ['unusual bytes', 'diff --git "a/\\303\\244\\a\\b" "b/\\303\\244\\a\\b"\n', ['ä\x07\b']],
  ['unusual signs', '+++ "b/\\t\\n\\v\\f\\r\\"\\\\ü"\n', ['\t\n\v\f\r"\\ü']],
  ['content that looks like one', '+--- a/x\n++++ b/x\n rename from y\n', []],
])('the paths of a patch: %s', (_, patch, paths) => {
  expect([...pathsIn(patch)]).toEqual(paths)
})

function place() {
  const top = makeFiles({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n', 'gone.txt': 'x\n' })
  const git = commitAll(top)
  const base = git('rev-parse', 'HEAD')
  writeFileSync(join(top, 'a.txt'), 'changed\n')
  rmSync(join(top, 'gone.txt'))
  git('mv', 'sub/b.txt', 'sub/c.txt')
  git('add', '-A')
  const patch = `${git('diff', '--cached', 'HEAD')}\n`
  return { top, git, base, patch }
}

const told = (files: Awaited<ReturnType<typeof stageOnFiles>>) =>
  files?.map(({ path, mode, content }) => [path, mode, content && Buffer.from(content).toString()])
const RESULT = [
  ['a.txt', '100644', 'changed\n'],
  ['gone.txt', '000000', undefined],
  ['sub/b.txt', '000000', undefined],
  ['sub/c.txt', '100644', 'two\n'],
]

describe('what a patch makes', () => {
  it('of a commit, whatever the checkout has now', async () => {
    const { top, git, base, patch } = place()
    const { baseTree, files } = await stagePatch(top, { base, patch }, runGit)
    expect([baseTree, told(files)]).toEqual([git('rev-parse', `${base}^{tree}`), RESULT])
  })

  it('of the files as they are, and back', async () => {
    const { top, git, patch } = place()
    git('reset', '-q', '--hard')
    expect(told(await stageOnFiles(top, { patch }, runGit))).toEqual(RESULT)
    git('apply', '--index', join(makeFiles({ patch }), 'patch'))
    const back = await stageOnFiles(top, { patch, isReversed: true }, runGit)
    expect(told(back)?.map(([path, , content]) => [path, content])).toEqual([
      ...[
        ['a.txt', 'one\n'],
        ['gone.txt', 'x\n'],
        ['sub/b.txt', 'two\n'],
      ],
      ['sub/c.txt', undefined],
    ])
  })

  it('is nothing where it does not fit, or copies what it does not change', async () => {
    const { top, git, patch } = place()
    const copy = 'diff --git a/a.txt b/d\nsimilarity index 100%\ncopy from a.txt\ncopy to d\n'
    expect(await stageOnFiles(top, { patch }, runGit)).toBeUndefined()
    git('reset', '-q', '--hard')
    expect(await stageOnFiles(top, { patch: copy }, runGit)).toBeUndefined()
  })

  it('needs the commit, and a repository', async () => {
    const { top, base, patch } = place()
    const attempt = (cwd: string, of: string, text = patch) => stagePatch(cwd, { base: of, patch: text }, runGit)
    const gone = '1'.repeat(40)
    await expect(attempt(top, gone)).rejects.toThrow(
      `the commit ${gone} is not in this clone: check out with its history (fetch-depth: 0)`,
    )
    await expect(attempt(top, base, patch.replace('-one', '-other'))).rejects.toThrow(`the patch does not fit ${base}`)
    const none = makeFiles()
    await expect(attempt(none, base)).rejects.toThrow(`${none} is not in a git repository`)
  })
})
