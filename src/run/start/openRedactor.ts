import { compilePatterns } from '../../lib/secrets/compilePatterns.ts'
import { createRedactor, type Redactor } from '../../lib/secrets/redact.ts'
import { runnerFiles, runnerSecrets } from '../../lib/secrets/runnerSecrets.ts'
import type { Secret } from '../../lib/secrets/secretForms.ts'
import { secretsFromEnvironment } from '../../lib/secrets/secretsFromEnvironment.ts'
import { gitLogins } from '../../sandbox/environment/gitLogins.ts'
import { type RunRequest, workspacesOf } from '../RunRequest.ts'
import { secretsFromFiles } from './secretsFromFiles.ts'

/** Collects the secrets that no record, log or request may contain, and builds their redactor. */
export async function openRedactor(
  request: RunRequest,
  more: readonly Secret[],
): Promise<{ readonly redactor: Redactor; readonly secrets: readonly Secret[] }> {
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
