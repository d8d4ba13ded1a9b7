import { expect, it } from 'vitest'
import { textsOf } from '../../helpers/model/serveTurns.ts'
import { policyOf, says } from '../../helpers/runs/hookRuns.ts'
import { bash, playRun, read } from '../../helpers/runs/playRun.ts'
import { stubHook } from '../../helpers/tools/testHooks.ts'

it('output of hooks is redacted before it reaches the model and the records', { tags: 'long' }, async () => {
  const canary = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const reveal = (fields: object) => ({ hooks: [says(fields)] })
  const run = await playRun([bash('ls'), read('a.txt'), { say: 'done' }], {
    canaries: [canary],
    files: { 'a.txt': 'hello' },
    env: { DEPLOY_TOKEN: canary },
    policy: policyOf({
      SessionStart: [{ hooks: [stubHook('print', `the key is ${canary}`)] }],
      PreToolUse: [{ matcher: 'Bash', ...reveal({ decision: 'block', reason: `use ${canary}` }) }],
      PostToolUse: [reveal({ decision: 'block', reason: `${'x'.repeat(9_990)}${canary}`, systemMessage: canary })],
      Stop: [reveal({ systemMessage: `bye ${canary}` })],
    }),
  })
  expect(run.code).toBe(0)
  expect(textsOf(run.api.requests[0])).toContain('the key is [REDACTED:DEPLOY_TOKEN]')
  expect(JSON.stringify(run.api.requests.map(({ body }) => body))).not.toContain(canary.slice(0, 12))
  expect(JSON.stringify(run.records) + run.stderr + run.stdout).not.toContain(canary.slice(0, 16))
})
