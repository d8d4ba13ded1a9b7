import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeModes, hasBubblewrap, needsBubblewrap } from '../../helpers/bubblewrap.ts'
import { bash, playRun } from '../../helpers/runs/playRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const FILES = {
  'server.mjs': readFileSync(join(import.meta.dirname, '../../helpers/stubMcp.mjs'), 'utf8'),
  'src/a': 'a\n',
  'docs/a': 'a\n',
}

/** A server that lies in the checkout; `atEnd` is what it does when its input is closed. */
const policyOf = (mode: string, atEnd = '') => ({
  sandbox: { mode },
  permissions: { presets: ['read-only'], allow: ['Edit(src/**)', 'mcp__files', 'Bash(mkdir *)'] },
  mcpServers: { files: { command: process.execPath, args: ['server.mjs', 'write', atEnd] } },
})

const write = (script: string) => ({ name: 'mcp__files__write', input: { script } })

describeModes('an MCP server that writes the checkout', (mode) => {
  it('keeps what an Edit rule covers, and puts back the rest after the call', { tags: 'long' }, async () => {
    const run = await playRun([write('echo b > src/a; echo b > docs/a; echo b > docs/new; chmod 600 docs')], {
      policy: policyOf(mode),
      files: FILES,
    })
    expect(treeOf(run.project)).toMatchObject({ 'src/a': 'b\n', 'docs/a': 'a\n' })
    expect(Object.keys(treeOf(run.project))).not.toContain('docs/new')
    expect(run.told[0]).toContain('ran')
    const said = JSON.stringify(run.api.requests.at(-1)?.body.messages)
    expect(said).toMatch(/Put back what an MCP server changed: .*docs\/a \(modified\).*no Edit rule covers it/)
    expect(run.result().permission_denials).toMatchObject([{ tool_name: 'mcp__files__write' }])
    expect(run.result().changes).toMatchObject([{ path: 'src/a', by: ['an MCP server'] }])
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
    expect(run.code, run.stderr).toBe(0)
  })

  it('puts back what it changes when it is told to end, and warns of it', { tags: 'long' }, async () => {
    const run = await playRun([{ name: 'LS', input: { path: '.' } }], {
      policy: policyOf(mode, 'echo b > src/a; echo b > docs/a'),
      files: FILES,
    })
    expect(treeOf(run.project)).toMatchObject({ 'src/a': 'b\n', 'docs/a': 'a\n' })
    expect(run.records).toContainEqual(
      expect.objectContaining({
        subtype: 'warning',
        code: 'put_back',
        message: expect.stringMatching(/^Put back what an MCP server changed: docs\/a \(modified\)/),
      }),
    )
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
  })
})

const WATCHED = 'while a server is watched, commands still work on views, and their changes are not the server’s'
it.skipIf(!hasBubblewrap)(`${WATCHED}${needsBubblewrap}`, { tags: 'long' }, async () => {
  const run = await playRun([bash('mkdir src/made docs/made')], { policy: policyOf('required'), files: FILES })
  expect(run.told[0]).toContain('Not kept: docs/made (new)')
  expect(Object.keys(treeOf(run.project)).filter((path) => path.endsWith('made'))).toEqual(['src/made'])
  expect(run.result().permission_denials).toHaveLength(1)
})
