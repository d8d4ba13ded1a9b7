import { describe, expect, it } from 'vitest'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { createHiddenJudge, isHiddenPlace } from '../../../src/policy/paths/hiddenPlaces.ts'

async function policyOf(permissions: string) {
  const read = async () => `version: 1\npermissions: ${permissions}\n`
  return loadPolicy({ file: '/p/policy.yml', cwd: '/p', home: '/home/me', read })
}

const DENY = '{ allow: [Read], deny: ["Read(secrets/**)", "Read(.env*)", "Read(/a/*.txt)", "Read(//srv/data)"] }'

describe('isHiddenPlace', () => {
  it.each([
    ['what a rule denies', DENY, '/p/.env.example', 'file', true],
    ['in capitals', DENY, '/p/.ENV', 'file', true],
    ['a folder that a rule denies', DENY, '/p/secrets', 'folder', true],
    ['what lies in it', DENY, '/p/secrets/a/b', 'file', true],
    ['a secret by its name', '{}', '/p/x/server.key', 'file', true],
    ['under an allow for everything too', '{ allow: [Read, "Read(**)"] }', '/p/.env', 'file', true],
    ['not one that a rule names', '{ allow: ["Read(x/server.key)"] }', '/p/x/server.key', 'file', false],
    ['one that is named and denied', '{ allow: ["Read(.env)"], deny: ["Read(.env)"] }', '/p/.env', 'file', true],
    ['not an ordinary file', '{}', '/p/src/a.ts', 'file', false],
  ] as const)('%s', async (_what, permissions, path, kind, isHidden) => {
    const policy = await policyOf(permissions)
    expect(isHiddenPlace(policy, path, kind)).toBe(isHidden)
    // What lies in a hidden folder is never asked about.
    if (!path.startsWith('/p/secrets/')) expect(createHiddenJudge(policy)(path, kind)).toBe(isHidden)
  })
})
