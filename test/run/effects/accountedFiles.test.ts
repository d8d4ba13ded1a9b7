import { describe, expect, it } from 'vitest'
import type { FileAccess } from '../../../src/contracts/files.ts'
import { accountedFiles } from '../../../src/run/effects/accountedFiles.ts'
import { eventsOf } from '../../helpers/runs/hookRuns.ts'
import { bash, playRun, read, write } from '../../helpers/runs/playRun.ts'

const policy = { permissions: { presets: ['read-only'], allow: ['Bash', 'Edit(src/**)'] } }
/** A run that reads a file, writes it and runs a command. */
const play = (command: string) =>
  playRun([read('src/a'), write('src/a', 'b\n'), bash(command)], { policy, files: { 'src/a': 'a\n' } })

describe('accountedFiles', () => {
  it('notes the content before a change and its author after it, unless it failed', async () => {
    const seen: string[] = []
    const account = {
      before: async (path: string) => void seen.push(`before ${path}`),
      after: async (changes: readonly { path: string }[], by: string) =>
        void seen.push(...changes.map(({ path }) => `after ${path} ${by}`)),
      change: async <T>(paths: readonly string[], work: () => Promise<T>) => {
        seen.push(`alone ${paths.join()}`)
        return work()
      },
    }
    const change = async (path: string) => {
      seen.push(`change ${path}`)
      if (path === '/full') throw new Error('no space')
    }
    const files = accountedFiles({ write: change, remove: change } as unknown as FileAccess, account, 'toolu_1')
    await files.write('/a', Buffer.from('x'))
    await files.remove('/b')
    await expect(files.write('/full', Buffer.from('x'))).rejects.toThrow('no space')
    expect(seen).toEqual([
      ...['before /a', 'alone /a', 'change /a', 'after /a toolu_1'],
      ...['before /b', 'alone /b', 'change /b', 'after /b toolu_1'],
      ...['before /full', 'alone /full', 'change /full'],
    ])
  })

  it('the result names the calls that changed a file, tools and commands alike, from the first state to the last', {
    tags: 'long',
  }, async () => {
    const run = await play('echo c >> src/a; echo n > src/new')
    const ids = eventsOf(run, 'tool_intent').map(({ tool_use_id }) => tool_use_id)
    expect(run.result().changes).toEqual([
      { path: 'src/a', status: 'modified', added: 2, removed: 1, by: [ids[1], ids[2]] },
      { path: 'src/new', status: 'added', added: 1, removed: 0, by: [ids[2]] },
    ])
    expect(run.result().patch).toContain('-a\n+b\n+c\n')
  })

  it('a reverted change does not count', { tags: 'long' }, async () => {
    const run = await play('echo a > src/a')
    expect(run.result().changes).toEqual([])
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
  })
})
