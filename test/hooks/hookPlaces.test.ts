import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandRequest, CommandResult } from '../../src/contracts/commands.ts'
import { RunError } from '../../src/contracts/errors.ts'
import type { HookSettings } from '../../src/contracts/settings.ts'
import type { HookOptions } from '../../src/hooks/Hooks.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { createTestHooks, hookedCall } from '../helpers/tools/testHooks.ts'

const STREAM = { text: '', bytes: 0, isTruncated: false }
const ENDED: CommandResult = {
  ...{ exitCode: 0, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1, durationMs: 1 },
  ...{ stdout: STREAM, stderr: STREAM },
}
const bash = hookedCall('Bash', { command: 'ls' })
const shell = (command: string): HookSettings => ({ type: 'command', command })
const GUARD = shell('/usr/bin/guard --strict')
const OWN = shell('sh hooks/own.sh')

/** A project with a hook script, and hooks whose processes are not started but noted, with the place they start in. */
function place(parts: Partial<HookOptions> = {}, hook: HookSettings = GUARD) {
  const base = makeFiles({ 'project/hooks/own.sh': 'exit 0', 'run/': '' })
  const [cwd, folder] = [join(base, 'project'), join(base, 'run')]
  const started: (Pick<CommandRequest, 'cwd' | 'args'> & { readonly where: string })[] = []
  const starter = (where: string) => async (request: CommandRequest) => {
    started.push({ where, cwd: request.cwd, args: request.args })
    return ENDED
  }
  const kit = createTestHooks(
    { PreToolUse: [{ hooks: [hook] }] },
    { cwd, checkout: [cwd], folder, runInside: starter('inside'), runOutside: starter('outside'), ...parts },
  )
  const occur = () => kit.hooks.preToolUse(bash, kit.signal)
  return { ...kit, cwd, folder, started, starter, occur }
}

describe('where a hook of the policy starts', () => {
  it('outside the sandbox in an empty folder, if it holds nothing of the checkout', async () => {
    const { occur, started, folder } = place()
    await occur()
    expect(started).toMatchObject([{ where: 'outside', cwd: join(folder, 'empty') }])
    expect(readdirSync(join(folder, 'empty'))).toEqual([])
  })

  it('outside in its own folder, if that is a snapshot and no part of the checkout', async () => {
    const { occur, started, cwd } = place({ checkout: [makeFolder()] })
    await occur()
    expect(started).toMatchObject([{ where: 'outside', cwd }])
  })

  it('never in one of several folders of the checkout', async () => {
    const base = makeFolder()
    const { occur, started, folder } = place({ cwd: base, checkout: [makeFolder(), base] })
    await occur()
    expect(started).toMatchObject([{ where: 'outside', cwd: join(folder, 'empty') }])
  })

  it('inside the sandbox in the project, as a copy from the start, if it is a script of the checkout', async () => {
    const { occur, started, cwd, folder } = place({}, OWN)
    await occur()
    const copy = join(folder, 'scripts', '0', 'hooks', 'own.sh')
    expect(started).toMatchObject([{ where: 'inside', cwd, args: expect.arrayContaining([`sh '${copy}'`]) }])
  })

  it('nowhere without a sandbox, if it is a script of the checkout', async () => {
    const { occur, started } = place({ runInside: undefined }, OWN)
    expect(await occur()).toMatchObject({
      ...{ decision: 'deny', isFailure: true },
      reason: expect.stringContaining('what it runs is in the checkout, and there is no sandbox to run it in'),
    })
    expect(started).toEqual([])
  })

  it('says of a script that is copied alone that it is, without secrets', () => {
    const base = makeFiles({ 'top.sh': 'exit 0', large: Buffer.alloc(11 * 1024 * 1024) })
    const redact = (text: string) => text.replaceAll('top', '***')
    const { events } = place({ cwd: base, checkout: [base], redact }, shell('sh top.sh'))
    expect(events).toEqual([
      {
        ...{ type: 'system', subtype: 'warning', code: 'hook_script' },
        message: expect.stringContaining('***.sh is copied without the files beside it'),
      },
    ])
  })
})

describe('hooks of the repository', () => {
  const project = (starter: HookOptions['runInside'], hook: HookSettings, parts: object = {}) => ({
    project: {
      ...{ table: { PreToolUse: [{ hooks: [] }, { hooks: [hook] }] }, runInside: starter, env: { TOKEN: 'theirs' } },
      ...{ fetch: () => Promise.reject(new Error('not for hooks of the repository')), ...parts },
    },
  })

  it('start in their own sandbox, also where the same line of the policy would start outside', async () => {
    const { starter, started } = place()
    const kit = place(project(starter('theirs'), shell('/usr/bin/other')))
    await kit.occur()
    expect(kit.started.map(({ where }) => where)).toEqual(['outside'])
    expect(started.map(({ where }) => where)).toEqual(['theirs'])
  })

  it('start nowhere, if theirs may not start', async () => {
    const kit = place(project(undefined, shell('/usr/bin/other')))
    expect(await kit.occur()).toMatchObject({ decision: 'deny', reason: expect.stringContaining('no sandbox') })
  })

  it('fetch by their own means alone', async () => {
    const kit = place(project(undefined, { type: 'http', url: 'http://127.0.0.1:1/' }))
    expect(await kit.occur()).toMatchObject({ reason: expect.stringContaining('not for hooks of the repository') })
  })

  it('are listed behind those of the policy, redacted, and count as registered', () => {
    const { starter } = place()
    const parts = project(starter('theirs'), shell('/usr/bin/other s3cret'))
    const kit = place({ ...parts, redact: (text) => text.replaceAll('s3cret', '***') })
    expect(kit.hooks.list()).toEqual([
      { event: 'PreToolUse', hook: '/usr/bin/guard --strict' },
      { event: 'PreToolUse', hook: '/usr/bin/other ***' },
    ])
    expect([kit.hooks.has('PreToolUse'), kit.hooks.has('Stop')]).toEqual([true, false])
    const theirs = createTestHooks({ Stop: [{ hooks: [] }] }, parts)
    expect([theirs.hooks.has('PreToolUse'), theirs.hooks.has('Stop')]).toEqual([true, false])
  })
})

describe('the end of the run', () => {
  const ending = { decision: 'deny', isFailure: true, reason: expect.stringContaining('the run was ending') }

  it('starts no hook any more', async () => {
    const { hooks, started } = place()
    expect(await hooks.preToolUse(bash, AbortSignal.abort())).toMatchObject(ending)
    expect(started).toEqual([])
  })

  it('waits for no hook that ignores it', async () => {
    const end = new AbortController()
    const { hooks, events } = place({ runOutside: () => new Promise(() => end.abort()) })
    expect(await hooks.preToolUse(bash, end.signal)).toMatchObject(ending)
    expect(events).toMatchObject([{ type: 'system', subtype: 'hook', outcome: 'failed' }])
  })
})

it('a hook that cannot be run at all is a failure, with the error', async () => {
  const { occur, events } = place({ runOutside: () => Promise.reject(new Error('EMFILE')) })
  expect(await occur()).toMatchObject({ decision: 'deny', isFailure: true, reason: expect.stringContaining('EMFILE') })
  expect(events).toHaveLength(1)
})

it('the rule in `if` is asked about the call', async () => {
  const asked: unknown[] = []
  const matchesRule: HookOptions['matchesRule'] = (rule, call) => {
    asked.push([rule, call])
    return false
  }
  const { occur, started } = place({ matchesRule }, { ...GUARD, if: 'Bash(git *)' } as HookSettings)
  expect(await occur()).toMatchObject({ decision: 'none' })
  expect([asked, started]).toEqual([[['Bash(git *)', bash.call]], []])
})

it('each answer has its outcome, its words and its time in the record', async () => {
  const say =
    (answer: object): HookOptions['runOutside'] =>
    async (request) => {
      request.onOutput?.(JSON.stringify(answer), 'stdout')
      return ENDED
    }
  const of = async (answer: object) => {
    const { occur, events } = place({ runOutside: say(answer) })
    await occur()
    for (const event of events)
      if (event.type === 'system' && 'outcome' in event) expect(event.duration_ms).toBeLessThan(60_000)
    return events
  }
  const decided = (permissionDecision: string) =>
    of({ hookSpecificOutput: { permissionDecision, permissionDecisionReason: 'so' } })
  expect(await decided('allow')).toMatchObject([{ type: 'system', outcome: 'allowed', detail: 'so' }])
  expect(await decided('ask')).toMatchObject([{ outcome: 'asked' }])
  expect(await of({})).toMatchObject([{ outcome: 'ok' }])
  expect(await of({ continue: false, stopReason: 'enough' })).toMatchObject([{ outcome: 'blocked', detail: 'enough' }])
  expect(await of({ systemMessage: 'cold' })).toMatchObject([
    {},
    { type: 'system', code: 'hook_message', message: 'PreToolUse hook /usr/bin/guard --strict: cold' },
  ])
})

it('a bad matcher is an error of the configuration, with its cause', () => {
  const attempt = () => createTestHooks({ Stop: [{ matcher: '(a', hooks: [] }] })
  expect(attempt).toThrow(RunError)
  const message = 'hooks.Stop: the matcher "(a" is not a regular expression'
  expect(attempt).toThrow(expect.objectContaining({ reason: 'config', message, cause: expect.any(SyntaxError) }))
})
