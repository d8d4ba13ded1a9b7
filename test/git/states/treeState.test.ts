import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TreeEntry } from '../../../src/git/repository/gitObjects.ts'
import { treeState } from '../../../src/git/states/treeState.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

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
