import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import { secretsFromFiles } from '../../../src/run/start/openRedactor.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const BODY = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB'
const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${BODY}\n-----END OPENSSH PRIVATE KEY-----\n`
const ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'my-shop-production',
  private_key: KEY,
  client_email: 'robot@my-shop-production.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
})

function secretsIn(text: string): Record<string, string> {
  const root = makeFiles({ secret: text })
  const found = secretsFromFiles([join(root, 'secret'), join(root, 'none')])
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}

it.each<[string, string, Record<string, string>]>([
  [
    'a file of variables: what its name or shape makes a secret',
    '# DB_PASSWORD=changeme\nexport DB_PASSWORD="correct horse 1"\nMAIL_PASS=mailpass99\nTOKEN=correcthorsebattery\nAPI_TOKEN=\'abc-def-1234\' # mine\nPLAIN=wJalrXUtnFEMI/K7MDENG+bPxRfiCY\n',
    {
      DB_PASSWORD: 'correct horse 1',
      MAIL_PASS: 'mailpass99',
      TOKEN: 'correcthorsebattery',
      API_TOKEN: 'abc-def-1234',
      secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY',
    },
  ],
  ['the login in an address', 'DB=postgres://a:opensesame@db/x\nPORT=1\n', { secret: 'postgres://a:opensesame@db/x' }],
  ["git's logins", 'https://joe:tok3nvalue99@example.com\n', { secret: 'https://joe:tok3nvalue99@example.com' }],
  ["npm's login", '//packages.example.test/:_authToken=npm-abcdefgh12\n', { _authToken: 'npm-abcdefgh12' }],
  ['a login of a machine', 'machine example.com login me password opensesame1\n', { password: 'opensesame1' }],
  [
    'YAML',
    'user: me\npassword: opensesame1\nlist:\n  - token: "tok-12345678"\n',
    { password: 'opensesame1', token: 'tok-12345678' },
  ],
  ['XML', '<server><id>central</id><password>opensesame1</password></server>', { password: 'opensesame1' }],
  [
    'JSON, also below',
    '{"auths":{"x":{"auth":"bWU6b3BlbnNlc2FtZTEyMzQ="}},"name":"plain"}',
    { secret: 'bWU6b3BlbnNlc2FtZTEyMzQ=' },
  ],
  ['the body of a key', KEY, { secret: BODY }],
  [
    'a key among variables, in one line',
    `A_TOKEN=1abcdefgh99\nKEY="${KEY.replaceAll('\n', '\\n')}"\nB_TOKEN=abcdefgh88\n`,
    { A_TOKEN: '1abcdefgh99', secret: BODY, B_TOKEN: 'abcdefgh88' },
  ],
  ['a key in JSON, and nothing else of it', ACCOUNT, { secret: BODY }],
  ['one token alone', '0123456789abcdef0123456789abcdef\n', { secret: '0123456789abcdef0123456789abcdef' }],
  ['one word alone', 'hello\n', {}],
  ['what is not text', '\0TOKEN=abcdefgh12345678\n', {}],
  ['what is too large', `TOKEN=${'a1'.repeat(60_000)}\n`, {}],
])('%s', (_, text, expected) => expect(secretsIn(text)).toEqual(expected))

// What is learned is redacted everywhere: in patches, in answers, and in addresses that a run may ask for.
it.each([
  'POSTGRES_PASSWORD=postgres',
  'DB_PASSWORD=password',
  'SECRET_KEY=development',
  'SORT_KEY=created_at',
  'TOKEN=undefined',
  'PASSWORD=localhost',
  'API_KEY=your-api-key-here',
  'API_KEY=<your key>',
  'SECRET_KEY=${SECRET_KEY}',
  'CACHE_KEY=12345678901',
  'REMOTE=ssh://git@example.com/team/project.git',
  'SIGNING_KEY=./keys/signing.pem',
  'NODE_OPTIONS=--max-old-space-size=4096',
  'BUCKET=my-site-name-production-2024',
  'CREDENTIALS=/home/Runner1/work/Shop2/key/file',
  'DATA=build/Release1/Shop/files/x86_64',
  'HOST=ec2-12-34-56-78.compute-1.amazonaws.com',
  'AT=2024-01-01T00:00:00.000Z',
  'URL=https://example.com/docs/password-reset',
])('is no secret: %s', (line) => expect(secretsIn(`${line}\nPORT=1\n`)).toEqual({}))

it('leaves what is around a service account readable', () => {
  const root = makeFiles({ key: ACCOUNT })
  const redactor = createRedactor({ secrets: [] })
  redactor.learn(secretsFromFiles([join(root, 'key')]))
  const text = 'google_service_account at https://pubsub.googleapis.com/v1'
  expect(redactor.text(text)).toBe(text)
  expect(redactor.text(`"${BODY}"`)).toBe('"[REDACTED:key]"')
})

describe('folders', () => {
  it('are read with their folders, without links', () => {
    const root = makeFiles({ 'real.txt': 'TOKEN=abcdefgh-1\n', 'outside/b': 'TOKEN=abcdefgh-2\n' })
    mkdirSync(join(root, 'keys/prod'), { recursive: true })
    writeFileSync(join(root, 'keys/prod/a'), 'TOKEN=abcdefgh-3\n')
    symlinkSync(join(root, 'real.txt'), join(root, 'keys/link'))
    symlinkSync(join(root, 'outside'), join(root, 'keys/more'))
    symlinkSync(join(root, 'outside'), join(root, 'linked'))
    const found = secretsFromFiles([join(root, 'keys'), join(root, 'linked')])
    expect(found).toEqual([{ name: 'TOKEN', value: 'abcdefgh-3' }])
  })
})

it.each([
  ['spaces', `${' '.repeat(99_000)}x`],
  ['spaces after a value', `A=b${' '.repeat(90_000)}c`],
  ['lines that begin keys', '-----BEGIN \n'.repeat(8_000)],
  ['words', `TOKEN=${'a-A-'.repeat(900)}1`],
  ['tags', '<a>'.repeat(1_300)],
  ['addresses', `${'a://b:'.repeat(600)}\n`.repeat(20)],
])('reads hostile files in time: %s', (_, text) => {
  const started = process.cpuUsage()
  secretsIn(text)
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000)
})
