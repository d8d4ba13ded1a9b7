import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseOutputs } from '../../src/lib/proposedOutput.ts'
import { commitAll } from '../helpers/git.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { type CliRun, runCli } from '../helpers/runs/cliRun.ts'

const POLICY = `version: 1
permissions: { presets: [read-only], allow: ["Edit(src/**)"] }
outputs:
  comment: { max: 1 }
  label: { max: 2, allow: [bug, "area/*"] }
  pull_request: { max: 1 }
`

async function propose(outputs: readonly object[], policy = POLICY): Promise<CliRun> {
  const turns = [
    { tools: [{ name: 'Write', input: { file_path: 'src/a.txt', content: 'new\n' } }] },
    ...(outputs.length === 0
      ? []
      : [{ tools: outputs.map((output) => ({ name: 'ProposeOutput', input: { output } })) }]),
    { tool: 'Finish', input: { status: 'completed', summary: 'done' } },
  ]
  const replay = join(makeFolder(), 'replay.yml')
  writeFileSync(replay, JSON.stringify(turns))
  return runCli(['--replay', replay, 'go'], {
    policy,
    files: { 'README.md': 'x\n' },
    env: { NPM_TOKEN: 'npm-secret-0123456789' },
    prepare(project) {
      commitAll(project)
    },
  })
}

function fileOf(run: CliRun): string {
  return join(run.base, `${run.result().session_id}-outputs.jsonl`)
}

describe('declared outputs', () => {
  it('are written redacted, with the changes of the run', async () => {
    const run = await propose([
      { kind: 'comment', body: 'Fixed. The token is npm-secret-0123456789.' },
      { kind: 'label', labels: ['bug', 'area/prices'] },
      { kind: 'pull_request', title: 'Fix prices', body: 'As said.' },
    ])
    expect(run.code).toBe(0)
    const { outputs, diff } = parseOutputs(readFileSync(fileOf(run), 'utf8'))
    expect(outputs).toMatchObject([
      { kind: 'comment', body: 'Fixed. The token is [REDACTED:NPM_TOKEN].' },
      { kind: 'label', labels: ['bug', 'area/prices'] },
      { kind: 'pull_request', title: 'Fix prices' },
    ])
    expect(diff?.patch).toContain('+new')
    expect(statSync(fileOf(run)).mode & 0o777).toBe(0o600)
    expect(run.records.filter((record) => 'subtype' in record && record.subtype === 'output_proposed')).toHaveLength(3)
    const [task] = run.records.filter(({ type }) => type === 'user')
    expect(JSON.stringify(task)).toContain('label: at most 2, only bug, area/*')
  })
})
