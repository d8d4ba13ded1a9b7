import { existsSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { EXIT_CODES, RunError } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { checkHooks } from '../../hooks/checkHooks.ts'
import { namesIn } from '../../lib/fs/folders.ts'
import { compilePatterns } from '../../lib/secrets/compilePatterns.ts'
import { findUnused, type Offers } from '../../policy/lint/findUnused.ts'
import { lintPolicy } from '../../policy/lint/lintPolicy.ts'
import { inOrder } from '../../policy/load/loadPolicy.ts'
import type { Finding, Policy } from '../../policy/Policy.ts'
import { openCommandPlugins } from '../openCommandPlugins.ts'
import type { CommandLine } from '../runCommandLine.ts'
import { loadCommandPolicy } from './loadCommandPolicy.ts'

/** What was found in one file. `faults` are the lines of a policy that cannot be loaded. */
type Checked = Awaited<ReturnType<typeof check>>

/** `kode-run policy check FILE…`: mistakes as `file:line:col`. Exits with 78 if a file has an error. */
export async function policyCheck(io: ProcessIo, line: CommandLine): Promise<number> {
  const checked: Checked[] = []
  for (const file of line.positionals) checked.push(await check(io, line, file))
  const isBad = checked.some(
    ({ faults, findings }) => faults.length > 0 || findings.some((finding) => finding.level === 'error'),
  )
  io.print(
    line.flags['json'] === true
      ? `${JSON.stringify(checked, null, 2)}\n`
      : checked.map((one) => render(one, io.cwd)).join(''),
  )
  return isBad ? EXIT_CODES.config.code : 0
}

async function check(io: ProcessIo, line: CommandLine, file: string) {
  let named = ''
  try {
    const policy = await loadCommandPolicy(io, line.flags, { file })
    // The faults of the loader name their files.
    named = `${file}: `
    await compilePatterns(policy.settings.redact.patterns)
    checkHooks(policy.settings.hooks, { cwd: policy.cwd, env: io.environment })
    const findings = inOrder([...lintPolicy(policy), ...findUnused(policy, offersIn(policy))])
    return { file, faults: [], findings: [...findings, ...(await pluginsOf(policy, file))] }
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    return { file, faults: error.message.replace(/^(?=\S)/gm, named).split('\n'), findings: [] }
  }
}

/** What a run would say about the plugins of the policy. Throws for one that would not start it. */
async function pluginsOf(policy: Policy, file: string): Promise<readonly Finding[]> {
  const { warnings, close } = await openCommandPlugins(policy)
  close()
  return warnings.map((message) => ({ file, line: 0, column: 0, level: 'warning', message }))
}

/** What a run with this policy alone would find in the project. */
function offersIn({ cwd, settings, rules }: Policy): Offers {
  const hasFile = existsSync(join(cwd, '.mcp.json'))
  const skills = join(cwd, '.claude', 'skills')
  const named = rules.flatMap(({ target }) => (target.kind === 'mcp' ? target.server : []))
  return {
    // The checkout's file may name any server, and plugins bring theirs.
    servers: settings.projectMcp
      ? named
      : [...Object.keys(settings.mcpServers), ...named.filter((server) => server.startsWith('plugin_'))],
    hasUnusedServers: hasFile && !settings.projectMcp,
    skills: namesIn(skills).filter((name) => existsSync(join(skills, name, 'SKILL.md'))),
  }
}

function render({ file, faults, findings }: Checked, cwd: string): string {
  if (faults.length > 0) return `${faults.join('\n')}\n`
  if (findings.length === 0) return `${file}: good\n`
  const lines = findings.map(({ file: place, line, column, level, message }) => {
    const at = line > 0 ? `:${line}:${column}` : ':'
    return `${shorten(place, cwd)}${at} ${level}: ${message}`
  })
  return `${lines.join('\n')}\n`
}

function shorten(path: string, cwd: string): string {
  if (!path.startsWith('/')) return path
  const short = relative(realpathSync(cwd), resolve(path))
  return short.startsWith('..') ? path : short
}
