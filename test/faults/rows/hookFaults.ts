import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEventName, HookSettings, HookTable } from '../../../src/contracts/settings.ts'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { CliRun } from '../../helpers/runs/cliRun.ts'
import { stubHook } from '../../helpers/tools/testHooks.ts'
import { processesOf } from '../machine.ts'
import type { Lab } from '../openLab.ts'
import type { FaultRow } from './FaultRow.ts'

const FINISH: Turn = { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'done' } }] }
const touch = (name: string): Turn => ({ tools: [{ name: 'Bash', input: { command: `touch ${name}` } }] })
const AGENT = { name: 'Agent', input: { description: 'count', prompt: 'count', subagent_type: 'counter' } }
const shell = (command: string): HookSettings => ({ type: 'command', command, timeout: 5 })
const says = (answer: object): HookSettings => stubHook('print', JSON.stringify(answer))

function policyOf(
  hooks: HookTable,
  permissions: object = { allow: ['Bash(touch *)', 'Edit(/made)', 'Agent'] },
): string {
  const agents = { counter: { description: 'counts', prompt: 'You count.', tools: ['LS'] } }
  return JSON.stringify({ version: 1, permissions, hooks, agents, sandbox: { mode: 'off' } })
}

/** A call that PreToolUse hooks look at, and what came of it. */
async function playCall(lab: Lab, hooks: readonly HookSettings[], permissions?: object): Promise<CliRun> {
  const server = await lab.serve([touch('made'), FINISH])
  const policy = policyOf({ PreToolUse: [{ matcher: 'Bash', hooks }] }, permissions)
  return lab.cli(['x'], { server, policy }).ended()
}

const came = (run: CliRun, name: string) => (existsSync(join(run.project, name)) ? `${name} is there` : `no ${name}`)

function hookRow(row: string, injected: string, rest: Pick<FaultRow, 'expected' | 'play' | 'isLong'>): FaultRow {
  return { row, group: 'G', injected, ...rest }
}

/** Ways to fail that only show when the hook runs. */
const FAILURES: readonly (readonly [string, string, HookSettings])[] = [
  ['100a', 'a script that is gone when it is started', shell('$NOWHERE/hook.sh')],
  ['100b', 'a script that is not executable', shell('touch hook.sh; ./hook.sh')],
  ['100c', 'a first line that names no program', shell('echo "#!/no/such" > h; chmod +x h; ./h')],
  ['101a', 'exit 1', stubHook('exit', '1')],
  ['101b', 'exit 3', stubHook('exit', '3')],
  ['101c', 'exit 255', stubHook('exit', '255')],
  ['101d', 'killed by SIGKILL', stubHook('signal', 'SIGKILL')],
  ['101e', 'a segmentation fault', stubHook('signal', 'SIGSEGV')],
  ['101f', 'an answer cut in the middle', stubHook('print', '{"decision":')],
  ['101g', 'more than 1 MiB', stubHook('flood')],
  ['104', 'silence, TERM ignored, children', stubHook('hang', '../hang.pid', { timeout: 1 })],
]

/** What a failing hook comes to on each event that can block. */
const BLOCKING: Readonly<Partial<Record<HookEventName, (lab: Lab, hook: HookSettings) => Promise<string>>>> = {
  async PreToolUse(lab, hook) {
    const run = await playCall(lab, [hook])
    return `${came(run, 'made')}, ${run.result().permission_denials.length} denied`
  },
  async PermissionRequest(lab, hook) {
    const server = await lab.serve([touch('made'), FINISH])
    const policy = policyOf({ PermissionRequest: [{ hooks: [hook] }] }, { allow: ['Edit(/made)'] })
    const run = await lab.cli(['x'], { server, policy }).ended()
    return `${came(run, 'made')}, ${run.result().permission_denials.length} denied`
  },
  async UserPromptSubmit(lab, hook) {
    const server = await lab.serve([])
    const run = await lab.cli(['x'], { server, policy: policyOf({ UserPromptSubmit: [{ hooks: [hook] }] }) }).ended()
    return `${run.code}, ${server.requests.length} requests`
  },
  async Stop(lab, hook) {
    const server = await lab.serve([{ say: 'done' }])
    const run = await lab.cli(['x'], { server, policy: policyOf({ Stop: [{ hooks: [hook] }] }) }).ended()
    return `${run.code} ${run.result().exit_reason}`
  },
  async SubagentStop(lab, hook) {
    const server = await lab.serve([{ tools: [AGENT] }, { say: 'three' }])
    const policy = policyOf({ SubagentStop: [{ hooks: [hook] }] })
    const run = await lab.cli(['x', '--tools', 'Agent,LS'], { server, policy }).ended()
    return `${run.code} ${run.result().exit_reason}`
  },
}

const FAILS_TO = 'no made, 1 denied; no made, 1 denied; 3, 0 requests; 1 stop_hook_failed; 1 stop_hook_failed'

function failure([row, injected, hook]: (typeof FAILURES)[number]): FaultRow {
  return hookRow(row, `${injected}, on ${Object.keys(BLOCKING).join(', ')}`, {
    expected: FAILS_TO,
    // Every one on every event stands in the tests of the hooks themselves; here, in whole runs, it takes a minute.
    isLong: !['100a', '101a'].includes(row),
    async play(lab) {
      const seen: string[] = []
      for (const play of Object.values(BLOCKING)) seen.push(await play(lab, hook))
      return seen.join('; ')
    },
  })
}

const missing = hookRow('100d', 'a script that is missing, one that cannot run, before the start', {
  expected: '78 naming both, 0 requests, no record',
  async play(lab) {
    const server = await lab.serve([])
    const hooks = { PreToolUse: [{ hooks: [shell('./gone.sh')] }], Stop: [{ hooks: [shell('./plain.sh')] }] }
    const run = await lab.cli(['x'], { server, policy: policyOf(hooks), files: { 'plain.sh': 'exit 0\n' } }).ended()
    const both = /gone\.sh does not exist[\s\S]*plain\.sh is not executable/.test(run.stderr)
    return `${run.code} naming ${both ? 'both' : run.stderr}, ${server.requests.length} requests, ${existsSync(run.transcript) ? 'a record' : 'no record'}`
  },
})

const exitTwo = hookRow('102', 'exit 2 with words on stderr and an approval on stdout', {
  expected: 'no made, denied with its words',
  async play(lab) {
    const run = await playCall(lab, [stubHook('complain')])
    const [denial] = run.result().permission_denials
    return `${came(run, 'made')}, denied ${denial?.reason.includes('not like this') ? 'with its words' : denial?.reason}`
  },
})

const edits = hookRow('106', 'a hook that puts a denied command in place of an allowed one', {
  expected: 'no made, no forbidden, denied by Bash(touch forbidden)',
  async play(lab) {
    const updatedInput = { command: 'touch forbidden' }
    const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput } }
    const rules = { allow: ['Bash(touch *)', 'Edit(./**)'], deny: ['Bash(touch forbidden)'] }
    const run = await playCall(lab, [says(answer)], rules)
    const rule = run.result().permission_denials[0]?.rule
    return `${came(run, 'made')}, ${came(run, 'forbidden')}, denied by ${rule}`
  },
})

const allows = hookRow('107', 'a hook that allows what a rule denies', {
  expected: 'no made, denied by Bash(touch made)',
  async play(lab) {
    const run = await playCall(lab, [says({ decision: 'approve' })], {
      allow: ['Edit(/made)'],
      deny: ['Bash(touch made)'],
    })
    return `${came(run, 'made')}, denied by ${run.result().permission_denials[0]?.rule}`
  },
})

const disagree = hookRow(
  '108',
  'three hooks: one allows, one denies, one hangs; each waits for the others to have begun',
  {
    expected: 'no made, denied by the one that denies, all at the same time, 0 left',
    async play(lab) {
      const meet = (mine: string, end: string): HookSettings =>
        shell(`touch ${mine}; until [ -e a ] && [ -e b ] && [ -e c ]; do sleep 0.02; done; ${end}`)
      const hang: HookSettings = { ...meet('c', 'sleep 60'), timeout: 3, onError: 'continue' }
      const run = await playCall(lab, [
        meet('a', `echo '{"decision":"approve"}'`),
        meet('b', 'echo no >&2; exit 2'),
        hang,
      ])
      const reason = run.result().permission_denials[0]?.reason ?? ''
      const by = reason.endsWith(': no') ? 'the one that denies' : reason
      return `${came(run, 'made')}, denied by ${by}, all at the same time, ${processesOf(run.base).length} left`
    },
  },
)

const loop = hookRow('109', 'a Stop hook that always blocks', {
  expected: '1 stop_hook_loop, 9 requests',
  async play(lab) {
    const server = await lab.serve((request) => ({ turn: { say: `done ${request.index}` } }))
    const policy = policyOf({ Stop: [{ hooks: [says({ decision: 'block', reason: 'not yet' })] }] })
    const run = await lab.cli(['x'], { server, policy }).ended()
    return `${run.code} ${run.result().exit_reason}, ${server.requests.length} requests`
  },
})

const CANARY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

const prints = hookRow('111', 'a hook that prints a workflow command and a secret', {
  expected: '0 commands, 0 secrets',
  async play(lab) {
    const server = await lab.serve([touch('made'), FINISH], { canaries: [CANARY] })
    const hook = shell(`printf '::error::forged\\n##[error]forged ${CANARY}\\n' >&2; exit 2`)
    const policy = policyOf({ PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] })
    const env = { DEPLOY_TOKEN: CANARY, GITHUB_ACTIONS: 'true' }
    const run = await lab.cli(['x'], { server, policy, env }).ended()
    const shown = run.stderr + run.stdout
    const commands = shown.match(/^\s*::error::forged|##\[error\]/gm)?.length ?? 0
    const secrets = (shown + JSON.stringify(run.records)).split(CANARY).length - 1
    return `${commands} commands, ${secrets} secrets`
  },
})

/** Faults of hooks. */
export const hookFaults: readonly FaultRow[] = [
  ...FAILURES.map(failure),
  missing,
  exitTwo,
  edits,
  allows,
  disagree,
  loop,
  prints,
]
