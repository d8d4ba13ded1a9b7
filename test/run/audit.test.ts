import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foldReport } from '../../src/report/fold/foldReport.ts'
import { renderHtml } from '../../src/report/html/renderHtml.ts'
import { sandboxProblem } from '../faults/machine.ts'
import { bash, playRun, write } from '../helpers/runs/playRun.ts'

const problem = sandboxProblem()
const policyOf = (more: object = {}) => ({
  permissions: { presets: ['read-only'], deny: ['Bash(touch forbidden)'], ask: ['Bash(touch asked)'] },
  ...more,
})
const args = ['--audit']

describe.skipIf(problem !== undefined)(`--audit${problem === undefined ? '' : ` (skipped: ${problem})`}`, () => {
  it('runs calls that only lack a rule, in the sandbox, and names that rule', { tags: 'long' }, async () => {
    const lines = [
      ...['touch made && touch ../escaped', 'touch made', 'echo x > NOTES; echo x > src.txt; rm src.txt'],
      ...['ls > listed', 'touch forbidden', 'touch asked'],
    ]
    const writes = [write('note.md', 'hello'), write('.github/workflows/x.yml', 'on: push')]
    const run = await playRun([...lines.map((line) => bash(line)), ...writes], { args, policy: policyOf() })
    expect(run.code).toBe(0)
    const made = ['made', 'NOTES', 'listed', 'note.md', 'forbidden', 'asked', '.github/workflows/x.yml']
    expect(made.filter((name) => existsSync(join(run.project, name)))).toEqual(made.slice(0, 4))
    expect(existsSync(join(run.base, 'escaped'))).toBe(false)
    expect(run.result().permission_denials.map(({ tool_input }) => Object.values(tool_input)[0])).toEqual([
      'touch forbidden',
      'touch asked',
      '.github/workflows/x.yml',
    ])
    const report = foldReport(run.records)
    expect(report.audited.map(({ tool, suggestion }) => [tool, suggestion])).toEqual([
      ['Bash', 'Edit(./made)'],
      // It only looks at the file that is there: nothing is changed.
      ['Bash', 'Bash(touch made)'],
      ['Bash', 'Bash(rm src.txt), Edit(./NOTES)'],
      // The preset lets these start.
      ['Bash', 'Edit(./listed)'],
      ['Write', expect.stringContaining('Edit(')],
    ])
    expect(run.stderr).toMatch(/Bash\(touch made\) .*, no rule allows it \(--audit\)/)
    expect(readFileSync(run.summary, 'utf8')).toContain('### Not allowed by any rule, run by `--audit`')
    expect(renderHtml([{ name: 'run', report }])).toContain('Not allowed by any rule, run by --audit')
  })

  it("runs a server's call that only lacks a rule, but never a denied one", { tags: 'long' }, async () => {
    const calls = [
      { name: 'mcp__stub__echo', input: { text: 'x' } },
      { name: 'mcp__stub__large', input: { size: 13 } },
    ]
    const stub = readFileSync('test/helpers/stubMcp.mjs', 'utf8')
    const policy = policyOf({
      permissions: { presets: ['read-only'], deny: ['mcp__stub__large'] },
      mcpServers: { stub: { command: 'node', args: ['stub.mjs'] } },
    })
    const run = await playRun(calls, { args, policy, files: { 'stub.mjs': stub } })
    expect([run.code, run.toolResults()[0]]).toEqual([0, expect.stringMatching(/^\[\{"type":"text".*x/)])
    const { permission_denials: denied, suggested } = run.result()
    expect(denied.map(({ tool_name }) => tool_name)).toEqual(['mcp__stub__large'])
    expect(suggested?.rules.map(({ rule }) => rule)).toEqual(['mcp__stub__echo'])
  })

  it('needs the sandbox: without one the run does not start', async () => {
    const off = await playRun([], { args, policy: policyOf({ sandbox: { mode: 'off' } }) })
    expect([off.code, off.stderr]).toEqual([69, expect.stringContaining('--audit')])
    const missing = await playRun([], { args, policy: policyOf(), env: { PATH: '/nowhere' } })
    expect([missing.code, off.api.requests, missing.api.requests]).toEqual([69, [], []])
  })
})
