import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { secretsFromFiles } from '../../../src/lib/secrets/secretsFromFiles.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const KEY =
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE KEY-----\n'

it.each<[string, string, Record<string, string>]>([
  [
    'a file of variables: what its name, shape or length makes a secret, and no plain setting',
    '# DB_PASSWORD=commented-out-1\nexport DB_PASSWORD="correct horse 1"\nNODE_ENV=production\nPORT=8080\nHOST=http://localhost/a\nDB=postgres://a:opensesame@db/x\nPLAIN=a1b2c3d4e5f6a7b8c9d0e1\nAPI_TOKEN=\'abc-def-1234\' # mine\n',
    {
      DB_PASSWORD: 'correct horse 1',
      DB: 'postgres://a:opensesame@db/x',
      PLAIN: 'a1b2c3d4e5f6a7b8c9d0e1',
      API_TOKEN: 'abc-def-1234',
    },
  ],
  [
    "npm's login",
    '//registry.example.com/:_authToken=npm-abcdefgh12\n',
    { '//registry.example.com/:_authToken': 'npm-abcdefgh12' },
  ],
  ['a login of a machine', 'machine example.com login me password opensesame1\n', { password: 'opensesame1' }],
  [
    'YAML',
    'user: me\npassword: opensesame1\nlist:\n  - token: "tok-12345678"\n',
    { password: 'opensesame1', token: 'tok-12345678' },
  ],
  [
    'JSON, also below',
    '{"auths":{"x":{"auth":"bWU6b3BlbnNlc2FtZTEyMzQ="}},"name":"plain"}',
    { auth: 'bWU6b3BlbnNlc2FtZTEyMzQ=' },
  ],
  ['a whole key', KEY, { secret: KEY }],
  ['one token alone', 'abcd1234efgh5678ijkl\n', { secret: 'abcd1234efgh5678ijkl' }],
  ['one word alone', 'hello\n', {}],
  ['what is not text', '\0TOKEN=abcdefgh12345678\n', {}],
  ['what is too large', `TOKEN=${'a1'.repeat(60_000)}\n`, {}],
])('%s', (_, text, expected) => {
  const root = makeFiles({ secret: text })
  const found = secretsFromFiles([join(root, 'secret'), join(root, 'none')])
  expect(Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual(expected)
})

it('reads the files of a folder, and follows no link', () => {
  const root = makeFiles({ 'real.txt': 'TOKEN=abcdefgh-1\n' })
  mkdirSync(join(root, 'keys'))
  writeFileSync(join(root, 'keys/a'), 'TOKEN=abcdefgh-2\n')
  symlinkSync(join(root, 'real.txt'), join(root, 'keys/link'))
  expect(secretsFromFiles([join(root, 'keys')])).toEqual([{ name: 'TOKEN', value: 'abcdefgh-2' }])
})
