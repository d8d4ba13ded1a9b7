import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEventName, HookSettings, HookTable } from '../../../src/contracts/settings.ts'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { CliRun } from '../../helpers/runs/cliRun.ts'
import { bash, FINISH } from '../../helpers/runs/playRun.ts'
import { stubHook } from '../../helpers/tools/testHooks.ts'
import { processesOf } from '../machine.ts'
import type { Lab } from '../openLab.ts'
import type { Play, Plays } from '../readMatrix.ts'

const touch = (name: string): Turn => ({ tools: [bash(`touch ${name}`)] })
const AGENT = { name: 'Agent', input: { description: 'count', prompt: 'count', subagent_type: 'counter' } }
const shell = (command: string): HookSettings => ({ type: 'command', command, timeout: 5 })
const says = (answer: object): HookSettings => stubHook('print', JSON.stringify(answer))

function policyOf(hooks: HookTable, permissions: object = { allow: ['Bash(touch *)', 'Edit(/made)', 'Agent'] }) {
  const agents = { counter: { description: 'counts', prompt: 'You count.', tools: ['LS'] } }
  return { permissions, hooks, agents, sandbox: { mode: 'off' } }
}

/** A call that PreToolUse hooks look at, and what came of it. */
async function playCall(lab: Lab, hooks: readonly HookSettings[], permissions?: object): Promise<CliRun> {
  const server = await lab.serve([touch('made'), FINISH])
  const policy = policyOf({ PreToolUse: [{ matcher: 'Bash', hooks }] }, permissions)
  return lab.cli(['x'], { server, policy }).ended()
}

const came = (run: CliRun, name: string) => (existsSync(join(run.project, name)) ? `${name} is there` : `no ${name}`)

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

/** Every one on every event stands in the tests of the hooks themselves; here, in whole runs, it takes a minute. */
function failure(hook: HookSettings): Play {
  return async (lab) => {
    const seen: string[] = []
    for (const play of Object.values(BLOCKING)) seen.push(await play(lab, hook))
    return seen.join('; ')
  }
}

const CANARY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

/** Faults of hooks. */
export const hookFaults: Plays = {
  '100a': failure(shell('$NOWHERE/hook.sh')),
  '100b': failure(shell('touch hook.sh; ./hook.sh')),
  '100c': failure(shell('echo "#!/no/such" > h; chmod +x h; ./h')),
  '101a': failure(stubHook('exit', '1')),
  '101b': failure(stubHook('exit', '3')),
  '101c': failure(stubHook('exit', '255')),
  '101d': failure(stubHook('signal', 'SIGKILL')),
  '101e': failure(stubHook('signal', 'SIGSEGV')),
  '101f': failure(stubHook('print', '{"decision":')),
  '101g': failure(stubHook('flood')),
  '104': failure(stubHook('hang', '../hang.pid', { timeout: 1 })),
  async '100d'(lab) {
    const server = await lab.serve([])
    const hooks = { PreToolUse: [{ hooks: [shell('./gone.sh')] }], Stop: [{ hooks: [shell('./plain.sh')] }] }
    const run = await lab.cli(['x'], { server, policy: policyOf(hooks), files: { 'plain.sh': 'exit 0\n' } }).ended()
    const both = /gone\.sh does not exist[\s\S]*plain\.sh is not executable/.test(run.stderr)
    return `${run.code} naming ${both ? 'both' : run.stderr}, ${server.requests.length} requests, ${existsSync(run.transcript) ? 'a record' : 'no record'}`
  },

  async '102'(lab) {
    const run = await playCall(lab, [stubHook('complain')])
    const [denial] = run.result().permission_denials
    return `${came(run, 'made')}, denied ${denial?.reason.includes('not like this') ? 'with its words' : denial?.reason}`
  },

  async '106'(lab) {
    const updatedInput = { command: 'touch forbidden' }
    const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput } }
    const rules = { allow: ['Bash(touch *)', 'Edit(./**)'], deny: ['Bash(touch forbidden)'] }
    const run = await playCall(lab, [says(answer)], rules)
    const rule = run.result().permission_denials[0]?.rule
    return `${came(run, 'made')}, ${came(run, 'forbidden')}, denied by ${rule}`
  },

  async '107'(lab) {
    const run = await playCall(lab, [says({ decision: 'approve' })], {
      allow: ['Edit(/made)'],
      deny: ['Bash(touch made)'],
    })
    return `${came(run, 'made')}, denied by ${run.result().permission_denials[0]?.rule}`
  },

  async '108'(lab) {
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

  async '109'(lab) {
    const server = await lab.serve((request) => ({ turn: { say: `done ${request.index}` } }))
    const policy = policyOf({ Stop: [{ hooks: [says({ decision: 'block', reason: 'not yet' })] }] })
    const run = await lab.cli(['x'], { server, policy }).ended()
    return `${run.code} ${run.result().exit_reason}, ${server.requests.length} requests`
  },

  async '111'(lab) {
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
}
