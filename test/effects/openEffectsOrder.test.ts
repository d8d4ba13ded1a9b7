import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { CommandRequest, CommandResult } from '../../src/contracts/commands.ts'
import type { CommandEffects, EffectsReport } from '../../src/contracts/effects.ts'
import { type EffectsOptions, openEffects } from '../../src/effects/openEffects.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'order-test-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const NOTHING = { text: '', bytes: 0, isTruncated: false }
const DONE: CommandResult = {
  ...{ exitCode: 0, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1, durationMs: 1 },
  ...{ stdout: NOTHING, stderr: NOTHING },
}
const WATCHED: EffectsReport = { state: 'watched', kept: [], scratch: {}, leftOut: [], undone: [] }

/** Transactions whose commands do nothing; what happens is in `log`. */
function open(change: Partial<EffectsOptions> = {}) {
  const log: string[] = []
  const root = mkdtempSync(join(base, 'checkout-'))
  mkdirSync(join(root, 'src'))
  const effects = openEffects({
    roots: [root],
    views: undefined,
    isReadOnlyEnforced: false,
    state: join(base, 'state'),
    start: async ({ file }, checkout) => {
      log.push(`${file} on ${checkout.kind}`)
      return DONE
    },
    judge: () => Promise.reject(new Error('there is nothing to judge')),
    account: { before: () => undefined, after: () => undefined },
    watch: async ({ by }) => {
      log.push(`watch ${by}`)
      return {
        look: async () => WATCHED,
        settle: async () => {
          log.push(`settle ${by}`)
          return WATCHED
        },
      }
    },
    directFolders: () => [],
    ...change,
  })
  const run = (file: string, access?: CommandEffects['access']) => {
    const allowed = access && { effects: { access, mayChangeGit: false, by: file } }
    const request = { file, args: [], cwd: root, timeoutMs: 1, signal: new AbortController().signal, ...allowed }
    return effects.run(request satisfies CommandRequest)
  }
  return { run, log, effects }
}

describe('openEffects: what a command works on', () => {
  it.each([
    ['write', undefined, ['watch x', 'x on direct', 'settle x']],
    ['scratch', undefined, ['watch x', 'x on direct', 'settle x']],
    ['direct', undefined, ['watch x', 'x on direct', 'settle x']],
    ['read', undefined, ['watch x', 'x on direct', 'settle x']],
    ['read', { isReadOnlyEnforced: true }, ['x on readOnly']],
    [undefined, { isReadOnlyEnforced: true }, ['x on readOnly']],
    ['write', { views: { folder: base, tar: '/usr/bin/tar' } }, ['x on view']],
    ['direct', { views: { folder: base, tar: '/usr/bin/tar' } }, ['watch x', 'x on direct', 'settle x']],
  ] as const)('%s, with %j: %j', async (access, change, expected) => {
    const { run, log } = open(change)
    await run('x', access)
    expect(log).toEqual(expected)
  })

  it('returns the report of the watch, and none if nothing could change', async () => {
    expect((await open().run('x', 'write')).effects).toEqual(WATCHED)
    expect((await open({ isReadOnlyEnforced: true }).run('x', 'read')).effects).toBeUndefined()
  })

  it('settles one command before the next starts, even after a failure', async () => {
    let count = 0
    const { run, log } = open({
      watch: async ({ by }) => {
        if (count++ === 0) throw new Error('the disk is gone')
        return { look: async () => WATCHED, settle: async () => ({ ...WATCHED, unknown: by }) }
      },
    })
    const results = await Promise.all([run('first', 'write'), run('second', 'write')])
    expect(results.map(({ startError, effects }) => startError ?? effects?.unknown)).toEqual([
      'the disk is gone',
      'second',
    ])
    expect(log).toEqual(['second on direct'])
  })

  it('reports that the view could not be created, unless the command was aborted before', async () => {
    const views = { folder: base, tar: '/usr/bin/tar' }
    const ending = (end: Partial<CommandResult>) =>
      open({ views, start: async () => ({ ...DONE, ...end }) }).run('x', 'write')
    const stderr = { ...NOTHING, text: 'mount: no\n' }
    expect((await ending({ exitCode: 32, stderr })).startError).toBe(
      'the view of the checkout could not be created: mount: no',
    )
    expect(await ending({ isAborted: true })).toMatchObject({ isAborted: true, effects: { kept: [], undone: [] } })
    expect((await ending({ startError: 'no bwrap' })).startError).toBe('no bwrap')
  })

  it('does not start a command without a place for its view', async () => {
    const { run, log } = open({ views: { folder: join(base, 'gone'), tar: '/usr/bin/tar' } })
    expect((await run('x', 'write')).startError).toContain('ENOENT')
    expect(log).toEqual([])
  })

  it('closes after all commands are settled', async () => {
    const { run, log, effects } = open()
    void run('x', 'write')
    await effects.close()
    expect(log.at(-1)).toBe('settle x')
  })
})
