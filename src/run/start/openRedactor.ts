import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { namesIn } from '../../lib/fs/folders.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { compilePatterns } from '../../lib/secrets/compilePatterns.ts'
import { createRedactor } from '../../lib/secrets/redact.ts'
import type { Secret } from '../../lib/secrets/secretForms.ts'
import {
  isSecretName,
  isSecretShape,
  runnerFiles,
  runnerSecrets,
  secretsFromEnvironment,
} from '../../lib/secrets/secretsFromEnvironment.ts'
import { gitLogins } from '../../sandbox/environment/gitLogins.ts'
import { type RunRequest, workspacesOf } from '../RunRequest.ts'

/** Collects the secrets that no record, log or request may contain, and builds their redactor. */
export async function openRedactor(request: RunRequest, more: readonly Secret[]) {
  const secrets = secretsOf(request)
  const patterns = await compilePatterns(request.policy.settings.redact.patterns)
  return { redactor: createRedactor({ secrets: [...secrets, ...more], patterns }), secrets }
}

function secretsOf(request: RunRequest): Secret[] {
  const { environment, apiKey, policy, home } = request
  const logins = gitLogins(workspacesOf(request), home)
  const found = [...secretsFromEnvironment(environment, policy.settings.redact.env), ...logins]
  const { provider } = request.config
  found.push(...runnerSecrets(environment, provider), ...secretsFromFiles(runnerFiles(environment, provider)))
  return apiKey === undefined ? found : [...found, { name: 'ANTHROPIC_API_KEY', value: apiKey }]
}

const MAX_FILES = 200
const MAX_BYTES = 100_000
/** Levels below a folder that is secret as a whole. */
const DEPTH = 3

/** A name, a sign or a space, and a value, as variables, YAML, JSON, XML and logins have them. A value may be a name too. */
const ASSIGNED =
  /(?<![\w.-])([\w.-]{2,100})["']?[ \t]{0,3}(?:[=:>]|[ \t])[ \t]{0,3}(?=(?:"([^"\n]{8,400})"|'([^'\n]{8,400})'|([^\s"'<>,;]{8,400})))/g
const LOGIN = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'@]{1,400}@[^\s"']{1,400}/gi
const TOKEN = /(?<![\w./~])[A-Za-z0-9+_][A-Za-z0-9+/_]{22,}={0,2}/g

/**
 * The secrets in files of settings, logins and keys, and in the files of such folders. Much in them is no secret, and what
 * is redacted is redacted everywhere: so a value counts by its shape, or if its name says so and it is no mere word. What
 * is too large or not text has none. Follows no link. Never throws.
 */
export function secretsFromFiles(paths: readonly string[]): Secret[] {
  const files = paths.flatMap((path) => filesAt(path, DEPTH))
  return files.slice(0, MAX_FILES).flatMap((path) => {
    const text = readRegular(path, MAX_BYTES)?.toString('utf8') ?? ''
    return text.includes('\0') ? [] : secretsIn(basename(path), text.replaceAll('\\n', '\n'))
  })
}

function filesAt(path: string, depth: number): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() === true) return [path]
  if (stat?.isDirectory() !== true || depth === 0) return []
  return namesIn(path).flatMap((name) => filesAt(join(path, name), depth - 1))
}

function secretsIn(file: string, text: string): Secret[] {
  const named = [...text.matchAll(ASSIGNED)]
    .map(([, name = '', ...values]) => ({ name, value: values.find((value) => value !== undefined) ?? '' }))
    .filter(({ name, value }) => isSecretName(name) && !isWord(value))
  const alone = [
    ...(text.match(LOGIN) ?? []).filter(isSecretShape),
    // Also each line of a key.
    ...(text.match(TOKEN) ?? []).filter(isRandom),
  ]
  return [...named, ...alone.map((value) => ({ name: file, value }))]
}

/** A word, words with `-` or `_` between them, a number, or a place: as values of examples and local services are. */
function isWord(value: string): boolean {
  if (/^[a-z]{16,}$/.test(value)) return false
  const words = /^(?:[A-Z]?[a-z]*|[A-Z]{2,})(?:[-_. ](?:[A-Z]?[a-z]*|[A-Z]{2,}))*$/
  return words.test(value) || /^[\d.]+$|^[.~/$<{]|^https?:/.test(value)
}

/** Without a telling name: as mixed as only a program writes it, with fewer slashes than a path. */
function isRandom(value: string): boolean {
  if (value.split('/').length - 1 > value.length / 16) return false
  return /^(?=.*\d)(?=.*[a-z])(?:(?=.*[A-Z]).*|[a-z0-9]{32,})$/.test(value)
}
