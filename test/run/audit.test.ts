import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foldReport } from '../../src/report/foldReport.ts'
import { renderHtml } from '../../src/report/html/renderHtml.ts'
import { sandboxProblem } from '../faults/machine.ts'
import { runCli } from '../helpers/cliRun.ts'
import { call, serveTurns } from '../helpers/serveTurns.ts'

const problem = sandboxProblem()
const policyOf = (more: object = {}) =>
  JSON.stringify({
    version: 1,
    permissions: { presets: ['read-only'], deny: ['Bash(touch forbidden)'], ask: ['Bash(touch asked)'] },
    ...more,
  })
const bash = (command: string) => call('Bash', { command })
const finish = call('Finish', { status: 'completed', summary: 'done' })

describe.skipIf(problem !== undefined)(`--audit${problem === undefined ? '' : ` (skipped: ${problem})`}`, () => {
  it('runs what only lacks a rule, in the sandbox, and says which rule that would be', async () => {
    const server = await serveTurns(
      bash('touch made && touch ../escaped'),
      bash('touch made'),
      bash('touch forbidden'),
      bash('touch asked'),
      call('Write', { file_path: 'note.md', content: 'hello' }),
      call('Write', { file_path: '.github/workflows/x.yml', content: 'on: push' }),
      finish,
    )
    const run = await runCli(['x', '--audit'], { server, policy: policyOf() })
    expect(run.code).toBe(0)
    const made = ['made', 'note.md', 'forbidden', 'asked', '.github/workflows/x.yml']
    expect(made.filter((name) => existsSync(join(run.project, name)))).toEqual(['made', 'note.md'])
    expect(existsSync(join(run.base, 'escaped'))).toBe(false)
    expect(run.result().permission_denials.map(({ tool_input }) => Object.values(tool_input)[0])).toEqual([
      'touch forbidden',
      'touch asked',
      '.github/workflows/x.yml',
    ])
    const report = foldReport(run.records)
    expect(report.audited.map(({ tool, suggestion }) => [tool, suggestion])).toEqual([
      ['Bash', expect.stringContaining('Bash(touch made)')],
      ['Bash', 'Bash(touch made)'],
      ['Write', expect.stringContaining('Edit(')],
    ])
    expect(run.stderr).toMatch(/Bash\(touch made\) .*, no rule allows it \(--audit\)/)
    expect(readFileSync(run.summary, 'utf8')).toContain('### Not allowed by any rule, run by `--audit`')
    expect(renderHtml([{ name: 'run', report }])).toContain('Not allowed by any rule, run by --audit')
  })

  it('needs the sandbox: without one the run does not start', async () => {
    const server = await serveTurns()
    const off = await runCli(['x', '--audit'], { server, policy: policyOf({ sandbox: { mode: 'off' } }) })
    expect([off.code, off.stderr]).toEqual([69, expect.stringContaining('--audit')])
    const missing = await runCli(['x', '--audit'], { server, policy: policyOf(), env: { PATH: '/nowhere' } })
    expect(missing.code).toBe(69)
    expect(server.requests).toEqual([])
  })
})
