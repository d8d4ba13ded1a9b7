import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { namesIn } from '../fs/namesIn.ts'
import { readRegular } from '../fs/readRegular.ts'
import type { Secret } from './secretForms.ts'
import { isSecretName, isSecretShape } from './secretsFromEnvironment.ts'

const MAX_FILES = 200
const MAX_BYTES = 100_000
const MAX_LINE = 4_000
/** Levels below a folder that is secret as a whole. */
const DEPTH = 3

/**
 * The secrets in files of settings, logins and keys, and in the files of such folders. Much in them is no secret, and what
 * is redacted is redacted everywhere: so a value counts by its shape, or if its name says so and it is no mere word. What
 * is too large or not text has none. Follows no link. Never throws.
 */
export function secretsFromFiles(paths: readonly string[]): Secret[] {
  const files = paths.flatMap((path) => filesAt(path, DEPTH))
  return files.slice(0, MAX_FILES).flatMap((path) => {
    const text = readRegular(path, MAX_BYTES)?.toString('utf8') ?? ''
    return text.includes('\0') ? [] : secretsIn(basename(path), text)
  })
}

function filesAt(path: string, depth: number): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() === true) return [path]
  if (stat?.isDirectory() !== true || depth === 0) return []
  return namesIn(path).flatMap((name) => filesAt(join(path, name), depth - 1))
}

function secretsIn(file: string, text: string): Secret[] {
  const { keys, rest } = takeKeys(text)
  const json = jsonPairs(rest)
  const lines = json === undefined ? rest.split(/\r?\n/).filter((line) => line.length <= MAX_LINE) : []
  const pairs = json ?? lines.filter((line) => !/^\s*[#;]/.test(line)).flatMap(linePairs)
  const alone = lines.map((line) => line.trim()).filter((line) => line !== '')
  return [
    ...keys.map((value) => ({ name: file, value })),
    ...pairs.filter(([name, value]) => isSecret(name, value)).map(([name, value]) => ({ name, value })),
    ...(alone.length === 1 && pairs.length === 0 && isRandom(alone[0] ?? '')
      ? [{ name: file, value: alone[0] ?? '' }]
      : []),
  ]
}

/** The bodies of keys between `BEGIN` and `END`, also with `\n` in words, and the text without these. */
function takeKeys(text: string): { readonly keys: readonly string[]; readonly rest: string } {
  const keys: string[] = []
  let rest = ''
  let at = 0
  for (let begin = text.indexOf('-----BEGIN '); begin !== -1; begin = text.indexOf('-----BEGIN ', at)) {
    const end = text.indexOf('-----END ', begin)
    if (end === -1) break
    keys.push(
      ...(text
        .slice(begin, end)
        .replaceAll('\\n', '\n')
        .match(/[A-Za-z0-9+/=]{32,}/g) ?? []),
    )
    rest += text.slice(at, begin)
    const close = text.indexOf('-----', end + '-----END '.length)
    at = close === -1 ? text.length : close + '-----'.length
  }
  return { keys, rest: rest + text.slice(at) }
}

function isSecret(name: string, value: string): boolean {
  return isSecretShape(value) || isRandom(value) || (isSecretName(name) && value.length >= 8 && !isWord(value))
}

/** A word, words with `-` or `_` between them, a number, or a place: as secret values of examples and local services are. */
function isWord(value: string): boolean {
  if (/^[a-z]{16,}$/.test(value)) return false
  return (
    /^(?:[A-Z]?[a-z]*|[A-Z]{2,})(?:[-_. ](?:[A-Z]?[a-z]*|[A-Z]{2,}))*$/.test(value) ||
    /^[\d.]+$|^[.~/$<{]|^https?:/.test(value)
  )
}

/** Without a telling name: no separators of words, and as mixed as only a program writes it. */
function isRandom(value: string): boolean {
  if (/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/=_]{24,}$/.test(value)) return true
  return /^(?=.*\d)(?=.*[a-z])[a-z0-9]{32,}$/.test(value)
}

type Pair = readonly [name: string, value: string]

/** `export NAME="value"`, `name: value`, `<name>value</name>`, a URL with a password, and the passwords of a `.netrc`. */
function linePairs(line: string): Pair[] {
  const others = [
    ...[...line.matchAll(/\bpassword\s+(\S+)/g)].map(([, value = '']): Pair => ['password', value]),
    ...[...line.matchAll(/<([\w.-]{1,60})>([^<>]{1,400})</g)].map(([, name = '', value = '']): Pair => [name, value]),
    ...(line.match(/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'@]{1,400}@[^\s"']+/gi) ?? []).map(
      (value): Pair => ['login', value],
    ),
  ]
  const text = line.trim()
  const equals = text.indexOf('=')
  const colon = text.search(/: |:$/)
  const at = equals === -1 || /\s/.test(text.slice(0, equals).replace(/^(?:export|-)\s+|\s+$/g, '')) ? colon : equals
  if (at <= 0) return others
  const name = text
    .slice(0, at)
    .replace(/^(?:export|-)\s+/, '')
    .trim()
  return [[unquoted(name), unquoted(text.slice(at + 1))], ...others]
}

function unquoted(given: string): string {
  const text = given.trim().replace(/,$/, '')
  const quoted = /^(["'])(.*)\1/.exec(text)?.[2]
  if (quoted !== undefined) return quoted
  const comment = text.search(/\s#/)
  return comment === -1 ? text : text.slice(0, comment).trimEnd()
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
