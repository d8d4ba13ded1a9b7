import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { StampedEntry } from '../../../src/git/repository/gitIndex.ts'
import { treeState } from '../../../src/git/states/treeState.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const OID = 'a'.repeat(40)

function place() {
  const top = makeFolder()
  const stored: string[] = []
  const putBlob = (content: Uint8Array) => `blob of ${stored[stored.push(Buffer.from(content).toString()) - 1]}`
  const look = async (known: Readonly<Record<string, Partial<StampedEntry>>> = {}, folder = top) => {
    const entries = Object.entries(known).map(
      ([name, entry]) => [name, { mode: '100644', oid: OID, ...entry }] as const,
    )
    const state = await treeState({ top, folder, known: new Map(entries as never), objects: { putBlob } })
    return Object.fromEntries(state)
  }
  const write = (name: string, text = name, mode = 0o644) => {
    mkdirSync(join(top, name, '..'), { recursive: true })
    writeFileSync(join(top, name), text)
    chmodSync(join(top, name), mode)
  }
  /** As git's index has it. */
  const stampOf = (name: string) => {
    const { ctimeNs, mtimeNs, ino, size } = lstatSync(join(top, name), { bigint: true })
    const second = 1_000_000_000n
    const parts = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second, ino, size]
    return parts.map((part) => part & 0xffff_ffffn).join(' ')
  }
  return { top, stored, look, write, stampOf, at: (name: string) => join(top, name) }
}

/** Until the clock is so far from what was just written that its times count. */
async function settle(path: string): Promise<void> {
  const { ctimeMs } = lstatSync(path)
  await expect.poll(() => Date.now() - ctimeMs, { interval: 5 }).toBeGreaterThan(51)
}

describe('the state of files', () => {
  it('has the mode and the content of each, links included, and a stamp where their times are settled', async () => {
    const { look, write, stampOf, at, stored } = place()
    write('a')
    write('d/run', 'run', 0o755)
    symlinkSync('../a', at('d/link'))
    await settle(at('d/link'))
    expect(await look()).toEqual({
      a: { mode: '100644', oid: 'blob of a', stamp: stampOf('a') },
      'd/run': { mode: '100755', oid: 'blob of run', stamp: stampOf('d/run') },
      'd/link': { mode: '120000', oid: 'blob of ../a', stamp: stampOf('d/link') },
    })
    expect(stored.toSorted()).toEqual(['../a', 'a', 'run'])
  })

  it('has no stamp for what was written a moment ago: it may change again with the same time', async () => {
    const { look, write } = place()
    // The clock stands still: on a busy machine the moment may be over.
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    write('a')
    expect(await look()).toEqual({ a: { mode: '100644', oid: 'blob of a', stamp: undefined } })
  })

  it('keeps what is known of a file with the same times and mode, without reading it', async () => {
    const { look, write, stampOf, stored, at } = place()
    write('a')
    symlinkSync('a', at('l'))
    const known = { a: { stamp: stampOf('a') }, l: { stamp: stampOf('l'), mode: '120000' } }
    expect(await look(known)).toMatchObject({ a: { oid: OID }, l: { oid: OID } })
    expect(stored).toEqual([])
  })

  it.each<[string, Partial<StampedEntry>]>([
    ['other times', { stamp: '1 2 3 4 5 6' }],
    ['no times', {}],
    ['another mode', { mode: '100755' }],
  ])('reads a file again that is known with %s', async (_, change) => {
    const { look, write, stampOf } = place()
    write('a')
    const stamp = _ === 'another mode' ? { stamp: stampOf('a') } : {}
    expect(await look({ a: { ...stamp, ...change } })).toMatchObject({ a: { mode: '100644', oid: 'blob of a' } })
  })

  it('is that of one folder and below; the rest stays as it is known', async () => {
    const { look, write, at } = place()
    for (const name of ['d/a', 'd2/b', 'c']) write(name)
    const known = { 'd/gone': {}, 'd/a': {}, d2: {}, 'd2/b': {}, c: {} }
    expect(await look(known, at('d'))).toMatchObject({
      ...{ 'd/a': { oid: 'blob of d/a' }, d2: { oid: OID }, 'd2/b': { oid: OID }, c: { oid: OID } },
    })
    expect(Object.keys(await look(known, at('d'))).toSorted()).toEqual(['c', 'd/a', 'd2', 'd2/b'])
  })

  it('keeps what is known of a file that cannot be stored', async () => {
    const { top, write } = place()
    write('a')
    const putBlob = () => {
      throw new Error('EIO')
    }
    const known = new Map([['a', { mode: '100644', oid: OID, stamp: undefined }]]) as never
    const options = { top, folder: top, objects: { putBlob } }
    expect(Object.fromEntries(await treeState({ ...options, known }))).toMatchObject({ a: { oid: OID } })
    expect(Object.fromEntries(await treeState({ ...options, known: new Map() }))).toEqual({})
  })
})

describe('a submodule', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, encoding: 'utf8' }).trim()

  it('has the commit that is checked out in it', async () => {
    const { look, at } = place()
    mkdirSync(at('lib'))
    git(at('lib'), 'init', '-q')
    git(at('lib'), 'commit', '-q', '--allow-empty', '-m', 'one')
    const oid = git(at('lib'), 'rev-parse', 'HEAD')
    expect(await look({ lib: { mode: '160000' } })).toMatchObject({ lib: { mode: '160000', oid } })
  })

  it('keeps its commit where none is checked out, or only the repository around it is one', async () => {
    const { look, at, top } = place()
    git(top, 'init', '-q')
    git(top, 'commit', '-q', '--allow-empty', '-m', 'outer')
    mkdirSync(at('empty'))
    mkdirSync(at('unborn'))
    git(at('unborn'), 'init', '-q')
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
