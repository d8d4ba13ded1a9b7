import { basename, join } from 'node:path'
import { namesIn } from '../fs/namesIn.ts'
import { readRegular } from '../fs/readRegular.ts'
import type { Secret } from './secretForms.ts'
import { secretsFromEnvironment } from './secretsFromEnvironment.ts'

const MAX_FILES = 200
const MAX_BYTES = 100_000
/** Without a telling name, a value this long with letters and digits counts as a secret. */
const LONG = /^(?=.*[A-Za-z])(?=.*\d)[^\s/]{20,}$/

/**
 * The secrets in files of settings, logins and keys, and in the files of such folders: values whose names or shapes say
 * so, and whole keys. What is too large or not text has none. Follows no link. Never throws.
 */
export function secretsFromFiles(paths: readonly string[]): Secret[] {
  const files = paths.flatMap((path) => namesIn(path).map((name) => join(path, name)))
  return [...paths, ...files].slice(0, MAX_FILES).flatMap((path) => {
    const text = readRegular(path, MAX_BYTES)?.toString('utf8') ?? ''
    return text.includes('\0') ? [] : secretsIn(basename(path), text)
  })
}

function secretsIn(file: string, text: string): Secret[] {
  if (text.includes('-----BEGIN ')) return [{ name: file, value: text }]
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:$|[#;])/.test(line))
  const [only = ''] = lines
  const pairs = (jsonPairs(text) ?? lines.flatMap(linePairs)).map(([name, value]) => [name, unquoted(value)] as const)
  if (lines.length === 1 && pairs.length === 0)
    return LONG.test(only.trim()) ? [{ name: file, value: only.trim() }] : []
  return pairs.flatMap(([name, value]) =>
    LONG.test(value) ? [{ name, value }] : secretsFromEnvironment({ [name]: value }, []),
  )
}

type Pair = readonly [name: string, value: string]

/** `export NAME="value"`, `name: value`, `//registry.example.com/:_authToken=value`, and the passwords of a `.netrc`. */
function linePairs(line: string): Pair[] {
  const [, name, value] =
    /^\s*(?:export\s+)?([^=\s]+)\s*=\s*(.*)$/.exec(line) ?? /^\s*-?\s*([^:\s]+):\s+(.*)$/.exec(line) ?? []
  if (name !== undefined && value !== undefined) return [[name, value]]
  return [...line.matchAll(/\bpassword\s+(\S+)/g)].map(([, password = '']) => ['password', password])
}

function unquoted(value: string): string {
  const text = value.trim().replace(/,$/, '')
  return /^(["'])(.*)\1/.exec(text)?.[2] ?? text.replace(/\s+#.*$/, '')
}

function jsonPairs(text: string): Pair[] | undefined {
  try {
    return pairsIn('', JSON.parse(text))
  } catch {
    return undefined
  }
}

function pairsIn(name: string, value: unknown): Pair[] {
  if (typeof value === 'string') return [[name, value]]
  return Object.entries(value ?? {}).flatMap(([key, inner]) => pairsIn(Array.isArray(value) ? name : key, inner))
}
