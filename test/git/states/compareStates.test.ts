import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGitRunner, makeOwnGitDir, type RunGit } from '../../../src/git/own/ownGit.ts'
import { openObjects, type TreeEntry } from '../../../src/git/repository/gitObjects.ts'
import { compareStates, treeState } from '../../../src/git/states/compareStates.ts'
import { nameFromDisk } from '../../../src/lib/fs/diskPath.ts'
import { commitAll, gitAt } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const CAFE = nameFromDisk(Buffer.from([0x63, 0x61, 0x66, 0xe9]))
const BEFORE = { a: '1\n', 'sub/gone': '1\n2\n', [CAFE]: 'x\n', same: 's' }
const NOW = { a: '1\n2\n', 'tab\there "q"': '', bin: '\0\u0001', [CAFE]: 'y\n', same: 's' }
const CHANGES = [
  { path: 'a', status: 'modified', added: 1, removed: 0 },
  { path: 'bin', status: 'added', added: 0, removed: 0 },
  { path: 'caf\\xe9', status: 'modified', added: 1, removed: 1 },
  { path: 'sub/gone', status: 'deleted', added: 0, removed: 2 },
  { path: 'tab\there "q"', status: 'added', added: 0, removed: 0 },
]

/** What the comparison says, and the formats that git was asked for. `fails`: the formats that git cannot write. */
async function compare(before: Record<string, string>, now: Record<string, string>, fails?: string) {
  const folder = makeFolder()
  makeOwnGitDir(folder, undefined)
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

const OID = 'a'.repeat(40)

function place() {
  const top = makeFolder()
  const stored: string[] = []
  const putBlob = (content: Uint8Array) => `blob of ${stored[stored.push(Buffer.from(content).toString()) - 1]}`
  const look = async (known: Readonly<Record<string, Partial<TreeEntry>>> = {}, objects = { putBlob }) => {
    const entries = Object.entries(known).map(
      ([name, entry]) => [name, { mode: '100644', oid: OID, ...entry }] as const,
    )
    return Object.fromEntries(await treeState(top, new Map(entries), objects))
  }
  const write = (name: string, text = name, mode = 0o644) => {
    mkdirSync(join(top, name, '..'), { recursive: true })
    writeFileSync(join(top, name), text)
    chmodSync(join(top, name), mode)
  }
  return { top, look, write, at: (name: string) => join(top, name) }
}

describe('the state of files', () => {
  it('has the mode and the content of each, links included', async () => {
    const { look, write, at } = place()
    write('a')
    write('d/run', 'run', 0o755)
    symlinkSync('../a', at('d/link'))
    expect(await look({ a: { mode: '100755' }, gone: {} })).toEqual({
      a: { mode: '100644', oid: 'blob of a' },
      'd/run': { mode: '100755', oid: 'blob of run' },
      'd/link': { mode: '120000', oid: 'blob of ../a' },
    })
  })

  it('keeps what is known of a file that cannot be stored', async () => {
    const { look, write } = place()
    write('a')
    const putBlob = () => {
      throw new Error('EIO')
    }
    expect(await look({ a: {} }, { putBlob })).toEqual({ a: { mode: '100644', oid: OID } })
    expect(await look({}, { putBlob })).toEqual({})
  })
})

describe('a submodule', () => {
  it('has the commit that is checked out in it', async () => {
    const { look, at } = place()
    mkdirSync(at('lib'))
    const oid = commitAll(at('lib'))('rev-parse', 'HEAD')
    expect(await look({ lib: { mode: '160000' } })).toMatchObject({ lib: { mode: '160000', oid } })
  })

  it('keeps its commit where none is checked out, or only the repository around it is one', async () => {
    const { look, at, top } = place()
    commitAll(top)
    for (const name of ['empty', 'unborn']) mkdirSync(at(name))
    gitAt(at('unborn'))('init', '-q')
    const known = { mode: '160000' }
    const state = await look({ empty: known, unborn: known })
    expect([state['empty']?.oid, state['unborn']?.oid]).toEqual([OID, OID])
  })

  it('is none where a folder took the place of a file', async () => {
    const { look, at } = place()
    mkdirSync(at('a'))
    expect(await look({ a: {} })).toEqual({})
  })
})
