import { expect, it } from 'vitest'
import { createGitRunner } from '../../../src/git/own/gitRunner.ts'
import { makeOwnGitDir, type RunGit } from '../../../src/git/own/ownGit.ts'
import { openObjects } from '../../../src/git/repository/gitObjects.ts'
import { compareStates } from '../../../src/git/states/compareStates.ts'
import { nameFromDisk } from '../../../src/lib/fs/diskPath.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const CAFE = nameFromDisk(Buffer.from([0x63, 0x61, 0x66, 0xe9]))
const BEFORE = { a: '1\n', 'sub/gone': '1\n2\n', [CAFE]: 'x\n', same: 's' }
const NOW = { a: '1\n2\n', 'tab\there "q"': '', bin: '\0\u0001', [CAFE]: 'y\n', same: 's' }
const CHANGES = [
  { path: 'a', status: 'modified', added: 1, removed: 0 },
  { path: 'bin', status: 'added', added: 0, removed: 0 },
  { path: 'caf\ufffd', status: 'modified', added: 1, removed: 1 },
  { path: 'sub/gone', status: 'deleted', added: 0, removed: 2 },
  { path: 'tab\there "q"', status: 'added', added: 0, removed: 0 },
]

/** What the comparison says, and the formats that git was asked for. `fails`: the formats that git cannot write. */
async function compare(before: Record<string, string>, now: Record<string, string>, fails?: string) {
  const folder = makeFolder()
  await makeOwnGitDir(folder, undefined)
  const { putBlob } = openObjects(folder)
  const stateOf = (files: Record<string, string>) =>
    new Map(Object.entries(files).map(([path, text]) => [path, { mode: '100644', oid: putBlob(Buffer.from(text)) }]))
  const asked: string[][] = []
  const real = createGitRunner(process.env['PATH'] ?? '')
  const runGit: RunGit = async (args, environment) => {
    asked.push(args.filter((arg) => /^--(?:numstat|patch)/.test(arg)))
    return fails !== undefined && args.includes(fails) ? undefined : real(args, environment)
  }
  const diff = () => compareStates(folder, [stateOf(before), stateOf(now)], runGit)
  return { diff, asked }
}

it('asks git once, for the counts and the patch', async () => {
  const { diff, asked } = await compare(BEFORE, NOW)
  const { patch, changes, note } = await diff()
  expect(changes).toEqual(CHANGES)
  expect(patch).toMatch(/^diff --git a\/a b\/a\n/)
  expect(patch?.match(/^diff --git /gm)).toHaveLength(CHANGES.length)
  expect(note).toBeNull()
  expect(asked).toEqual([['--numstat', '--patch']])
})

it('starts no git without a difference', async () => {
  const { diff, asked } = await compare(NOW, NOW)
  expect(await diff()).toEqual({ patch: '', changes: [], note: 'no file was changed' })
  expect(asked).toEqual([])
})

it('still tells the changes where git cannot write the patch', async () => {
  const { diff, asked } = await compare(BEFORE, NOW, '--patch')
  const note = 'git could not write the patch, or it is larger than 50 MB'
  expect(await diff()).toEqual({ patch: null, changes: CHANGES, note })
  expect(asked).toEqual([['--numstat', '--patch'], ['--numstat']])
})

it('throws where git cannot compare', async () => {
  const { diff } = await compare(BEFORE, NOW, '--numstat')
  await expect(diff()).rejects.toThrow('git could not compare the work tree with its start')
})
