import { parse } from 'yaml'
import { messageOf } from '../contracts/errors.ts'
import type { FileAccess, FileEntry } from '../contracts/files.ts'
import { isObject } from '../lib/isObject.ts'
import { orElse } from '../lib/orElse.ts'
import { splitFrontMatter } from '../lib/text/splitFrontMatter.ts'
import { stripHidden } from '../lib/text/visibleName.ts'

export type Definition = FrontMatter | { readonly problem: string }

/** A folder with `commands`, `agents` and `skills`: the project's `.claude`, or that of a plugin. */
export type DefinitionFolder = {
  readonly folder: string
  readonly files: FileAccess
  /** How names from there begin: `plugin:`; empty for the project. */
  readonly prefix: string
}

/** The names that texts of a folder may use: those of a plugin know where it lies. */
export function variablesOf({ prefix, folder }: DefinitionFolder): Readonly<Record<string, string>> {
  return prefix === '' ? {} : { CLAUDE_PLUGIN_ROOT: folder }
}

const MAX_BYTES = 100_000
/** Names that are valid in rules and listings. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/

/** A Markdown file with front matter, without hidden characters. Never throws. */
export async function readDefinition(path: string, files: FileAccess): Promise<Definition> {
  try {
    if ((await files.stat(path))?.kind === 'link') return { problem: 'it is a link, and none is followed' }
    const { bytes, size } = await files.read(path, { maxBytes: MAX_BYTES })
    if (size > bytes.length) return { problem: `it is larger than ${MAX_BYTES} bytes` }
    const text = orElse(undefined, () => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return text === undefined ? { problem: 'it is not UTF-8' } : parseFrontMatter(stripHidden(text))
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** The entries of a folder; none if it is missing or unreadable. */
export async function listFolder(path: string, files: FileAccess): Promise<readonly FileEntry[]> {
  try {
    return (await files.stat(path))?.kind === 'directory' ? await files.list(path) : []
  } catch {
    // A folder that may not be looked at defines nothing.
    return []
  }
}

/** The name in the front matter, otherwise the file name; undefined if it is invalid. */
export function definedName(keys: FrontMatter['keys'], fallback: string): string | undefined {
  const name = typeof keys['name'] === 'string' && keys['name'] !== '' ? keys['name'] : fallback
  return NAME.test(name) ? name : undefined
}

export function definedDescription(keys: FrontMatter['keys']): string | undefined {
  const text = typeof keys['description'] === 'string' ? keys['description'].replace(/\s+/g, ' ').trim() : ''
  return text === '' ? undefined : text
}

/** The keys of a Markdown file's front matter, and its text. */
export type FrontMatter = { readonly keys: Readonly<Record<string, unknown>>; readonly body: string }

/**
 * Front matter as YAML. If it is not valid YAML (`description: Use this: when …` is common), each `key: text` line is
 * taken literally. Never throws; aliases are not followed.
 */
function parseFrontMatter(text: string): FrontMatter {
  const { frontMatter, body } = splitFrontMatter(text)
  return { keys: readYaml(frontMatter) ?? readLines(frontMatter), body }
}

function readYaml(yaml: string): Readonly<Record<string, unknown>> | undefined {
  // Not YAML: read line by line.
  return orElse(undefined, () => {
    const value: unknown = parse(yaml, { schema: 'core', maxAliasCount: 0, logLevel: 'error' })
    return isObject(value) ? value : undefined
  })
}

function readLines(text: string): Readonly<Record<string, unknown>> {
  const pairs = text.split('\n').flatMap((line) => {
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(0, colon))
    return /^[A-Za-z][\w-]*$/.test(key) ? [[key, line.slice(colon + 1).trim()] as const] : []
  })
  return Object.fromEntries(pairs)
}
