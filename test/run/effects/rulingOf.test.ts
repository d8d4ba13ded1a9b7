import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Behavior, PermissionMode } from '../../../src/contracts/decision.ts'
import { rulingOf } from '../../../src/run/effects/rulingOf.ts'
import { HOME, PROJECT, policyOf } from '../../helpers/policy/policyCalls.ts'

type Row = readonly [string, { readonly mode?: PermissionMode; readonly isAudit?: true }, Behavior]

const FREE: readonly { readonly mode?: PermissionMode; readonly isAudit?: true }[] = [
  { mode: 'acceptEdits' },
  { mode: 'auto' },
  { isAudit: true },
]

const ROWS: readonly Row[] = [
  // Rules decide in every mode.
  ['src/a', {}, 'allow'],
  ['other', {}, 'ask'],
  ['other', { mode: 'dontAsk' }, 'ask'],
  ['src/no', {}, 'deny'],
  // What lets a tool edit without a rule lets a command: it would be told that it may write, and find it undone.
  ...FREE.map((given): Row => ['other', given, 'allow']),
  // But never what a rule refuses, what is protected, or what lies elsewhere.
  ...FREE.map((given): Row => ['src/no', given, 'deny']),
  ...FREE.map((given): Row => ['asked', given, 'ask']),
  ...FREE.map((given): Row => ['.github/workflows/a.yml', given, 'ask']),
  ...FREE.map((given): Row => ['../elsewhere', given, 'ask']),
]

describe('rulingOf', () => {
  it.each(ROWS)('%s, %j: %s', async (path, { mode = 'default', isAudit = false }, behavior) => {
    const policy = await policyOf({ allow: ['Edit(src/**)'], deny: ['Edit(src/no)'], ask: ['Edit(asked)'] })
    const place = { policy, mode, cwd: PROJECT, home: HOME, isAudit }
    expect(rulingOf(place, join(PROJECT, path)).behavior).toBe(behavior)
  })

  it('names the rule', async () => {
    const policy = await policyOf({ deny: ['Edit(src/no)'] })
    const ruling = rulingOf({ policy, mode: 'auto', cwd: PROJECT, home: HOME, isAudit: false }, join(PROJECT, 'src/no'))
    expect(ruling.rule).toMatchObject({ list: 'deny', text: 'Edit(src/no)' })
  })
})
