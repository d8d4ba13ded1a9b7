import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseRunnerOutput } from '../helpers/github/runnerParser.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { type CliRun, runCli } from '../helpers/runs/cliRun.ts'
import { sampled } from '../helpers/sampled.ts'

type Given = { readonly args?: readonly string[]; readonly checks?: string; readonly env?: Record<string, string> }

/** A run that reports findings of these levels, and says that it is done. */
function report(levels: readonly string[], { args = [], checks = '', env = {} }: Given = {}): Promise<CliRun> {
  const tools = levels.map((severity, at) => ({
    name: 'ReportFinding',
    input: { path: 'src/a.js', line: at + 1, severity, title: `No ${at}: a, b`, message: '100 % wrong\nSee b.' },
  }))
  const end = { tool: 'Finish', input: { status: 'completed', summary: 'Looked.' } }
  const replay = join(makeFolder(), 'replay.yml')
  writeFileSync(replay, JSON.stringify([...(tools.length === 0 ? [] : [{ tools }]), end]))
  const policy = `version: 1\npermissions: { presets: [read-only] }\n${checks}`
  return runCli(['--replay', replay, ...args, 'Look at it'], { policy, env, files: { 'src/a.js': 'a\nb\nc\n' } })
}

describe('the gate of findings', () => {
  it.each<[string, readonly string[], Given, number]>(
    sampled<[string, readonly string[], Given, number]>(
      [
        ['--fail-on-finding and an error', ['error', 'info'], { args: ['--fail-on-finding'] }, 1],
        ['--fail-on-finding and a warning', ['warning'], { args: ['--fail-on-finding'] }, 0],
        ['checks.findings: warning and a warning', ['warning'], { checks: 'checks: { findings: warning }\n' }, 1],
      ],
      0,
    ),
  )('%s', async (_, levels, given, code) => {
    const run = await report(levels, given)
    expect([run.code, run.result().exit_reason]).toEqual([code, code === 0 ? 'completed' : 'findings'])
    expect(run.result().checks).toEqual([])
  })

  it('is in the end record, with the number of findings', { tags: 'long' }, async () => {
    const run = await report(['error', 'warning', 'warning'], { checks: 'checks: { findings: warning }\n' })
    expect(run.result().detail).toBe('The agent reported 1 error and 2 warnings.')
  })
})

it('a finding is an annotation at its line if the command runs on GitHub, and only there', {
  tags: 'long',
}, async () => {
  const run = await report(['error', 'info'], { env: { GITHUB_ACTIONS: 'true' } })
  const lines = run.stderr.split('\n').filter((line) => /^::(?:error|warning|notice) /.test(line))
  expect(lines).toEqual([
    '::error file=src/a.js,line=1,title=No 0%3A a%2C b::100 %25 wrong%0ASee b.',
    '::notice file=src/a.js,line=2,title=No 1%3A a%2C b::100 %25 wrong%0ASee b.',
  ])
  expect(parseRunnerOutput(run.stdout)).toEqual([])
  expect((await report(['error'])).stderr).not.toContain('::error')
})
