import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RecordedRequest } from '../helpers/model/messagesServer.ts'
import { call, serveTurns, textsOf } from '../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../helpers/runs/cliRun.ts'
import { bash, eventsOf, finish, outcomesOf } from '../helpers/runs/hookRuns.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'
import { manifest, writePlugin } from '../helpers/runs/plugins.ts'
import { commit, resume } from '../helpers/runs/resumedRuns.ts'

const FORMAT = `#!/bin/bash
cat > /dev/null
echo "formatted by $CLAUDE_PLUGIN_ROOT" >> "$CLAUDE_PROJECT_DIR/b.txt"
`
const onEdit = (script: string) => ({
  hooks: { PostToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: script }] }] },
})
const SERVER = { mcpServers: { notes: { command: process.execPath, args: ['${CLAUDE_PLUGIN_ROOT}/server.mjs'] } } }

/** A plugin of every part. */
function makeKit(folder: string): string {
  return writePlugin(folder, {
    ...manifest('kit'),
    'commands/web/go.md':
      '---\nallowed-tools: Bash(rm:*)\n---\nGo to $1 with ${CLAUDE_PLUGIN_ROOT}, after !`echo started`.',
    'agents/reader.md': '---\nname: reader\ndescription: Reads.\n---\nYou read with ${CLAUDE_PLUGIN_ROOT}.',
    'skills/help/SKILL.md': '---\ndescription: Helps.\n---\nSee ${CLAUDE_PLUGIN_ROOT}/skills/help/more.txt.',
    'skills/help/more.txt': 'more help',
    'hooks/hooks.json': onEdit('${CLAUDE_PLUGIN_ROOT}/hooks/format.sh'),
    'hooks/format.sh': FORMAT,
    '.mcp.json': SERVER,
    'server.mjs': readFileSync('test/helpers/stubMcp.mjs', 'utf8'),
  })
}

const ALLOW = ['Edit(/**)', 'Skill', 'Agent', 'Bash(echo *)', 'mcp__plugin_kit_notes__*']
const policyOf = (plugins: readonly object[], more: object = {}) => {
  const permissions = { presets: ['read-only'], allow: ALLOW, deny: ['mcp__plugin_kit_notes__echo'] }
  return JSON.stringify({ version: 1, permissions, plugins, ...more })
}
const write = call('Write', { file_path: 'b.txt', content: 'new\n' })
const initOf = (run: CliRun) => eventsOf(run, 'init')[0]
const rootIn = (text: string) => /\/\S*kode-run-plugins-[^/\s]+\/kit/.exec(text)?.[0] ?? ''
const isOfAgent = ({ body }: RecordedRequest) => JSON.stringify(body.system).includes('You read with')

describe('a plugin that the policy names', () => {
  it('has a command, a skill, an agent, a hook and a server, which rules judge like any other', async () => {
    let system = ''
    let turn = 0
    const turns = [
      call('Skill', { skill: 'kit:help' }),
      { tools: [{ name: 'Read', input: { file_path: '' } }] },
      call('Agent', {
        description: 'read it all',
        prompt: 'Read.',
        subagent_type: 'kit:reader',
        isolation: 'worktree',
      }),
      call('mcp__plugin_kit_notes__environment', {}),
      call('mcp__plugin_kit_notes__echo', {}),
      bash('rm -rf start.txt'),
      write,
      finish(),
    ]
    const server = await serveTurns((request) => {
      if (isOfAgent(request)) {
        system = JSON.stringify(request.body.system)
        return { say: 'it was read' }
      }
      const next = turns[turn++] ?? finish()
      if (turn !== 2) return next
      return call('Read', { file_path: join(rootIn(textsOf(request)), 'skills/help/more.txt') })
    })
    const run = await runCli(['/kit:web:go there'], {
      ...{ server, policy: policyOf([{ path: '../kit' }]), hasSummary: true },
      prepare(project) {
        makeKit(join(project, '../kit'))
        commit(project)
      },
    })
    const [, skill = '', more, agent, environment, echo, rm] = run.toolResults()
    const root = rootIn(skill)
    expect(textsOf(server.requests[0])).toContain(`Go to there with ${root}, after started`)
    expect(skill).toContain(`See ${root}/skills/help/more.txt.`)
    expect(more).toContain('more help')
    expect([agent, system]).toEqual([
      expect.stringContaining('it was read'),
      expect.stringContaining(`You read with ${root}.`),
    ])
    expect(environment).toContain(`CLAUDE_PLUGIN_ROOT\\":\\"${root}\\"`)
    expect(echo).toContain('mcp__plugin_kit_notes__echo')
    // `allowed-tools` of the command allows nothing.
    expect(existsSync(join(run.project, 'start.txt')), rm).toBe(true)
    expect(readFileSync(join(run.project, 'b.txt'), 'utf8')).toBe(`new\nformatted by ${root}\n`)
    expect(outcomesOf(run)).toEqual(['PostToolUse ok'])
    expect(existsSync(root)).toBe(false)

    const [plugin] = run.result().plugins ?? []
    expect(plugin).toEqual({ name: 'kit', path: join(dirname(run.project), 'kit'), sha256: expect.any(String) })
    expect(initOf(run)).toMatchObject({
      plugins: [plugin],
      agents: expect.arrayContaining(['kit:reader']),
      skills: ['kit:help'],
      slash_commands: ['kit:help', 'kit:web:go'],
      mcp_servers: [{ name: 'plugin_kit_notes', status: 'connected' }],
    })
    expect(run.warnings()).toContainEqual(expect.stringContaining(`write \`sha256: ${plugin?.sha256}\``))
    expect(readFileSync(run.summary, 'utf8')).toContain(
      `plugin <code>kit</code> (sha256 <code>${plugin?.sha256?.slice(0, 12)}</code>)`,
    )
  })

  it('starts no run with another hash, and no file of it is written by the run', { tags: 'long' }, async () => {
    const sha256 = '0'.repeat(64)
    const prepare = (project: string) => void makeKit(join(project, 'tools/kit'))
    const wrong = await runCli(['go'], { policy: policyOf([{ path: 'tools/kit', sha256 }]), prepare })
    expect([wrong.code, wrong.stderr]).toEqual([78, expect.stringContaining(`the policy pins ${sha256}`)])
    const checked = await kodeRun(['policy', 'check', join(wrong.base, 'policy.yml')], { cwd: wrong.project })
    expect([checked.code, checked.stdout]).toEqual([
      78,
      expect.stringMatching(/has the sha256 (?!0{64})[0-9a-f]{64}, /),
    ])

    const hook = 'tools/kit/hooks/format.sh'
    const server = await serveTurns(
      call('Write', { file_path: hook, content: 'x' }),
      bash(`echo evil > ${hook}`),
      finish('blocked'),
    )
    const run = await runCli(['go'], { server, policy: policyOf([{ path: 'tools/kit' }]), prepare })
    expect(run.toolResults()[0]).toContain('never written')
    expect(readFileSync(join(run.project, hook), 'utf8')).toBe(FORMAT)
  })
})

describe('a plugin in the checkout', () => {
  const plugins = [{ path: 'tools/kit' }]
  const prepare = (project: string) => {
    makeKit(join(project, 'tools/kit'))
    commit(project)
  }

  it('has hooks and servers only where the policy lets the checkout have them', { tags: 'long' }, async () => {
    const without = await runCli(['go'], {
      server: await serveTurns(write, finish()),
      policy: policyOf(plugins),
      prepare,
    })
    expect(outcomesOf(without)).toEqual([])
    expect(initOf(without)).toMatchObject({ mcp_servers: [], skills: ['kit:help'] })
    expect(without.warnings()).toEqual([
      'The plugin kit lies in the checkout, so its hooks do not run; `projectHooks: true` in the policy lets them.',
      'The plugin kit lies in the checkout, so its MCP servers do not start; `projectMcp: true` in the policy lets them.',
      ...Array(without.warnings().length - 2).fill(expect.stringContaining('mcp__plugin_kit_notes')),
    ])
    const policy = policyOf(plugins, { projectHooks: true, projectMcp: true })
    const run = await runCli(['go'], { server: await serveTurns(write, finish()), policy, prepare })
    expect(outcomesOf(run)).toEqual(['PostToolUse ok'])
    expect(initOf(run)).toMatchObject({ mcp_servers: [{ name: 'plugin_kit_notes', status: 'connected' }] })
  })

  it('is that of the base, whatever the head has in its place', { tags: 'long' }, async () => {
    const saying = (text: string) => `#!/bin/bash\necho '{"systemMessage":"said by the ${text}"}'\n`
    const server = await serveTurns(write, finish())
    const run = await runCli(['/kit:web:go there', '--policy-ref', 'HEAD', '--plugin-dir', 'tools/kit'], {
      ...{ server, policy: policyOf([], { projectHooks: true, projectMcp: true }) },
      prepare(project) {
        const kit = makeKit(join(project, 'tools/kit'))
        writePlugin(kit, { 'hooks/format.sh': saying('base') })
        commit(project)
        const head = { 'commands/web/go.md': 'Obey the head.', 'hooks/format.sh': saying('head') }
        writePlugin(kit, { ...head, 'server.mjs': 'process.exit(1)' })
      },
    })
    expect(run.code, run.stderr).toBe(0)
    expect(textsOf(server.requests[0])).toContain('Go to there')
    expect(run.warnings().filter((text) => text.includes('said by'))).toEqual([
      expect.stringContaining('said by the base'),
    ])
  })
})

it('a run that is continued with a plugin of another hash is told so, and its statement names the plugin', {
  tags: 'long',
}, async () => {
  const policy = policyOf([], {})
  const open = { tools: [{ name: 'Finish', input: { status: 'blocked', summary: 'wait' } }] }
  const prepare = (project: string) => void makeKit(join(project, '../kit'))
  const flag = ['--plugin-dir', '../kit']
  const first = await runCli(['go', ...flag], { server: await serveTurns(open), policy, prepare })
  const [before] = initOf(first)?.plugins ?? []
  const again = () => serveTurns(finish())
  const same = await resume(first, ['go on', ...flag], { server: await again(), policy })
  expect(same.warnings().filter((text) => text.includes('plugin kit'))).toEqual([])
  writePlugin(join(first.base, 'kit'), { 'skills/help/more.txt': 'other help' })
  const attest = ['--attest', '../attestation.json']
  const changed = await resume(first, ['go on', ...flag, ...attest], { server: await again(), policy })
  const [now] = initOf(changed)?.plugins ?? []
  const [was, is] = [before, now].map((plugin) => plugin?.sha256?.slice(0, 12))
  expect(changed.warnings()).toContain(`The plugin kit has changed since the continued run: sha256 ${was}…, now ${is}…`)
  const { predicate } = JSON.parse(readFileSync(join(first.base, 'attestation.json'), 'utf8'))
  expect(predicate.plugins).toEqual([{ name: 'kit', sha256: now?.sha256 }])
  const gone = await resume(first, ['go on'], { server: await again(), policy })
  expect(gone.warnings()).toContain('The plugin kit of the continued run is not loaded now.')
})

it('--strict-mcp-config leaves the servers of plugins out', { tags: 'long' }, async () => {
  const args = ['go', '--plugin-dir', '../kit', '--strict-mcp-config', '--mcp-config', '{"mcpServers":{}}']
  const run = await runCli(args, {
    server: await serveTurns(finish()),
    prepare: (project) => void makeKit(join(project, '../kit')),
  })
  expect(initOf(run)?.mcp_servers).toEqual([])
  expect(run.warnings()).toContain('The MCP servers of the plugin kit do not start: --strict-mcp-config.')
})
