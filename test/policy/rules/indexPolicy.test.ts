import { mkdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { evaluate } from '../../../src/policy/evaluate.ts'
import type { CommandSubject } from '../../../src/policy/matchers/command.ts'
import type { Policy } from '../../../src/policy/Policy.ts'
import { anchorPolicy, followLinks } from '../../../src/policy/rules/indexPolicy.ts'
import { commandCandidates, pathCandidates } from '../../../src/policy/rules/indexRules.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { commandSubject, policyOf, type RuleLists, writeCall } from '../../helpers/policy/policyCalls.ts'

let place = ''
beforeEach(() => {
  place = makeFolder()
  for (const name of ['work/real', 'store/sub', 'store2']) mkdirSync(join(place, name), { recursive: true })
})

const link = (to: string, name: string) => symlinkSync(to, join(place, name))
const policy = (lists: RuleLists) => policyOf(lists, { cwd: join(place, 'work') })
const write = (rules: Policy, name: string) => evaluate(rules, writeCall(join(place, name))).behavior

describe('an allow through a link', () => {
  it('from the root means the folder that is there at the start, and no later one', async () => {
    link('store', 'current')
    const loaded = await policy({ allow: [`Edit(/${place}/current/**)`] })
    expect(['store/x', 'store2/x'].map((name) => write(loaded, name))).toEqual(['allow', 'ask'])
    unlinkSync(join(place, 'current'))
    link('store2', 'current')
    const later = followLinks(loaded)
    expect(later).not.toBe(loaded)
    expect(['store/x', 'store2/x'].map((name) => write(later, name))).toEqual(['allow', 'ask'])
  })

  it.each(['Edit(/link/**)', 'Edit(link/**)'])('inside the project is never wider: %s', async (rule) => {
    link('../store', 'work/link')
    expect(write(await policy({ allow: [rule] }), 'store/x')).toBe('ask')
  })
})

describe('a deny through a link', () => {
  const lists = (...deny: string[]) => ({ allow: [`Edit(/${place}/**)`], deny })

  it.each(['Edit(/link/*.txt)', 'Edit(link/*.txt)'])('means at its target what it says: %s', async (rule) => {
    link('../store', 'work/link')
    const rules = await policy(lists(rule))
    const names = ['store/a.txt', 'store/a.md', 'store/sub/x', 'store2/a.txt']
    expect(names.map((name) => write(rules, name))).toEqual(['deny', 'allow', 'allow', 'allow'])
  })

  it('means the target of a folder that is a link itself, below one that is none', async () => {
    link('../../store', 'work/real/sub')
    const rules = await policy(lists('Edit(real/sub/**)'))
    expect(['store/x', 'store2/x', 'work/real/x'].map((name) => write(rules, name))).toEqual(['deny', 'allow', 'allow'])
  })

  it('at any depth does not mean the project, wherever that is', async () => {
    const rules = await policy(lists('Edit(*.pem)'))
    expect(['work/a.pem', 'work/a.txt', 'store/b.pem'].map((name) => write(rules, name))).toEqual([
      ...['deny', 'allow', 'deny'],
    ])
  })

  it('stays in force where the run began, after it moved and the link did', async () => {
    link('../store', 'work/link')
    const loaded = await policy(lists('Edit(/link/x)'))
    const moved = anchorPolicy(loaded, join(place, 'work/real'))
    expect(followLinks(moved)).toBe(moved)
    unlinkSync(join(place, 'work/link'))
    link('../store2', 'work/link')
    const later = followLinks(moved)
    expect(later.origin).not.toBe(moved.origin)
    expect(['store/x', 'store2/x', 'store2/y'].map((name) => write(later, name))).toEqual(['deny', 'deny', 'allow'])
    expect(followLinks(later)).toBe(later)
  })

  it('is extended by one link of several that moved', async () => {
    link('../store', 'work/a')
    link('../store', 'work/b')
    const loaded = await policy(lists('Edit(/a/x)', 'Edit(/b/x)'))
    unlinkSync(join(place, 'work/b'))
    link('../store2', 'work/b')
    expect(write(followLinks(loaded), 'store2/x')).toBe('deny')
  })
})

describe('the index', () => {
  it('has one pattern for a folder that is no link', async () => {
    const { index } = await policy({ deny: ['Edit(/real/x)', 'Edit(real)', 'Edit(*.pem)'] })
    expect(index.deny.write.all).toHaveLength(3)
  })

  it('asks a command only about rules that may mean it', async () => {
    const { index } = await policy({
      deny: ['Bash(git push *)', 'Bash(rm *)', 'Bash(* --force)', 'Bash(git*log)', 'Bash(ls)'],
    })
    const asked = (line: string) =>
      commandCandidates(index.deny.commands, commandSubject(line) as CommandSubject).map(({ rule }) => rule.text)
    expect(asked('git status').sort()).toEqual(['Bash(* --force)', 'Bash(git push *)', 'Bash(git*log)'])
    expect(asked('/bin/rm x').sort()).toEqual(['Bash(* --force)', 'Bash(git*log)', 'Bash(rm *)'])
    expect(
      commandCandidates(index.deny.commands, { kind: 'command', chain: [{ argv: [], cover: 'exact' }], text: '' }),
    ).toEqual(index.deny.commands.all)
  })

  it('asks a path only about rules of the folders above it and of its names', async () => {
    const { index } = await policy({ deny: ['Edit(/a/**)', 'Edit(/b/x)', 'Edit(c.txt)', 'Edit(*.pem)', 'Edit(//)'] })
    const asked = (name: string) =>
      [...new Set(pathCandidates(index.deny.write, join(place, 'work', name)))].map(({ rule }) => rule.text).sort()
    expect(asked('a/y')).toEqual(['Edit(*.pem)', 'Edit(//)', 'Edit(/a/**)'])
    expect(asked('d/C.txt/e')).toEqual(['Edit(*.pem)', 'Edit(//)', 'Edit(c.txt)'])
    expect([...pathCandidates(index.deny.write, '/')].map(({ rule }) => rule.text).sort()).toEqual([
      'Edit(*.pem)',
      'Edit(//)',
    ])
  })
})
