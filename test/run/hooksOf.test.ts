import { describe, expect, it } from 'vitest'
import type { CanUseTool, HookFunctions, PermissionResult } from '../../src/contracts/callbacks.ts'
import type { HookTable } from '../../src/contracts/settings.ts'
import { hooksOf } from '../../src/run/hooksOf.ts'
import type { RunRequest } from '../../src/run/RunRequest.ts'

const OWN: HookTable = { Stop: [{ hooks: [{ type: 'command', command: 'own' }] }] }

function tableOf(given: { readonly hooks?: object; readonly canUseTool?: CanUseTool }): HookTable {
  const policy = { settings: { hooks: OWN } }
  return hooksOf({ policy, config: { limits: { timeoutMs: 90_000 } }, ...given } as unknown as RunRequest)
}

/** What the hook of `canUseTool` says, call after call. */
async function ask(answers: readonly unknown[], input: object = { command: 'ls' }, more: object = {}) {
  const asked: unknown[] = []
  const left = [...answers]
  const canUseTool: CanUseTool = (...words) => {
    asked.push(words)
    return left.shift() as PermissionResult
  }
  const [group] = tableOf({ canUseTool }).PermissionRequest ?? []
  const [hook] = group?.hooks ?? []
  if (hook?.type !== 'function') throw new Error('no function')
  const { signal } = new AbortController()
  const said: unknown[] = []
  for (const _ of answers)
    said.push(await hook.call({ tool_name: 'Bash', tool_input: input, ...more } as never, 'toolu_1', { signal }))
  return { said, asked, hook, signal }
}

const decided = (decision: object, more = {}) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  ...more,
})

describe('the hooks of a run', () => {
  it('are those of the policy, then those of the caller', () => {
    const guard = () => undefined
    const loose = (
      () => () =>
        undefined
    )()
    expect(tableOf({})).toBe(OWN)
    const hooks = {
      Stop: [{ hooks: [guard] }],
      PreToolUse: [{ matcher: 'Bash', timeout: 5, onError: 'deny', hooks: [loose] }],
    }
    expect(tableOf({ hooks })).toEqual({
      Stop: [...(OWN.Stop ?? []), { hooks: [{ type: 'function', name: 'function guard', call: guard }] }],
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [{ type: 'function', name: 'function for PreToolUse', call: loose, timeout: 5, onError: 'deny' }],
        },
      ],
    })
  })

  it('are refused for an event that does not exist: a guard that never runs guards nothing', () => {
    const hooks = { PreTool: [] } as unknown as HookFunctions
    expect(() => tableOf({ hooks })).toThrow(
      expect.objectContaining({
        reason: 'config',
        message: expect.stringMatching(/^hooks\.PreTool: there is no such event\. Events: .*PreToolUse/),
      }),
    )
  })
})

describe('canUseTool', () => {
  it('is asked where a PermissionRequest hook would be, as long as the run may take', async () => {
    const { hook, asked, signal } = await ask(
      [{ behavior: 'deny', message: 'no' }],
      { command: 'ls' },
      { agent_id: 'a1' },
    )
    expect(hook).toMatchObject({ name: 'canUseTool', timeout: 90 })
    expect(asked).toEqual([['Bash', { command: 'ls' }, { signal, toolUseID: 'toolu_1', agentID: 'a1' }]])
    expect(tableOf({ canUseTool: () => ({ behavior: 'allow' }) }).Stop).toEqual(OWN.Stop)
  })

  const no = { behavior: 'deny', message: 'no' }
  const stop = { behavior: 'deny', message: 'stop', interrupt: true }
  const yes = { behavior: 'allow' }
  const edit = (command: string) => ({ ...yes, updatedInput: { command } })
  const rules = (...updatedPermissions: object[]) => ({ ...yes, updatedPermissions })
  const rule = rules({ type: 'addRules' })
  const told = decided(yes, { systemMessage: 'updatedPermissions has no effect: rules belong to the policy' })
  it.each([
    ['denies in its words, and may end the run', [no, stop], [decided(no), decided(stop)]],
    ['allows', [yes], [decided(yes)]],
    ['edits only where the input is another', [edit('ls'), edit('pwd')], [decided(yes), decided(edit('pwd'))]],
    ['adds no rule, and that is said once', [rules(), rule, rule], [decided(yes), told, decided(yes)]],
  ])('%s', async (_, answers, expected) => {
    const { said, asked } = await ask(answers)
    expect(said).toStrictEqual(expected)
    expect(asked).toHaveLength(answers.length)
  })

  it('that answers nothing fails, which denies', async () => {
    await expect(ask([undefined])).rejects.toThrow('canUseTool answered nothing')
  })
})
