import { describe, expect, it } from 'vitest'
import { call, serveTurns, textsOf } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'
import { bash, finish, policyOf, says } from '../../helpers/runs/hookRuns.ts'
import { stubHook } from '../../helpers/tools/testHooks.ts'

describe('output of hooks is redacted', () => {
  it('before it reaches the model and the records', { tags: 'long' }, async () => {
    const canary = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const server = await serveTurns(
      { canaries: [canary] },
      bash('ls'),
      call('Read', { file_path: 'a.txt' }),
      { say: 'done' },
      finish(),
    )
    const reveal = (fields: object) => ({ hooks: [says(fields)] })
    const run = await runCli(['x'], {
      server,
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
    expect(textsOf(server.requests[0])).toContain('the key is [REDACTED:DEPLOY_TOKEN]')
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain(canary.slice(0, 12))
    expect(JSON.stringify(run.records)).not.toContain(canary.slice(0, 16))
    expect(run.stderr + run.stdout).not.toContain(canary.slice(0, 16))
  })
})
