import { realpathSync } from 'node:fs'
import path from 'node:path'
import { messageOf } from '../../contracts/errors.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import { readInputFile } from '../../lib/fs/readInputFile.ts'
import { isJson } from '../../lib/text/json.ts'
import type { Finding } from '../Policy.ts'
import { checkPolicy } from './checkPolicy.ts'
import { parseYaml, type YamlFile } from './parseYaml.ts'
import type { PolicyInput } from './policySchema.ts'

/** One policy file that parses as a map of keys. */
export type PolicySource = {
  readonly path: string
  /** The path as messages and records show it: relative inside the project. */
  readonly label: string
  readonly text: string
  readonly yaml: YamlFile
  readonly data: Readonly<Record<string, unknown>>
  readonly input: PolicyInput | undefined
  readonly isSettings: boolean
}

export type ReadPolicyOptions = {
  /** Without a file the policy is `presets: [read-only]`. Relative to `cwd`. */
  readonly file?: string | undefined
  /** The content of `file`, which is then only a name and the place that `extends` starts from. */
  readonly text?: string | undefined
  /** Claude Code settings (`--settings`), each a file's path or JSON text, joined with the policy. They imply `presets: [read-only]`. */
  readonly settings?: readonly string[] | undefined
  /** The project root, absolute and resolved; rules are anchored here. */
  readonly cwd: string
  /** Reads a policy file. Default: regular files of at most 1 MiB in UTF-8. Throws an error with a readable message. */
  readonly read?: ((path: string) => Promise<string>) | undefined
}

const MAX_BYTES = 1024 * 1024
/** Stands for the path of a policy that is no file. */
export const SETTINGS_TEXT = '--settings'
const MAX_DEPTH = 8
const MAX_FILES = 32

/** Reads the policy, then the files it extends, each once, and collects the faults of all files. Decides nothing. */
export async function readPolicyFiles(options: ReadPolicyOptions) {
  const sources: PolicySource[] = []
  const findings: Finding[] = []
  const fail = (file: string, message: string, place = { line: 0, column: 0 }) =>
    findings.push({ file: displayPath(file, options.cwd), ...place, level: 'error', message })
  const read = options.read ?? readRegularFile
  const texts = new Map<string, string>()
  if (options.file !== undefined && options.text !== undefined)
    texts.set(path.resolve(options.cwd, options.file), options.text)

  async function visit(file: string, chain: readonly string[], isSettings: boolean): Promise<string | undefined> {
    if (chain.includes(file))
      return `it extends itself: ${[...chain, file].map((link) => displayPath(link, options.cwd)).join(' → ')}`
    if (chain.length >= MAX_DEPTH) return `more than ${MAX_DEPTH} policies extend one another`
    if (sources.some((source) => source.path === file)) return undefined
    if (sources.length >= MAX_FILES) return `more than ${MAX_FILES} files make up the policy`
    const label = displayPath(file, options.cwd)
    let text: string
    try {
      text = texts.get(file) ?? (await read(file))
    } catch (error) {
      return messageOf(error)
    }
    const checked = checkPolicy(parseYaml(text), { file, label, isSettings })
    findings.push(...checked.findings)
    const { yaml, data, input } = checked
    if (!data) return undefined
    sources.push({ path: file, label, text, yaml, data, input, isSettings: checked.isSettings })
    await visitBases(file, data['extends'], chain, yaml)
    return undefined
  }

  async function visitBases(file: string, bases: unknown, chain: readonly string[], yaml: YamlFile): Promise<void> {
    for (const [index, base] of [bases ?? []].flat().entries()) {
      if (typeof base !== 'string') continue
      const problem = await visit(path.resolve(path.dirname(file), base), [...chain, file], false)
      if (problem === undefined) continue
      const place = yaml.positionOf(Array.isArray(bases) ? ['extends', index] : ['extends'])
      fail(file, `extends ${base}: ${problem}`, place)
    }
  }

  const roots = [
    ...(options.file === undefined ? [] : [{ file: options.file, isSettings: false }]),
    ...(options.settings ?? []).map((file) => ({ file, isSettings: true })),
  ]
  for (const { file, isSettings } of roots) {
    const isText = isSettings && isJson(file)
    if (isText) texts.set(SETTINGS_TEXT, file)
    const absolute = isText ? SETTINGS_TEXT : path.resolve(options.cwd, file)
    const problem = await visit(absolute, [], isSettings)
    if (problem !== undefined) fail(absolute, problem)
  }
  return { sources, findings }
}

/** The text of a regular file. A link is followed only inside its own folder, as in mounted volumes. */
async function readRegularFile(file: string): Promise<string> {
  try {
    const text = await readInputFile(file, { label: '', reason: 'config', maxBytes: MAX_BYTES })
    const target = realpathSync(file)
    if (!isWithin(target, realpathSync(path.dirname(file))))
      throw new Error(`is a link to ${target}; name that file itself`)
    return text
  } catch (error) {
    throw new Error(messageOf(error).replace(` ${file}: `, ''), { cause: error })
  }
}
