import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createPlaceMatcher } from '../../../src/lib/places/placeMatcher.ts'
import { PLACES, type Place } from '../../../src/lib/places/places.ts'

function namesOf(patterns: readonly string[], path: string): number {
  const place: Place = { kind: 'read-secret', name: 'x', why: 'it is', patterns }
  return createPlaceMatcher([place]).find(path, '/home/me').length
}

describe('createPlaceMatcher', () => {
  it.each<readonly [string, readonly string[], string, boolean]>([
    ['a name at any depth', ['.env'], '/a/b/.env', true],
    ['not as a part of one', ['.env'], '/a/b.env', false],
    ['not what lies below a name', ['.env'], '/a/.env/b', false],
    ['a folder', ['.ssh/**'], '/a/.ssh', true],
    ['what lies below a folder', ['.ssh/**'], '/a/.ssh/b/c', true],
    ['not a name that begins like it', ['.ssh/**'], '/a/.sshd/b', false],
    ['a star within one name', ['*.pem'], '/a/b.pem', true],
    ['and not across names', ['id_*'], '/id_a/b', false],
    ['folders between', ['.git/**/config'], '/p/.git/modules/x/config', true],
    ['or none', ['.git/**/config'], '/p/.git/config', true],
    ['from the root', ['/etc/shadow'], '/etc/shadow', true],
    ['only from the root', ['/etc/shadow'], '/x/etc/shadow', false],
    ['from home', ['~/.npmrc'], '/home/me/.npmrc', true],
    ['only from home', ['~/.npmrc'], '/p/.npmrc', false],
    ['alternatives', ['a.{yml,yaml}'], '/p/a.yaml', true],
    ['what is taken back', ['.env.*', '!.env.example'], '/p/.env.example', false],
    ['and given again', ['id_*', '!id_*.*', 'id_rsa*'], '/p/id_rsa.pub', true],
    ['points are points', ['a.b'], '/p/axb', false],
  ])('%s', (_what, patterns, path, isFound) => {
    expect(namesOf(patterns, path)).toBe(isFound ? 1 : 0)
  })

  it('ignores case in the table', () => {
    expect(namesOf(['~/.nuget/NuGet/**'], '/home/me/.nuget/nuget/x')).toBe(1)
  })
})

describe('PLACES', () => {
  // Each place that the table names, and names that only look like one: a change is seen in review.
  it('protect these paths', async () => {
    const paths = readFileSync(new URL('paths.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
    const { find } = createPlaceMatcher(PLACES)
    const told = paths.map((path) => {
      const places = find(path.toLowerCase().replace(/^~/, '/home/me'), '/home/me')
      return [path, ...places.map(({ kind, name, why }) => `${kind}: ${name} is protected: ${why}`)].join('\n  ')
    })
    await expect(told.join('\n')).toMatchFileSnapshot('golden/places.txt')
  })

  it('each have a unique name', () => {
    for (const { kind, name } of PLACES)
      expect(PLACES.filter((other) => other.kind === kind && other.name === name)).toHaveLength(1)
  })
})
