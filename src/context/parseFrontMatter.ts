import { parse } from 'yaml'
import { isObject } from '../lib/isObject.ts'
import { splitFrontMatter } from '../lib/text/splitFrontMatter.ts'

/** The keys of a Markdown file's front matter, and its text. */
export type FrontMatter = { readonly keys: Readonly<Record<string, unknown>>; readonly body: string }

/**
 * Front matter as YAML. If it is not valid YAML (`description: Use this: when …` is common), each `key: text` line is
 * taken literally. Never throws; aliases are not followed.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const { frontMatter, body } = splitFrontMatter(text)
  return { keys: readYaml(frontMatter) ?? readLines(frontMatter), body }
}

function readYaml(yaml: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(yaml, { schema: 'core', maxAliasCount: 0, logLevel: 'error' })
    return isObject(value) ? value : undefined
  } catch {
    // Not YAML: read line by line.
    return undefined
  }
}

function readLines(text: string): Readonly<Record<string, unknown>> {
  const pairs = text.split('\n').flatMap((line) => {
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(0, colon))
    return /^[A-Za-z][\w-]*$/.test(key) ? [[key, line.slice(colon + 1).trim()] as const] : []
  })
  return Object.fromEntries(pairs)
}
