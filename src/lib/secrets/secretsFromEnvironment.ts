import { existsSync } from 'node:fs'
import { decodeUri } from '../net/parseUrl.ts'
import type { Secret } from './secretForms.ts'
import { isVendorSecret } from './vendorShapes.ts'

const SECRET_NAME =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIALS?|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY|WEBHOOK|CONNECTION_?STRING|_(?:KEY|PAT|AUTH|DSN|PWD|PASS)$/i
/** Names of variables that say where a secret is or how to get it, but contain none. */
const PLACE_NAME = /_(?:FILE|PATH|DIR|HOME|SOCK|HOST|PORT|NAME|USER|ID_TOKEN_AUDIENCE)$/i
const URL_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]*:[^\s/?#@]+@/i

/**
 * The secrets among environment variables: those named, and those whose name or value looks like one. Values that
 * cannot be secret (short, a number, a URL without credentials) are left out unless they were named.
 */
export function secretsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Secret[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || value.trim() === '') return []
    if (/_HEADERS$/i.test(name)) return headerValues(value).map((text) => ({ name, value: text }))
    return names.includes(name) || isSecret(name, value.trim()) ? [{ name, value }] : []
  })
}

/**
 * The values in a list of headers, without a scheme such as `Bearer`: `Name: value` on lines, as Anthropic's variable
 * has them, or `name=value` with commas and percent signs, as OpenTelemetry's do.
 */
function headerValues(text: string): string[] {
  const lines = text.split(/\r?\n/).flatMap((line) => (/^[\w-]+\s*:/.test(line.trim()) ? [line] : line.split(',')))
  const values = lines.map((line) => line.replace(/^[^:=]*[:=]/, '').trim()).filter((value) => value !== '')
  return [...new Set(values.flatMap((value) => [value, decodeUri(value)].map((each) => each.replace(/^\w+ +/, ''))))]
}

/** Whether a value is a secret whatever its name: a vendor's token, a URL with a password. */
export function isSecretShape(value: string): boolean {
  return isVendorSecret(value) || URL_WITH_PASSWORD.test(value)
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PLACE_NAME.test(name)
}

function isSecret(name: string, value: string): boolean {
  if (isSecretShape(value)) return true
  if (!isSecretName(name)) return false
  if (/^\d{1,11}$/.test(value)) return false
  // GOOGLE_APPLICATION_CREDENTIALS is the path of a file.
  if (/CREDENTIALS$/i.test(name) && /^\/[\w./@-]+$/.test(value)) return false
  return !/^https?:\/\/[^?#@]*$/i.test(value) || /webhook/i.test(name)
}

type Variables = Readonly<Record<string, string | undefined>>

/** Credentials that only kode-run itself uses: for its model, and for its telemetry. */
const OF_RUNNER =
  /^(?:ANTHROPIC_(?:AUTH_TOKEN|CUSTOM_HEADERS|FOUNDRY_API_KEY)|AWS_BEARER_TOKEN_BEDROCK|OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS)$/
/** Credentials that commands may need too, if the model is elsewhere. */
const OF_BEDROCK = /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|CONTAINER_AUTHORIZATION_TOKEN)$/
const FILES: Readonly<Record<string, RegExp>> = {
  bedrock: /^AWS_(?:SHARED_CREDENTIALS|CONFIG|WEB_IDENTITY_TOKEN|CONTAINER_AUTHORIZATION_TOKEN)_FILE$/,
  vertex: /^GOOGLE_APPLICATION_CREDENTIALS$/,
}

/** True for a variable that other processes must not see in `/proc`, because kode-run itself uses it. */
export function isRunnerSecret(name: string): boolean {
  return name === 'ANTHROPIC_API_KEY' || name === 'AWS_SECRET_ACCESS_KEY' || OF_RUNNER.test(name)
}

/** The credentials of the run itself with this provider, which no child gets, whatever the policy says. */
export function runnerSecrets(environment: Variables, provider: string): Secret[] {
  const names = Object.keys(environment).filter(
    (name) => OF_RUNNER.test(name) || (provider === 'bedrock' && OF_BEDROCK.test(name)),
  )
  return secretsFromEnvironment(Object.fromEntries(names.map((name) => [name, environment[name]])), names)
}

/** The files with such credentials that variables name: hidden from commands and tools. */
export function runnerFiles(environment: Variables, provider: string): string[] {
  const names = Object.keys(environment).filter((name) => FILES[provider]?.test(name))
  return names.map((name) => environment[name] ?? '').filter((path) => existsSync(path))
}
