import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { FlagValues } from '../config/parseArguments.ts'
import { withEnvironment } from '../config/withEnvironment.ts'
import { EXIT_CODES, messageOf } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { checkHooks } from '../hooks/checkHooks.ts'
import { compilePatterns } from '../lib/secrets/compilePatterns.ts'
import { VERSION } from '../lib/version.ts'
import { formatFinding, unnamedPolicy } from '../policy/load/loadPolicy.ts'
import type { Policy } from '../policy/Policy.ts'
import { isOfPreset } from '../policy/presets.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { childPath, findProgram } from '../sandbox/environment/childPath.ts'
import { checkEndpoint, findTarget, readKey } from './doctor/checkEndpoint.ts'
import { type Finding, failed, fault, found } from './doctor/Finding.ts'
import { listServers } from './listServers.ts'
import { commandEnvironment, openCommandSandbox } from './openCommandSandbox.ts'
import { loadCommandPolicy } from './policy/loadCommandPolicy.ts'
import type { CommandLine } from './runCommandLine.ts'

const MARKS = { ok: '✓', warning: '!', error: '✗' } as const

/**
 * `kode-run doctor`: checks what a run needs from this machine, one line each, and says how to get what is missing.
 * Sends no request that costs money. Exits with the code of the first error that would end a run.
 */
export async function doctor(io: ProcessIo, line: CommandLine): Promise<number> {
  const { flags } = line
  const checks = [found('kode-run', VERSION), checkNode(process.versions.node), await checkGit(io)]
  const policy = await readPolicy(io, flags, checks)
  if (policy) checks.push(await checkSandbox(io, policy), checkVariables(io, policy), await checkServers(io, line))
  await checkModel(io, flags, policy, checks)
  io.print(flags['json'] === true ? `${JSON.stringify({ checks }, null, 2)}\n` : toText(checks))
  const reason = checks.find(({ level }) => level === 'error')?.reason
  return reason === undefined ? 0 : EXIT_CODES[reason].code
}

/** The oldest supported Node, as in `engines` of package.json. */
const OLDEST = [20, 19] as const

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  return isOld ? fault('node', 'internal', `${version}: install ${OLDEST.join('.')} or newer`) : found('node', version)
}

async function checkGit(io: ProcessIo): Promise<Finding> {
  const path = findProgram('git', childPath(io.environment['PATH'], io.cwd))
  if (path === undefined)
    return found('git', 'is not in PATH, so a run has no patch and no worktrees. Install git.', 'warning')
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 })
    return found('git', `${stdout.trim().replace(/^git version /, '')} (${path})`)
  } catch (error) {
    return found('git', `${path}: ${messageOf(error).trim()}`, 'warning')
  }
}

async function checkModel(
  io: ProcessIo,
  given: FlagValues,
  policy: Policy | undefined,
  checks: Finding[],
): Promise<void> {
  try {
    const flags = withEnvironment(given, io.environment)
    const target = findTarget(io, flags, policy?.settings.run ?? {})
    checks.push(target.finding)
    const key = target.isApi ? await readKey(io, flags, target.hasHelper) : undefined
    if (key !== undefined) checks.push(key.finding)
    checks.push(await checkEndpoint(io, key?.value, target))
  } catch (error) {
    checks.push(failed('model', error, 'config'))
  }
}

async function readPolicy(io: ProcessIo, flags: FlagValues, checks: Finding[]): Promise<Policy | undefined> {
  try {
    const policy = await loadCommandPolicy(io, flags)
    const { files, rules, settings, warnings } = policy
    await compilePatterns(settings.redact.patterns)
    checkHooks(settings.hooks, { cwd: policy.cwd, env: io.environment })
    const notes = [...unnamedPolicy(policy), ...warnings.map(formatFinding)]
    const named = files.length === 0 ? 'none is named (--policy): a run can only read' : files.join(', ')
    const own = rules.filter((rule) => !isOfPreset(rule)).length
    const preset = rules.length === own ? '' : `, and ${rules.length - own} of presets`
    const detail = [`${named}; rules of its own: ${own}${preset}`, ...notes].join('\n')
    checks.push(found('policy', detail, notes.length === 0 ? 'ok' : 'warning'))
    return policy
  } catch (error) {
    checks.push(failed('policy', error, 'config'))
    return undefined
  }
}

/** Starts and stops the sandbox as a run would. If it does not start, the finding says how to fix that. */
async function checkSandbox(io: ProcessIo, policy: Policy): Promise<Finding> {
  const { mode } = policy.settings.sandbox
  if (mode === 'off') return found('sandbox', 'off, as the policy says')
  try {
    const sandbox = await openCommandSandbox(io, policy, { mode: 'required' })
    const { state, detail, network } = sandbox
    await sandbox.close()
    return found('sandbox', `${state}: ${detail}; network ${network.mode}`)
  } catch (error) {
    const detail = messageOf(error).replace('sandbox.mode is required, and ', '')
    if (mode === 'required') return { ...failed('sandbox', error, 'sandbox_unavailable'), detail }
    return found('sandbox', `${await instead(io, policy)}: ${detail}`, 'warning')
  }
}

/** What a run has that does not require the whole sandbox. */
async function instead(io: ProcessIo, policy: Policy): Promise<string> {
  const { state, detail, landlock, close } = await openCommandSandbox(io, policy, { mode: 'auto' })
  await close()
  if (state === 'enforced') return 'a run has it only in part'
  const wall = landlock === undefined ? '' : `, with its commands behind ${detail.split('; no sandbox: ')[0]}`
  return `a run continues without it and watches the checkout${wall}`
}

const MAX_NAMES = 30

function checkVariables({ environment }: ProcessIo, policy: Policy): Finding {
  const names = commandEnvironment(environment, policy).dropped
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  const list = names.slice(0, MAX_NAMES).join(', ') + more
  if (names.length === 0) return found('variables', 'commands get all of them')
  return found('variables', `commands do not get ${list}; env.pass or env.secrets names what they need`)
}

async function checkServers(io: ProcessIo, { flags }: CommandLine): Promise<Finding> {
  let text = ''
  const listen = (part: string) => {
    text += part
  }
  const { json: _, ...rest } = flags
  try {
    const quiet = { ...io, print: listen, warn: listen }
    const code = await listServers(quiet, { command: 'mcp', positionals: [], flags: rest })
    if (code !== 0) return fault('mcp', 'mcp_unavailable', text.trim())
    return found('mcp', text.trim(), /^\S+ +failed /m.test(text) ? 'warning' : 'ok')
  } catch (error) {
    return failed('mcp', error, 'mcp_unavailable')
  }
}

function toText(checks: readonly Finding[]): string {
  const lines = checks.map(({ name, level, detail }) => {
    const text = detail.replaceAll('\n', `\n${' '.repeat(13)}`)
    return `${MARKS[level]} ${name.padEnd(10)} ${text}`
  })
  return escapeWorkflowCommands(`${lines.join('\n')}\n`)
}
