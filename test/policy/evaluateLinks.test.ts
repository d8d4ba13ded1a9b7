import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PathForms } from '../../src/contracts/subject.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import type { Policy } from '../../src/policy/Policy.ts'
import { anchorPolicy, followLinks } from '../../src/policy/rules/indexPolicy.ts'
import { callOf, formsOf, policyOf } from '../helpers/policy/policyCalls.ts'

type Access = 'read' | 'write'

describe('links', () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kode-links-')))
  mkdirSync(path.join(root, 'src'))
  mkdirSync(path.join(root, 'secret'))
  writeFileSync(path.join(root, 'secret/key'), 'x')
  symlinkSync('../secret', path.join(root, 'src/link'))
  const call = (access: Access, given: string) => {
    const subject = { kind: 'path', access, path: formsOf(given, root), source: 'tool' } as const
    return callOf(access === 'read' ? 'Read' : 'Write', [subject])
  }

  it('needs both ends for an allow and one for a deny', async () => {
    const one = await policyOf({ allow: ['Read(src/**)'] }, { cwd: root })
    expect(evaluate(one, call('read', 'src/link/key')).behavior).toBe('ask')
    const both = await policyOf({ allow: ['Read(src/**)', 'Read(secret/**)'] }, { cwd: root })
    expect(evaluate(both, call('read', 'src/link/key')).behavior).toBe('allow')
    for (const rule of ['Read(secret/**)', 'Read(src/link/**)', 'Read(/secret/key)']) {
      const denied = await policyOf({ allow: ['Read(./**)'], deny: [rule] }, { cwd: root })
      expect(evaluate(denied, call('read', 'src/link/key')).behavior).toBe('deny')
    }
  })

  it('denies the target of a link that the rule names, reached without the link', async () => {
    const policy = await policyOf({ allow: ['Read(./**)'], deny: ['Read(/src/link/**)'] }, { cwd: root })
    expect(evaluate(policy, call('read', 'secret/key')).behavior).toBe('deny')
  })

  it('denies the target of a link even if it does not exist yet', async () => {
    const place = realpathSync(mkdtempSync(path.join(tmpdir(), 'kode-links-')))
    mkdirSync(path.join(place, 'releases/1'), { recursive: true })
    symlinkSync('releases/1', path.join(place, 'current'))
    symlinkSync('releases/2', path.join(place, 'next'))
    const rules = [
      'Edit(/current/config.yml)',
      'Edit(current/sub/**)',
      'Read(./current/deep/er/*.txt)',
      'Edit(/next/x)',
    ]
    const policy = await policyOf({ allow: ['Edit(./**)'], deny: rules }, { cwd: place })
    const verdict = (access: Access, given: string) => {
      const subject = { kind: 'path', access, path: formsOf(given, place), source: 'tool' } as const
      return evaluate(policy, callOf('Write', [subject])).behavior
    }
    expect(verdict('write', 'releases/1/config.yml')).toBe('deny')
    expect(verdict('write', 'releases/1/sub/a')).toBe('deny')
    expect(verdict('read', 'releases/1/deep/er/secret.txt')).toBe('deny')
    expect(verdict('write', 'releases/2/x')).toBe('deny')
    expect(verdict('write', 'releases/1/other.yml')).toBe('allow')
    for (const rule of ['Edit(current)', 'Edit(current/**)', 'Edit(current/*.yml)', 'Edit({current,x}/a.yml)']) {
      const floating = await policyOf({ allow: ['Edit(./**)'], deny: [rule] }, { cwd: place })
      const subject = {
        kind: 'path',
        access: 'write',
        path: formsOf('releases/1/a.yml', place),
        source: 'tool',
      } as const
      expect(evaluate(floating, callOf('Write', [subject])).behavior, rule).toBe('deny')
    }
  })

  it('denies the target of a link that was created or moved after the start', async () => {
    const place = realpathSync(mkdtempSync(path.join(tmpdir(), 'kode-links-')))
    for (const name of ['releases/1', 'releases/2', 'home']) mkdirSync(path.join(place, name), { recursive: true })
    const deny = ['Edit(/current/config.yml)', 'Edit(now/**)']
    const loaded = await policyOf({ allow: ['Edit(./**)', `Edit(/${place}/out/**)`], deny }, { cwd: place })
    expect(followLinks(loaded)).toBe(loaded)
    const verdict = (policy: Policy, given: string) => {
      const subject = { kind: 'path', access: 'write', path: formsOf(given, place), source: 'tool' } as const
      return evaluate(policy, callOf('Write', [subject])).behavior
    }
    expect(verdict(loaded, 'releases/1/config.yml')).toBe('allow')
    symlinkSync('releases/1', path.join(place, 'current'))
    symlinkSync('releases/2', path.join(place, 'now'))
    const first = followLinks(loaded)
    expect(verdict(first, 'releases/1/config.yml')).toBe('deny')
    expect(verdict(first, 'releases/2/x')).toBe('deny')
    unlinkSync(path.join(place, 'current'))
    symlinkSync('releases/2', path.join(place, 'current'))
    const moved = followLinks(first)
    expect(verdict(moved, 'releases/1/config.yml')).toBe('deny')
    expect(verdict(moved, 'releases/1/other')).toBe('allow')
    expect(followLinks(moved)).toBe(moved)
    const tree = followLinks(anchorPolicy(moved, path.join(place, 'home')))
    expect(verdict(tree, 'releases/1/config.yml')).toBe('deny')
  })

  it('follows links as the kernel does', async () => {
    const policy = await policyOf({ allow: ['Read(src/**)'] })
    const forms: PathForms = { ...formsOf('src/x'), physical: '/etc/x' }
    const subject = { kind: 'path', access: 'read', path: forms, source: 'tool' } as const
    expect(evaluate(policy, callOf('Read', [subject])).behavior).toBe('ask')
  })

  it('never allows a path that cannot be judged', async () => {
    const policy = await policyOf({ allow: ['Edit'] })
    for (const forms of [
      { ...formsOf('a'), problem: 'a loop of links' },
      { ...formsOf('a'), given: 'a\0b' },
    ]) {
      const decision = evaluate(policy, callOf('Read', [{ kind: 'path', access: 'read', path: forms, source: 'tool' }]))
      expect(decision).toMatchObject({ behavior: 'deny', reason: { type: 'opaque' } })
    }
  })
})
