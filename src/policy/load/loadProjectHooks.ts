import { join } from 'node:path'
import { RunError } from '../../contracts/errors.ts'
import type { HookTable } from '../../contracts/settings.ts'
import { readInputFile } from '../../lib/fs/readInputFile.ts'
import { isObject } from '../../lib/isObject.ts'
import { findHookFaults } from '../lint/findHookFaults.ts'
import { checkPolicy } from './checkPolicy.ts'
import { formatFinding, formatFindings } from './loadPolicy.ts'
import { parseYaml, type YamlFile } from './parseYaml.ts'

export type ProjectHooks = { readonly table: HookTable; readonly warnings: readonly string[] }

const FILE = '.claude/settings.json'
const MAX_BYTES = 1024 * 1024

/**
 * The hooks in `.claude/settings.json` below `root`; none if there is no such file. Nothing else in it is used. Throws
 * `RunError('config')` that lists every fault as `file:line:col message`.
 */
export async function loadProjectHooks(root: string, tools: readonly string[] = []): Promise<ProjectHooks> {
  const text = await readText(join(root, FILE))
  const yaml = parseYaml(text ?? '{}')
  const { data: whole, faults } = yaml
  const isNone = isObject(whole) && (whole['disableAllHooks'] === true || whole['hooks'] === undefined)
  if (isNone && faults.length === 0) return { table: {}, warnings: [] }
  return parseHooks(isObject(whole) ? { ...yaml, data: { hooks: whole['hooks'] } } : yaml, FILE, tools)
}

/** The hooks of a file in the format of Claude Code's settings. Throws like `loadProjectHooks`. */
export function parseHooks(file: YamlFile, label: string, tools: readonly string[] = []): ProjectHooks {
  const { yaml, data = {}, input, findings: faults } = checkPolicy(file, { file: label, label, isSettings: true })
  const findings = [...faults, ...findHookFaults({ label, yaml, data }, tools)]
  const errors = findings.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw new RunError('config', formatFindings(errors))
  return { table: (input?.hooks ?? {}) as HookTable, warnings: findings.map(formatFinding) }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readInputFile(file, { label: 'projectHooks:', reason: 'config', maxBytes: MAX_BYTES })
  } catch (error) {
    const { cause } = error as Error
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw error
  }
}
