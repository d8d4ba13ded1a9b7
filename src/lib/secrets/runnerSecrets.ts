import { existsSync } from 'node:fs'
import type { Secret } from './secretForms.ts'
import { secretsFromEnvironment } from './secretsFromEnvironment.ts'

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
