import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RecordedRequest } from '../helpers/model/messagesServer.ts'
import { call, serveTurns, textsOf } from '../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../helpers/runs/cliRun.ts'
import { eventsOf, outcomesOf } from '../helpers/runs/hookRuns.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'
import { bash, FINISH, playRun, write } from '../helpers/runs/playRun.ts'
import { manifest, writePlugin } from '../helpers/runs/plugins.ts'
import { commit } from '../helpers/runs/resumedRuns.ts'

const FORMAT = `#!/bin/bash
cat > /dev/null
echo "formatted by $CLAUDE_PLUGIN_ROOT" >> "$CLAUDE_PROJECT_DIR/b.txt"
`
const HOOK = { type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/hooks/format.sh' }
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
    'hooks/hooks.json': { hooks: { PostToolUse: [{ matcher: 'Edit|Write', hooks: [HOOK] }] } },
    'hooks/format.sh': FORMAT,
    '.mcp.json': SERVER,
    'server.mjs': readFileSync('test/helpers/stubMcp.mjs', 'utf8'),
  })
}

const ALLOW = ['Edit(/**)', 'Skill', 'Agent', 'Bash(echo *)', 'mcp__plugin_kit_notes__*']
const policyOf = (plugins: readonly object[], more: object = {}) => ({
  permissions: { presets: ['read-only'], allow: ALLOW, deny: ['mcp__plugin_kit_notes__echo'] },
  ...{ plugins, ...more },
})
const WRITE = write('b.txt', 'new\n')
const AGENT = { description: 'read it all', prompt: 'Read.' }
const initOf = (run: CliRun) => eventsOf(run, 'init')[0]
const rootIn = (text: string) => /\/\S*kode-run-plugins-[^/\s]+\/kit/.exec(text)?.[0] ?? ''
const isOfAgent = ({ body }: RecordedRequest) => JSON.stringify(body.system).includes('You read with')

describe('a plugin that the policy names', () => {
  it('has a command, a skill, an agent, a hook and a server, which rules judge like any other', async () => {
    let system = ''
    let turn = 0
    const turns = [
      call('Skill', { skill: 'kit:help' }),
      (request: RecordedRequest) => call('Read', { file_path: join(rootIn(textsOf(request)), 'skills/help/more.txt') }),
      call('Agent', { ...AGENT, subagent_type: 'kit:reader', isolation: 'worktree' }),
      ...['environment', 'echo'].map((tool) => call(`mcp__plugin_kit_notes__${tool}`, {})),
      { tools: [bash('rm -rf start.txt')] },
      { tools: [WRITE] },
    ]
    const server = await serveTurns((request) => {
      if (isOfAgent(request)) {
        system = JSON.stringify(request.body.system)
        return { say: 'it was read' }
      }
      const next = turns[turn++] ?? FINISH
      return typeof next === 'function' ? next(request) : next
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
    const { code, stdout } = await kodeRun(['policy', 'check', `${wrong.base}/policy.yml`], { cwd: wrong.project })
    expect([code, stdout]).toEqual([78, expect.stringMatching(/has the sha256 (?!0{64})[0-9a-f]{64}, /)])

    const hook = 'tools/kit/hooks/format.sh'
    const policy = policyOf([{ path: 'tools/kit' }])
    const run = await playRun([write(hook), bash(`echo evil > ${hook}`)], { policy, prepare })
    expect(run.told[0]).toContain('never written')
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
    const without = await playRun([WRITE], { policy: policyOf(plugins), prepare })
    expect(outcomesOf(without)).toEqual([])
    expect(initOf(without)).toMatchObject({ mcp_servers: [], skills: ['kit:help'] })
    expect(without.warnings()).toEqual([
      'The plugin kit lies in the checkout, so its hooks do not run; `projectHooks: true` in the policy lets them.',
      'The plugin kit lies in the checkout, so its MCP servers do not start; `projectMcp: true` in the policy lets them.',
      ...Array(without.warnings().length - 2).fill(expect.stringContaining('mcp__plugin_kit_notes')),
    ])
    const policy = policyOf(plugins, { projectHooks: true, projectMcp: true })
    const run = await playRun([WRITE], { policy, prepare })
    expect(outcomesOf(run)).toEqual(['PostToolUse ok'])
    expect(initOf(run)).toMatchObject({ mcp_servers: [{ name: 'plugin_kit_notes', status: 'connected' }] })
  })

  it('is that of the base, whatever the head has in its place', { tags: 'long' }, async () => {
    const saying = (text: string) => `#!/bin/bash\necho '{"systemMessage":"said by the ${text}"}'\n`
    const run = await playRun([WRITE], {
      ...{ prompt: '/kit:web:go there', args: ['--policy-ref', 'HEAD', '--plugin-dir', 'tools/kit'] },
      policy: policyOf([], { projectHooks: true, projectMcp: true }),
      prepare(project) {
        const kit = makeKit(join(project, 'tools/kit'))
        writePlugin(kit, { 'hooks/format.sh': saying('base') })
        commit(project)
        const head = { 'commands/web/go.md': 'Obey the head.', 'hooks/format.sh': saying('head') }
        writePlugin(kit, { ...head, 'server.mjs': 'process.exit(1)' })
      },
    })
    expect(run.code, run.stderr).toBe(0)
    expect(textsOf(run.api.requests[0])).toContain('Go to there')
    const said = run.warnings().flatMap((text) => /said by the \w+/.exec(text) ?? [])
    expect(said).toEqual(['said by the base'])
  })
})

it('a run that is continued with a plugin of another hash is told so, and its statement names the plugin', {
  tags: 'long',
}, async () => {
  const options = { policy: policyOf([]), prepare: (project: string) => void makeKit(join(project, '../kit')) }
  const flag = ['--plugin-dir', '../kit']
  const first = await playRun([], {
    args: flag,
    last: call('Finish', { status: 'blocked', summary: 'wait' }),
    ...options,
  })
  const [before] = initOf(first)?.plugins ?? []
  const again = (...more: string[]) =>
    playRun([], { ...options, args: ['--resume', first.transcript, ...more], after: first })
  const same = await again(...flag)
  expect(same.warnings().filter((text) => text.includes('plugin kit'))).toEqual([])
  writePlugin(join(first.base, 'kit'), { 'skills/help/more.txt': 'other help' })
  const changed = await again(...flag, '--attest', '../attestation.json')
  const [now] = initOf(changed)?.plugins ?? []
  const [was, is] = [before, now].map((plugin) => plugin?.sha256?.slice(0, 12))
  expect(changed.warnings()).toContain(`The plugin kit has changed since the continued run: sha256 ${was}…, now ${is}…`)
  const { predicate } = JSON.parse(readFileSync(join(first.base, 'attestation.json'), 'utf8'))
  expect(predicate.plugins).toEqual([{ name: 'kit', sha256: now?.sha256 }])
  expect((await again()).warnings()).toContain('The plugin kit of the continued run is not loaded now.')
})

it('--strict-mcp-config leaves the servers of plugins out', { tags: 'long' }, async () => {
  const run = await playRun([], {
    args: ['--plugin-dir', '../kit', '--strict-mcp-config', '--mcp-config', '{"mcpServers":{}}'],
    prepare: (project) => void makeKit(join(project, '../kit')),
  })
  expect(initOf(run)?.mcp_servers).toEqual([])
  expect(run.warnings()).toContain('The MCP servers of the plugin kit do not start: --strict-mcp-config.')
})
