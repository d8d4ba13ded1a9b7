import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { Call, PathForms, PathSource, Subject, Word } from '../../../src/contracts/subject.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import type { Policy } from '../../../src/policy/Policy.ts'

export const PROJECT = '/srv/project'
export const HOME = '/home/user'

export type RuleLists = {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
  readonly presets?: readonly string[]
  readonly additionalDirectories?: readonly string[]
}

/** A policy from rule lists, through the real loader. */
export async function policyOf(
  lists: RuleLists,
  options: { cwd?: string; untouchable?: string[] } = {},
): Promise<Policy> {
  const { cwd = PROJECT, untouchable } = options
  const text = JSON.stringify({ version: 1, permissions: lists })
  return loadPolicy({ file: '/etc/kode/policy.yml', cwd, home: HOME, untouchable, read: async () => text })
}

/** The forms of a path that leads through no link, or through those on disk. */
export function formsOf(given: string, cwd = PROJECT): PathForms {
  const lexical = path.resolve(cwd, given)
  const real = existsSync(lexical) ? realpathSync(lexical) : lexical
  return { given, lexical, resolved: real, physical: real }
}

export function pathSubject(
  access: 'read' | 'write',
  given: string,
  source: PathSource = 'tool',
  cwd = PROJECT,
): Subject {
  return { kind: 'path', access, path: formsOf(given, cwd), source }
}

export function callOf(tool: string, subjects: readonly Subject[], extra: Partial<Call> = {}): Call {
  return { tool, aliases: [], input: {}, subjects, isFree: false, isReadOnly: false, ...extra }
}

export const readCall = (given: string, tool = 'Read'): Call => callOf(tool, [pathSubject('read', given)])
export const writeCall = (given: string, tool = 'Write'): Call => callOf(tool, [pathSubject('write', given)])
export const fetchCall = (url: string): Call => callOf('WebFetch', [{ kind: 'domain', url, host: hostOf(url) }])
export const mcpCall = (server: string, tool: string): Call =>
  callOf(`mcp__${server}__${tool}`, [{ kind: 'mcp', server, tool }])

/** One simple command of literal words. */
export function commandSubject(line: string): Subject {
  const argv: Word[] = line.split(' ').map((value) => ({ kind: 'literal', value }))
  return { kind: 'command', chain: [{ argv, cover: 'wildcard' }], text: line }
}

export const bashCall = (...subjects: readonly (string | Subject)[]): Call =>
  callOf(
    'Bash',
    subjects.map((subject) => (typeof subject === 'string' ? commandSubject(subject) : subject)),
  )

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url
}
