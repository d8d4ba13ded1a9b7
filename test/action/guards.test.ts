import { describe, expect, it } from 'vitest'
import { type Mutation, mutatedAction } from '../helpers/github/mutatedAction.ts'
import { pullRequest, strangersComment } from '../helpers/github/reviewRuns.ts'

/** Each guard switched off once, in a copy: the scenario that stands for it must then fail. */
const GUARDS: readonly (Mutation & {
  readonly name: string
  readonly scenario: (action?: string) => Promise<unknown>
})[] = [
  {
    name: 'the actor gate',
    file: 'src/entry/runAction.ts',
    from: 'if (!trust.isGated) return',
    to: 'if (trust) return',
    scenario: strangersComment,
  },
  {
    name: 'the configuration of the base commit',
    file: 'src/entry/runAction.ts',
    from: '?? baseCommitOf(event)',
    to: '?? (baseCommitOf(event), undefined)',
    scenario: pullRequest,
  },
  {
    name: 'the encoder',
    file: 'src/report/markdown/encodeUntrusted.ts',
    from: 'return visible(text)',
    to: 'if (text) return `${text}\\n`\n  return visible(text)',
    scenario: pullRequest,
  },
]

describe('the tests of the action fail without', { tags: 'long' }, () => {
  it.each(GUARDS)('$name', async ({ scenario, ...mutation }) => {
    const action = mutatedAction(mutation)
    await expect(scenario(action)).rejects.toThrow(/^expected/)
  })
})
