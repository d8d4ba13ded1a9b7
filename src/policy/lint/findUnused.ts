import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isFolder } from '../../lib/fs/folders.ts'
import { evaluate } from '../evaluate.ts'
import type { Finding, Policy, Rule } from '../Policy.ts'
import { isOfPreset } from '../presets.ts'

/** What the project offers, and what of it a run would use. */
export type Offers = {
  readonly servers: readonly string[]
  /** True if the checkout has an `.mcp.json` that the run does not load. */
  readonly hasUnusedServers: boolean
  readonly skills: readonly string[]
}

/**
 * What somebody wrote, and the run will not use: a rule for a server that is not there or for a folder that lies
 * elsewhere, an `.mcp.json` that is not loaded, skills that no rule allows. One warning each, with what would mend it;
 * none for what may come to be during the run.
 */
export function findUnused(policy: Policy, { servers, hasUnusedServers, skills }: Offers): readonly Finding[] {
  const own = policy.rules.filter((rule) => rule.list === 'allow' && !isOfPreset(rule))
  const closed = skills.filter((name) => isUnmentioned(policy, name))
  return [
    ...own.flatMap((rule) => warn(rule, unknownServer(rule, servers) ?? misplacedFolder(policy, rule))),
    ...(hasUnusedServers ? [inProject('.mcp.json', UNUSED_SERVERS)] : []),
    ...(closed.length === 0 ? [] : [inProject('.claude/skills', closedSkills(closed))]),
  ]
}

const UNUSED_SERVERS = 'its servers are not used; write `projectMcp: true` in the policy, or --mcp-config .mcp.json'

function closedSkills(names: readonly string[]): string {
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`
  const which = names.length === 1 ? `skill ${shown}` : `${names.length} skills ${shown}`
  return `no rule allows the ${which}; write \`Skill\` or \`Skill(${names[0]})\` under allow`
}

function warn({ file, line, column = 0, text }: Rule, message: string | undefined): Finding[] {
  return message === undefined ? [] : [{ file, line, column, level: 'warning', message: `${text}: ${message}` }]
}

function inProject(file: string, message: string): Finding {
  return { file, line: 0, column: 0, level: 'warning', message }
}

function unknownServer({ target }: Rule, servers: readonly string[]): string | undefined {
  if (target.kind !== 'mcp' || target.server.includes('*') || servers.includes(target.server)) return undefined
  const there = servers.length === 0 ? '' : `; there are ${servers.join(', ')}`
  return `there is no server ${JSON.stringify(target.server)}${there}; name it under mcpServers, or with --mcp-config`
}

/** A folder may be made during the run. One that is there under another folder is meant. */
function misplacedFolder({ cwd }: Policy, { target }: Rule): string | undefined {
  if (target.kind !== 'path') return undefined
  const [, first] = /^(?:\.?\/)?([\w-][\w.-]*)\/(?:.*\/)?\*\*$/.exec(target.pattern) ?? []
  if (first === undefined || isFolder(join(cwd, first))) return undefined
  const found = foldersIn(cwd).flatMap((outer) => [
    outer,
    ...foldersIn(join(cwd, outer)).map((name) => `${outer}/${name}`),
  ])
  const place = found.find((folder) => isFolder(join(cwd, folder, first)))
  return place && `there is no folder ${first} here, but one in ${place}`
}

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .slice(0, 100)
}

/** True if neither an allow rule nor one against it names the skill. */
function isUnmentioned(policy: Policy, name: string): boolean {
  const { reason } = evaluate(policy, {
    ...{ tool: 'Skill', aliases: [], input: { skill: name }, isFree: false, isReadOnly: true },
    subjects: [{ kind: 'name', tool: 'Skill', specifier: name }],
  })
  return reason.type === 'headless'
}
