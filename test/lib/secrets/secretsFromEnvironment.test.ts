import { expect, it } from 'vitest'
import { secretsFromEnvironment } from '../../../src/lib/secrets/secretsFromEnvironment.ts'

const names = (environment: Record<string, string | undefined>, named: readonly string[] = []): string[] =>
  secretsFromEnvironment(environment, named).map(({ name }) => name)

it.each([
  ['GITHUB_TOKEN', 'abc12345'],
  ['MY_SECRET', 'abc12345'],
  ['DB_PASSWORD', 'abc12345'],
  ['ANTHROPIC_API_KEY', 'abc12345'],
  ['SIGNING_KEY', 'abc12345'],
  ['DEPLOY_PAT', 'abc12345'],
  ['SENTRY_DSN', 'https://abc123@sentry.example.com/1'],
  ['SLACK_WEBHOOK_URL', 'https://hooks.example.com/a/b'],
  ['ACTIONS_ID_TOKEN_REQUEST_URL', 'https://x.example.com/token?api-version=2&sig=abc'],
  ['UNSUSPICIOUS', `ghp_${'a1B2'.repeat(9)}`],
  ['DATABASE_URL', 'postgres://app:pw12345@db/x'],
])('%s is a secret', (name, value) => {
  expect(names({ [name]: value })).toEqual([name])
})

it.each([
  ['PATH', '/usr/bin'],
  ['SSH_AUTH_SOCK', '/tmp/agent.1'],
  ['TOKEN_FILE', '/run/token'],
  ['MAX_OUTPUT_TOKENS', '64000'],
  ['GITHUB_TOKEN', ''],
  ['GITHUB_TOKEN', undefined],
  ['AUTH_TOKEN_URL', 'https://login.example.com/oauth/token'],
  ['DATABASE_URL', 'postgres://db/x'],
])('%s=%s is not a secret', (name, value) => {
  expect(names({ [name]: value })).toEqual([])
})

it('includes every listed variable', () => {
  expect(names({ PATH: '/usr/bin', PLAIN: 'hello-world' }, ['PLAIN'])).toEqual(['PLAIN'])
})
