import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  isRunnerSecret,
  runnerFiles,
  runnerSecrets,
  secretsFromEnvironment,
} from '../../../src/lib/secrets/secretsFromEnvironment.ts'
import { wordsIn } from '../../../src/lib/text/words.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const names = (environment: Record<string, string | undefined>, named: readonly string[] = []): string[] =>
  secretsFromEnvironment(environment, named).map(({ name }) => name)

it.each([
  ...wordsIn('GITHUB_TOKEN MY_SECRET DB_PASSWORD ANTHROPIC_API_KEY SIGNING_KEY DEPLOY_PAT MY_TOKEN_2 CLIENT_SECRETS'),
  ...wordsIn('DB_PASSWD PASSWORDS KEY_PASSPHRASE CREDENTIAL AWS_CREDENTIALS APIKEY X_API_KEY_OLD ACCESSKEY'),
  ...wordsIn('ACCESS_KEY_ID PRIVATEKEY PRIVATE_KEY_PEM SIGNINGKEY ENCRYPTIONKEY ENCRYPTION_KEY_V1 MY_WEBHOOK'),
  ...wordsIn('CONNECTIONSTRING CONNECTION_STRING_RO DEPLOY_KEY GH_PAT NPM_AUTH SENTRY_DSN DB_PWD deploy_key'),
])('%s names a secret', (name) => {
  expect(names({ [name]: 'abc12345' })).toEqual([name])
})

it.each([
  ...wordsIn('KEYBOARD DEPLOY_KEY_BACKUP PATTERN AUTHOR OLDPWD PWD MONKEY DSN MY_PATTERN PATH XAUTHORITY token_file'),
  ...wordsIn('TOKEN_FILE SECRET_PATH CREDENTIALS_DIR SECRET_HOME SECRET_SOCK TOKEN_HOST TOKEN_PORT SECRET_NAME'),
  ...wordsIn('TOKEN_USER GCP_SECRET_ID_TOKEN_AUDIENCE SSH_AUTH_SOCK'),
])('%s names none, or only where one is', (name) => {
  expect(names({ [name]: 'abc12345' })).toEqual([])
})

it.each([
  ['a place in its middle', 'TOKEN_FILES', 'abc12345', true],
  ['a long number', 'ACCESS_TOKEN', '123456789012', true],
  ['a number', 'MAX_TOKENS', '12345678901', false],
  ['a number with a letter', 'ACCESS_TOKEN', '1234567a', true],
  ['blanks alone', 'ACCESS_TOKEN', ' \t ', false],
  ['nothing', 'ACCESS_TOKEN', '', false],
  ['a number between blanks', 'MAX_TOKENS', ' 4096 ', false],
  ['an address', 'TOKEN_URL', 'HTTP://login.example.com/a', false],
  ['an address with a user', 'SENTRY_DSN', 'https://abc123@sentry.example.com/1', true],
  ['an address that is itself a secret', 'SLACK_WEBHOOK_URL', 'https://hooks.example.com/a/b', true],
  ['an address with a query', 'TOKEN_URL', 'https://login.example.com/?sig=abc', true],
  ['an address with a fragment', 'TOKEN_URL', 'https://login.example.com/#abc', true],
  ['an address of another kind', 'TOKEN_URL', 'redis://login.example.com/a', true],
  ['an address behind other words', 'TOKEN_URL', 'at https://login.example.com', true],
  ['a password in an address', 'PLAIN', 'amqp+ssl://me:pw@host/x', true],
  ['a password without a name', 'PLAIN', 'redis://:pw@host/x', true],
  ['a name without a password', 'PLAIN', 'redis://me@host/x', false],
  ['an address that is not at the start', 'PLAIN', 'see redis://me:pw@host', false],
  ['a port, and an at sign in the path', 'PLAIN', 'https://host:80/a@b', false],
  ["a vendor's shape between blanks", 'PLAIN', ` npm_${'a1B2'.repeat(9)}\n`, true],
  ["a vendor's shape among other words", 'PLAIN', `it is npm_${'a1B2'.repeat(9)}`, false],
])('%s: %s=%j', (_, name, value, isSecret) => {
  expect(names({ [name]: value })).toEqual(isSecret ? [name] : [])
})

it('gives the value as it is, and takes none that is blank even if it is named', () => {
  expect(secretsFromEnvironment({ A_TOKEN: ' abc ', B: ' ', C: '1', D: '1', E_TOKEN: undefined }, ['B', 'C'])).toEqual([
    { name: 'A_TOKEN', value: ' abc ' },
    { name: 'C', value: '1' },
  ])
})

it('takes the values of headers, not their names, and no place of a file', () => {
  const found = secretsFromEnvironment(
    {
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc%20def0123456,x-team=eng',
      ANTHROPIC_CUSTOM_HEADERS: 'Authorization : Bearer tok-0123456789, and more\n  X-A: b:c=d,e\nno-value:\n',
      GOOGLE_APPLICATION_CREDENTIALS: '/home/runner/work/login.json',
      OTHER_CREDENTIALS: '{"private_key":"x"}',
    },
    [],
  )
  expect(found.map(({ name, value }) => `${name} ${value}`)).toEqual([
    ...['abc%20def0123456', 'def0123456', 'eng'].map((value) => `OTEL_EXPORTER_OTLP_HEADERS ${value}`),
    ...['tok-0123456789, and more', 'b:c=d,e'].map((value) => `ANTHROPIC_CUSTOM_HEADERS ${value}`),
    'OTHER_CREDENTIALS {"private_key":"x"}',
  ])
})

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
