import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { playRun } from '../../helpers/runs/playRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const hasBubblewrap = spawnSync('bwrap', ['--ro-bind', '/', '/', '--proc', '/proc', 'true']).status === 0
const missing = hasBubblewrap ? '' : ' (needs bubblewrap)'

const FILES = { 'src/a': 'a\n', 'docs/a': 'a\n' }
const policyOf = (mode: string) =>
  JSON.stringify({
    version: 1,
    sandbox: { mode },
    permissions: { allow: ['Bash', 'Edit(src/**)', 'ToolSearch'] },
  })
const start = (command: string) => ({ name: 'Bash', input: { command, run_in_background: true } })
const wait = { name: 'BashOutput', input: { bash_id: 'bash_1', block: true } }

describe.each(['required', 'off'])('a background command, sandbox %s', (mode) => {
  const row = it.skipIf(mode === 'required' && !hasBubblewrap)

  row(`is told of at the next call: what no rule covers is put back, the rest is kept${missing}`, async () => {
    const run = await playRun([start('echo b > src/a; echo b > docs/a; echo x > docs/new'), wait, wait], {
      args: ['--tools', 'Bash,BashOutput'],
      policy: policyOf(mode),
      files: FILES,
    })
    expect(treeOf(run.project)).toEqual({ docs: 'folder', src: 'folder', 'src/a': 'b\n', 'docs/a': 'a\n' })
    const said = JSON.stringify(run.api.requests.at(-1)?.body.messages)
    expect(said).toMatch(/Put back what bash_1 changed: .*docs\/a \(modified\).*docs\/new \(new\)/)
    expect(run.result().permission_denials.length).toBeGreaterThan(0)
    expect(run.result().changes).toMatchObject([{ path: 'src/a', by: [expect.stringMatching(/^toolu_/)] }])
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
  })

  row(`that runs until the end of the run leaves nothing that no rule covers${missing}`, { tags: 'long' }, async () => {
    const run = await playRun([start('echo b > docs/a; sleep 1000')], {
      args: ['--tools', 'Bash,BashOutput'],
      policy: policyOf(mode),
      files: FILES,
    })
    expect(treeOf(run.project)['docs/a']).toBe('a\n')
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
    expect(run.code, run.stderr).toBe(0)
  })
})
