import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Behavior } from '../../contracts/decision.ts'
import { RunError } from '../../contracts/errors.ts'
import { isFolder } from '../../lib/fs/folders.ts'
import { findHookFaults } from '../lint/findHookFaults.ts'
import { escapeGlob } from '../matchers/globs.ts'
import { type Finding, OWN_RULE, type Policy } from '../Policy.ts'
import { expandPresets, type PresetName } from '../presets.ts'
import { createLinkResolver, indexPolicy, withRules } from '../rules/indexPolicy.ts'
import { ruleOf } from '../rules/parseRule.ts'
import { readFlagRules, readRules } from '../rules/readRules.ts'
import { type Folders, mergeSettings, resolveFolder } from './mergeSettings.ts'
import { type PolicySource, type ReadPolicyOptions, readPolicyFiles, SETTINGS_TEXT } from './readPolicyFiles.ts'

export type LoadPolicyOptions = ReadPolicyOptions & {
  readonly home: string
  /** Rules and folders from the command line, merged with the file's. */
  readonly flags?: { readonly [Name in 'allow' | 'deny' | 'directories']?: readonly string[] | undefined } | undefined
  /** Names of tools that are not built in (from a library user), so that rules can name them. */
  readonly tools?: readonly string[] | undefined
  /** Absolute paths that no call may write: the transcript folder, the runner's command files. */
  readonly untouchable?: readonly string[] | undefined
}

/** The policy of a run. Throws one `config` error with every fault of every file as `file:line:col message`. */
export async function loadPolicy(options: LoadPolicyOptions): Promise<Policy> {
  const { sources, findings } = await readPolicyFiles(options)
  const { rules: own, findings: ruleFindings } = collectRules(sources, options)
  const all = [
    ...findings,
    ...ruleFindings,
    ...sources.flatMap((source) => certain(source, findHookFaults(source, options.tools ?? []))),
    ...sources.flatMap(findServerClash),
  ]
  const errors = all.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw new RunError('config', formatFindings(errors))
  const { cwd, home, untouchable = [], flags } = options
  const folders = { cwd, home, directories: flags?.directories ?? [] }
  const settings = mergeSettings(sources, folders)
  const warnings = [...all, ...sources.flatMap((source) => findMissingFolders(source, folders))]
  const rules = [...own, ...expandPresets(presetsOf(sources, options), settings.additionalDirectories)]
  const files = sources.map(({ path }) => path)
  const hash = createHash('sha256')
  for (const { text } of sources) hash.update(`${Buffer.byteLength(text)}\n`).update(text)
  const closed = [...files.filter((file) => file !== SETTINGS_TEXT), ...untouchable].flatMap(withTarget)
  return Object.freeze({
    ...{ rules, settings, files, sha256: hash.digest('hex'), warnings, cwd, home },
    ...{ untouchable: [...new Set(closed)], ...indexPolicy({ rules, cwd, home }) },
  })
}

/** One line each, sorted by place in each file. */
export function formatFindings(findings: readonly Finding[]): string {
  return [...new Set(inOrder(findings).map(formatFinding))].join('\n')
}

export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const files = [...new Set(findings.map(({ file }) => file))]
  return files.flatMap((file) =>
    findings.filter((finding) => finding.file === file).toSorted((a, b) => a.line - b.line || a.column - b.column),
  )
}

/** `file:line:col message`, the format of compilers. */
export function formatFinding({ file, line, column, message }: Finding): string {
  return line > 0 ? `${file}:${line}:${Math.max(column, 1)} ${message}` : `${file}: ${message}`
}

export function protectPaths(policy: Policy, paths: readonly string[]): Policy {
  return { ...policy, untouchable: [...new Set([...policy.untouchable, ...paths.flatMap(withTarget)])] }
}

/** The same policy with a rule that lets the read tools open everything below `folder`; a deny rule still wins. */
export function allowReading(policy: Policy, folder: string): Policy {
  return withOwnRule(policy, 'allow', `Read(/${escapeGlob(createLinkResolver()(folder))}/**)`)
}

/** The same policy with an ask rule for reading a file. Nobody answers, so it denies unless a hook allows the call. */
export function askBeforeReading(policy: Policy, file: string): Policy {
  return withOwnRule(policy, 'ask', `Read(/${escapeGlob(file)})`)
}

function withOwnRule(policy: Policy, list: Behavior, text: string): Policy {
  return withRules(policy, [ruleOf(text, list, { file: OWN_RULE, line: 0 })])
}

function collectRules(sources: readonly PolicySource[], { flags, tools = [] }: LoadPolicyOptions) {
  const read = [
    ...sources.map((source) => {
      const { rules, findings } = readRules(source, tools)
      return { rules, findings: certain(source, findings) }
    }),
    readFlagRules(flags?.deny ?? [], 'deny', '--disallowedTools', tools),
    readFlagRules(flags?.allow ?? [], 'allow', '--allowedTools', tools),
  ]
  return { rules: read.flatMap(({ rules }) => rules), findings: read.flatMap(({ findings }) => findings) }
}

/** Drops faults that would only be guesses, because the text around them cannot be parsed. */
function certain({ yaml }: PolicySource, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => !yaml.isDoubtful(finding))
}

/** Claude Code never asks before reading, so its settings do not allow it explicitly. */
function presetsOf(sources: readonly PolicySource[], options: LoadPolicyOptions): readonly PresetName[] {
  const isUnnamed = options.file === undefined && (options.settings ?? []).length === 0
  const isImplied = isUnnamed || sources.some(({ isSettings }) => isSettings)
  const named = sources.flatMap(({ input }) => input?.permissions?.presets ?? [])
  return isImplied ? ['read-only', ...named] : named
}

function withTarget(path: string): readonly string[] {
  const target = createLinkResolver()(path)
  return target === path ? [path] : [path, target]
}

function findMissingFolders({ input, label, yaml }: PolicySource, folders: Folders): readonly Finding[] {
  const path = ['permissions', 'additionalDirectories']
  return (input?.permissions?.additionalDirectories ?? []).flatMap((directory, index): readonly Finding[] => {
    const folder = resolveFolder(directory, folders)
    if (isFolder(folder)) return []
    const message = `${path.join('.')}[${index}]: there is no folder ${folder}`
    return [{ file: label, ...yaml.positionOf([...path, index]), level: 'warning', message }]
  })
}

/** An error for every server whose tool names differ from another's only in case, or in `.` and `_`. */
function findServerClash({ input, label, yaml }: PolicySource): readonly Finding[] {
  const shown = new Map<string, string>()
  return Object.keys(input?.mcpServers ?? {}).flatMap((name): readonly Finding[] => {
    const key = name.replaceAll('.', '_').toLowerCase()
    const other = shown.get(key)
    shown.set(key, other ?? name)
    if (other === undefined) return []
    const path = ['mcpServers', name]
    const message = `${path.join('.')} has the same tool names as the server ${JSON.stringify(other)}; rename one of them`
    return [{ file: label, ...yaml.keyPositionOf(path), level: 'error', message }]
  })
}

const USUAL_POLICY = '.kode/policy.yml'

/** A note if no policy is named although the project has one. It is not used, because a checkout must not choose its policy. */
export function unnamedPolicy({ files, cwd }: Pick<Policy, 'files' | 'cwd'>): readonly string[] {
  if (files.length > 0 || !existsSync(join(cwd, USUAL_POLICY))) return []
  return [`${USUAL_POLICY} is there, but no policy is named, so a run only reads. --policy ${USUAL_POLICY} uses it.`]
}
