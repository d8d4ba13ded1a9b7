import { describe, expect, it } from 'vitest'
import { protectionOfGlob } from '../../src/policy/protectedPaths.ts'

describe('protectionOfGlob', () => {
  it.each([
    ['/p/.e*', 'read', '.env'],
    ['/p/.env.pr*', 'read', '.env.pr*'],
    ['/p/.e*.production', 'read', '.e*.production'],
    ['/p/s*.pem', 'read', 's*.pem'],
    ['/p/server.p?m', 'read', 'server.p?m'],
    ['/p/.git/conf*', 'read', '.git/config'],
    ['/p/.git/c[o]nfig', 'read', '.git/config'],
    ['/p/.git/*', 'read', '.git/config'],
    ['/p/.g*/config', 'read', '.git/config'],
    ['/pr?c/*/environ', 'read', '/proc, /sys and /dev'],
    ['/p*/*/environ', 'read', '/proc, /sys and /dev'],
    ['**', 'write', '.git'],
    ['/p/**', 'write', '.git'],
    ['/p/x**', 'write', '.git'],
    ['/p/*', 'read', undefined],
    ['/p/*.md', 'read', undefined],
    ['/p/*m', 'read', 'key.pem'],
    ['/p/s*', 'read', undefined],
    ['/p/.env.exa*', 'read', undefined],
    ['/p/.env*.example', 'read', undefined],
    ['/p/src/*.ts', 'write', undefined],
    ['/p/dist/*', 'write', undefined],
    ['**', 'read', undefined],
  ] as const)('%s, to %s: %s', (glob, access, name) => {
    expect(protectionOfGlob(glob, access)?.name).toBe(name)
  })
})
