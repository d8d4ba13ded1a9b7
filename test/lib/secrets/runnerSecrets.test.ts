import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRunnerSecret, runnerFiles, runnerSecrets } from '../../../src/lib/secrets/secretsFromEnvironment.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const NAMES = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS', 'ANTHROPIC_FOUNDRY_API_KEY'],
  ...['AWS_BEARER_TOKEN_BEDROCK', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_CONTAINER_AUTHORIZATION_TOKEN'],
  // Names that only look like these.
  ...['ANTHROPIC_BASE_URL', 'MY_ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_AUTH_TOKENS', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ...['AWS_SESSION_TOKEN_2', 'X_AWS_SESSION_TOKEN', 'OTEL_EXPORTER_OTLP_1_HEADERS'],
]
const environment = Object.fromEntries(NAMES.map((name) => [name, `${name.toLowerCase()}-value`]))
const secretNames = (provider: string) => runnerSecrets(environment, provider).map(({ name }) => name)

const OF_RUNNER = NAMES.slice(1, 7)

it('hides from other processes what the run itself uses', () => {
  expect(NAMES.filter(isRunnerSecret)).toEqual([...NAMES.slice(0, 7), 'AWS_SECRET_ACCESS_KEY'])
})

it('gives no child the credentials of the model: those of AWS only where the model is there', () => {
  expect(secretNames('anthropic')).toEqual(OF_RUNNER)
  expect(secretNames('vertex')).toEqual(OF_RUNNER)
  expect(secretNames('bedrock')).toEqual([...OF_RUNNER, ...NAMES.slice(7, 11)])
  expect(runnerSecrets(environment, 'bedrock')[0]?.value).toBe('anthropic_auth_token-value')
})

it('hides the files with such credentials, where they are', () => {
  const folder = makeFolder()
  const key = join(folder, 'key.json')
  writeFileSync(key, '{}')
  const files = {
    ...{ AWS_SHARED_CREDENTIALS_FILE: key, AWS_CONFIG_FILE: join(folder, 'gone'), AWS_WEB_IDENTITY_TOKEN_FILE: '' },
    ...{ AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: key, MY_AWS_CONFIG_FILE: key, AWS_CONFIG_FILES: key },
    ...{
      GOOGLE_APPLICATION_CREDENTIALS: folder,
      GOOGLE_APPLICATION_CREDENTIALS_2: key,
      X_GOOGLE_APPLICATION_CREDENTIALS: key,
    },
  }
  expect(runnerFiles(files, 'bedrock')).toEqual([key, key])
  expect(runnerFiles(files, 'vertex')).toEqual([folder])
  expect(runnerFiles(files, 'anthropic')).toEqual([])
})
