import { describe, expect, it } from 'vitest'
import { isHarmlessDevice, isKernelPath, protectionsOf } from '../../../src/policy/paths/judgeProtection.ts'

describe('protections', () => {
  it.each([
    ['/p/.env', 'read', '.env'],
    ['/p/.env.example', 'read', undefined],
    ['/p/a/server.pem', 'read', '*.pem'],
    ['/p/.GIT/config', 'read', '.git/config'],
    ['/p/.git/hooks/x', 'write', '.git'],
    ['/proc/self/environ', 'read', '/proc, /sys and /dev'],
    ['/p/src/a.ts', 'write', undefined],
  ] as const)('%s, to %s: %s', (path, access, name) => {
    expect(protectionsOf(path, access, '/home/u')[0]?.name).toBe(name)
  })

  it('knows harmless devices, and what a rule may open', () => {
    expect([isHarmlessDevice('/dev/null'), isHarmlessDevice('/dev/sda'), isKernelPath('/dev/sda')]).toEqual([
      ...[true, false, true],
    ])
  })
})
