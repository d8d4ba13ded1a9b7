import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadAgents } from '../../src/context/loadAgents.ts'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

function project(agents: Readonly<Record<string, string>>): string {
  const root = makeFolder()
  mkdirSync(join(root, '.claude', 'agents'), { recursive: true })
  for (const [name, text] of Object.entries(agents)) writeFileSync(join(root, '.claude', 'agents', name), text)
  return root
}

async function load(root: string | undefined, more: { policy?: object; flag?: string } = {}) {
  const files = createFileAccess({ roots: root === undefined ? [] : [root], forbidden: [] })
  const folders = root === undefined ? [] : [{ folder: join(root, '.claude'), files, prefix: '' }]
  return await loadAgents({ folders, policy: { ...more.policy }, flag: more.flag })
}

describe('loadAgents', () => {
  it('has two built-in agents', async () => {
    const { agents } = await load(undefined)
    expect(agents.map((agent) => agent.name)).toEqual(['Explore', 'general-purpose'])
  })

  it('reads front matter and text', async () => {
    const root = project({
      'reviewer.md':
        '---\nname: reviewer\ndescription: |\n  Reads\n  code\ntools: Read, Grep\nmodel: inherit\nmaxTurns: 7\n---\n\nYou review.\n',
      'helper.md': '---\ndescription: Use it: when needed\ntools: [Read]\nmodel: some-model\n---\nYou help.',
    })
    const { agents, warnings } = await load(root)
    expect(warnings).toEqual([])
    expect(agents.find((agent) => agent.name === 'reviewer')).toEqual({
      name: 'reviewer',
      description: 'Reads code',
      prompt: 'You review.',
      tools: ['Read', 'Grep'],
      maxTurns: 7,
      source: join('.claude', 'agents', 'reviewer.md'),
    })
    expect(agents.find((agent) => agent.name === 'helper')).toMatchObject({
      description: 'Use it: when needed',
      model: 'some-model',
      tools: ['Read'],
    })
  })

  it('removes tools by name, and names the keys of a definition that it ignores', async () => {
    const root = project({
      'a.md': '---\ndescription: d\ndisallowedTools: Write, mcp__git\npermissionMode: plan\n---\nx',
      'b.md': '---\ndescription: d\ndisallowedTools: [Bash]\nhooks: { Stop: [] }\n---\nx',
    })
    const flag = JSON.stringify({ c: { description: 'd', prompt: 'x', disallowedTools: ['Edit'], model: 'inherit' } })
    const { agents, warnings } = await load(root, { flag })
    const away = agents.map(({ name, disallowedTools }) => [name, disallowedTools])
    expect(Object.fromEntries(away)).toMatchObject({ a: ['Write', 'mcp__git'], b: ['Bash'], c: ['Edit'] })
    expect(agents.find(({ name }) => name === 'c')).not.toHaveProperty('model')
    expect(warnings).toEqual([
      expect.stringMatching(/a\.md: its permissionMode is ignored; the policy/),
      expect.stringMatching(/b\.md: its hooks is ignored/),
    ])
  })

  it('prefers the flag to the policy, and the policy to the project', async () => {
    const root = project({ 'a.md': '---\ndescription: project\n---\nx', 'b.md': '---\ndescription: project\n---\nx' })
    const policy = {
      a: { description: 'policy', prompt: 'x' },
      c: { description: 'policy', prompt: 'x', tools: ['Read'] },
    }
    const flag = JSON.stringify({ c: { description: 'flag', prompt: 'x' } })
    const { agents } = await load(root, { policy, flag })
    const sources = Object.fromEntries(agents.map((agent) => [agent.name, agent.description]))
    expect(sources).toMatchObject({ a: 'policy', b: 'project', c: 'flag' })
    expect(agents.find((agent) => agent.name === 'c')?.tools).toBe('*')
  })

  it('warns about unusable files and offers the others', async () => {
    const root = project({
      'empty.md': '---\ndescription: x\n---\n',
      'nothing.md': 'just text',
      'odd.md': '---\nname: "a b\\nc"\ndescription: x\n---\nx',
      'notes.txt': 'x',
      'good.md': '---\ndescription: \u202egood\u200b\n---\nx',
      'large.md': 'x'.repeat(100_001),
      'binary.md': '---\ndescription: x\n---\n',
      'bomb.md': `---\na: &a [x]\nb: [${'*a,'.repeat(1000)}]\ndescription: fine\n---\nx`,
    })
    writeFileSync(join(root, '.claude', 'agents', 'binary.md'), Buffer.from([0xff, 0xfe, 0x00]))
    symlinkSync('/etc/passwd', join(root, '.claude', 'agents', 'link.md'))
    const { agents, warnings } = await load(root)
    expect(warnings).toHaveLength(6)
    expect(warnings.join('\n')).toMatch(/link\.md: not offered/)
    expect(agents.find((agent) => agent.name === 'good')?.description).toBe('good')
    expect(agents.map((agent) => agent.name)).toEqual(['Explore', 'bomb', 'general-purpose', 'good'])
  })

  it.each([
    '{',
    '[]',
    '{"a": {}}',
    '{"a b": {"description": "x", "prompt": "y"}}',
    '{"a": {"description": "x", "prompt": "y", "rights": "all"}}',
  ])('refuses --agents %s as a usage error', async (flag) => {
    await expect(load(undefined, { flag })).rejects.toMatchObject({ reason: 'usage' })
  })
})
