import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PathForms } from '../../src/contracts/subject.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import type { Policy } from '../../src/policy/Policy.ts'
import { anchorPolicy, followLinks } from '../../src/policy/rules/indexPolicy.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { callOf, formsOf, pathSubject, policyOf } from '../helpers/policy/policyCalls.ts'

/** What a policy of a project says of `read a`, `write b`. */
function verdict(policy: Policy, asked: string): string {
  const [access = '', given = ''] = asked.split(' ')
  const subject = pathSubject(access === 'read' ? 'read' : 'write', given, 'tool', policy.cwd)
  return evaluate(policy, callOf(access === 'read' ? 'Read' : 'Write', [subject])).behavior
}

describe('links', () => {
  it('needs both ends for an allow and one for a deny, which also means the target reached without the link', async () => {
    const cwd = makeFolder()
    for (const name of ['src', 'secret']) mkdirSync(join(cwd, name))
    writeFileSync(join(cwd, 'secret/key'), 'x')
    symlinkSync('../secret', join(cwd, 'src/link'))
    const rows = [
      ['read src/link/key', ['Read(src/**)'], [], 'ask'],
      ['read src/link/key', ['Read(src/**)', 'Read(secret/**)'], [], 'allow'],
      ['read src/link/key', ['Read(./**)'], ['Read(secret/**)'], 'deny'],
      ['read src/link/key', ['Read(./**)'], ['Read(src/link/**)'], 'deny'],
      ['read src/link/key', ['Read(./**)'], ['Read(/secret/key)'], 'deny'],
      ['read secret/key', ['Read(./**)'], ['Read(/src/link/**)'], 'deny'],
    ] as const
    for (const [asked, allow, deny, expected] of rows)
      expect([deny, verdict(await policyOf({ allow, deny }, { cwd }), asked)]).toEqual([deny, expected])
  })

  it('denies the target of a link even if it does not exist yet', async () => {
    const cwd = makeFolder()
    mkdirSync(join(cwd, 'releases/1'), { recursive: true })
    symlinkSync('releases/1', join(cwd, 'current'))
    symlinkSync('releases/2', join(cwd, 'next'))
    const deny = ['Edit(/current/config.yml)', 'Edit(current/sub/**)', 'Read(./current/deep/er/*.txt)', 'Edit(/next/x)']
    const policy = await policyOf({ allow: ['Edit(./**)'], deny }, { cwd })
    const denied = ['write releases/1/config.yml', 'write releases/1/sub/a', 'read releases/1/deep/er/secret.txt']
    for (const asked of [...denied, 'write releases/2/x']) expect(verdict(policy, asked), asked).toBe('deny')
    expect(verdict(policy, 'write releases/1/other.yml')).toBe('allow')
    for (const rule of ['Edit(current)', 'Edit(current/**)', 'Edit(current/*.yml)', 'Edit({current,x}/a.yml)']) {
      const floating = await policyOf({ allow: ['Edit(./**)'], deny: [rule] }, { cwd })
      expect(verdict(floating, 'write releases/1/a.yml'), rule).toBe('deny')
    }
  })

  it('denies the target of a link that was created or moved after the start', async () => {
    const cwd = makeFolder()
    for (const name of ['releases/1', 'releases/2', 'home']) mkdirSync(join(cwd, name), { recursive: true })
    const deny = ['Edit(/current/config.yml)', 'Edit(now/**)']
    const loaded = await policyOf({ allow: ['Edit(./**)', `Edit(/${cwd}/out/**)`], deny }, { cwd })
    expect(followLinks(loaded)).toBe(loaded)
    const config = 'write releases/1/config.yml'
    expect(verdict(loaded, config)).toBe('allow')
    symlinkSync('releases/1', join(cwd, 'current'))
    symlinkSync('releases/2', join(cwd, 'now'))
    const first = followLinks(loaded)
    expect([config, 'write releases/2/x'].map((asked) => verdict(first, asked))).toEqual(['deny', 'deny'])
    unlinkSync(join(cwd, 'current'))
    symlinkSync('releases/2', join(cwd, 'current'))
    const moved = followLinks(first)
    expect([config, 'write releases/1/other'].map((asked) => verdict(moved, asked))).toEqual(['deny', 'allow'])
    expect(followLinks(moved)).toBe(moved)
    const tree = followLinks(anchorPolicy(moved, join(cwd, 'home')))
    expect(verdict(tree, `write ${cwd}/releases/1/config.yml`)).toBe('deny')
  })

  it('follows links as the kernel does, and never allows a path that cannot be judged', async () => {
    const decide = async (rule: string, path: PathForms) =>
      evaluate(
        await policyOf({ allow: [rule] }),
        callOf('Read', [{ kind: 'path', access: 'read', path, source: 'tool' }]),
      )
    expect((await decide('Read(src/**)', { ...formsOf('src/x'), physical: '/etc/x' })).behavior).toBe('ask')
    for (const forms of [
      { ...formsOf('a'), problem: 'a loop of links' },
      { ...formsOf('a'), given: 'a\0b' },
    ])
      expect(await decide('Edit', forms)).toMatchObject({ behavior: 'deny', reason: { type: 'opaque' } })
  })
})
