import { describe, expect, it } from 'vitest'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { createHiddenJudge, isHiddenPlace, namedSecrets } from '../../../src/policy/paths/hiddenPlaces.ts'

async function policyOf(permissions: string) {
  const read = async () => `version: 1\npermissions: ${permissions}\n`
  return loadPolicy({ file: '/p/policy.yml', cwd: '/p', home: '/home/me', read })
}

const DENY = '{ allow: [Read], deny: ["Read(secrets/**)", "Read(.env*)", "Read(/a/*.txt)", "Read(//srv/data)"] }'

describe('isHiddenPlace', () => {
  it.each([
    ['what a rule denies', DENY, '/p/.env.example', 'file', true],
    ['the same far down', DENY, '/p/x/y/z/.env', 'file', true],
    ['in capitals', DENY, '/p/.ENV', 'file', true],
    ['a folder that a rule denies', DENY, '/p/secrets', 'folder', true],
    ['what lies in it', DENY, '/p/secrets/a/b', 'file', true],
    ['one place of a pattern', DENY, '/p/a/b.txt', 'file', true],
    [
      'a plain name that a rule denies, wherever it is',
      '{ deny: ["Read(notes.txt)"] }',
      '/p/x/Notes.txt',
      'file',
      true,
    ],
    ['not a name beside it', '{ deny: ["Read(notes.txt)"] }', '/p/x/notes.md', 'file', false],
    ['the one place that a rule names', '{ deny: ["Read(./x/plain)"] }', '/p/x/plain', 'file', true],
    ['not its name elsewhere', '{ deny: ["Read(./x/plain)"] }', '/p/y/plain', 'file', false],
    ['not its neighbours', DENY, '/p/a/b.md', 'file', false],
    ['not a folder that only holds some', DENY, '/p/a', 'folder', false],
    ['a secret by its name', '{}', '/p/x/server.key', 'file', true],
    ['under an allow for everything too', '{ allow: [Read, "Read(**)"] }', '/p/.env', 'file', true],
    ['not one that a rule names', '{ allow: ["Read(x/server.key)"] }', '/p/x/server.key', 'file', false],
    [
      'one that a rule names and another denies',
      '{ allow: ["Read(.env)"], deny: ["Read(.env)"] }',
      '/p/.env',
      'file',
      true,
    ],
    ['a folder of logins', '{}', '/p/.aws', 'folder', true],
    ['not a folder that is called like a key', '{}', '/p/id_map', 'folder', false],
    ['not an ordinary file', '{}', '/p/src/a.ts', 'file', false],
    ['not what a rule denies to be changed', '{ deny: ["Edit(src/**)"] }', '/p/src/a.ts', 'file', false],
    ['nothing for the lack of the tool alone', '{ deny: [Read] }', '/p/src/a.ts', 'file', false],
  ] as const)('%s', async (_what, permissions, path, kind, isHidden) => {
    const policy = await policyOf(permissions)
    expect(isHiddenPlace(policy, path, kind)).toBe(isHidden)
    // What lies in a hidden folder is never asked about.
    if (!path.startsWith('/p/secrets/')) expect(createHiddenJudge(policy)(path, kind)).toBe(isHidden)
  })
})

describe('namedSecrets', () => {
  it('are the literal names in rules', async () => {
    expect(namedSecrets(await policyOf(DENY))).toEqual(['/srv/data'])
    expect(namedSecrets(await policyOf('{ deny: ["Read(./x/y)", "Read(~/notes/**)"] }'))).toEqual([
      '/p/x/y',
      '/home/me/notes',
    ])
  })
})
