import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPlugins, type PluginPlace } from '../../src/context/openPlugins.ts'
import type { NamedPlugin } from '../../src/contracts/plugins.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { manifest, writePlugin } from '../helpers/runs/plugins.ts'

function open(named: readonly NamedPlugin[], place: Partial<PluginPlace> = {}) {
  const opened = openPlugins(named, { checkout: [], at: (path) => path, ...place })
  onTestFinished(opened.close)
  return opened
}

const hashOf = (path: string) => open([{ path }]).list[0]?.sha256

it('copies what it hashed: later changes of the folder have no effect', () => {
  const path = writePlugin(join(makeFolder(), 'x'), { ...manifest('notes'), 'commands/a.md': 'one' })
  const opened = open([{ path }])
  writePlugin(path, { 'commands/a.md': 'two' })
  const [plugin] = opened.list
  expect(plugin).toMatchObject({ name: 'notes', version: '1.0.0', path, isFromProject: false, hooks: [], servers: [] })
  expect(readFileSync(join(plugin?.root ?? '', 'commands/a.md'), 'utf8')).toBe('one')
  expect(opened.protectedPaths).toEqual([opened.folder, path])
  opened.close()
  expect(existsSync(opened.folder ?? '')).toBe(false)
})

it('hashes names, contents and the right to execute, and nothing else', () => {
  const path = writePlugin(makeFolder(), { ...manifest('a'), 'commands/a.md': 'one', 'commands/b.md': '' })
  const first = hashOf(path)
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  writePlugin(path, { '.git/HEAD': 'ref: x' })
  const other = writePlugin(makeFolder(), { 'commands/b.md': '', 'commands/a.md': 'one', ...manifest('a') })
  expect([hashOf(path), hashOf(other)]).toEqual([first, first])
  chmodSync(join(path, 'commands/a.md'), 0o755)
  const executable = hashOf(path)
  writePlugin(other, { 'commands/a.md': 'two' })
  const moved = writePlugin(makeFolder(), { ...manifest('a'), 'commands/a.md': '', 'commands/b.md': 'one' })
  expect(new Set([first, executable, hashOf(other), hashOf(moved)]).size).toBe(4)
})

it('starts nothing with another hash, and says the one that it found', () => {
  const path = writePlugin(makeFolder(), { ...manifest('a'), 'commands/a.md': 'one' })
  const sha256 = hashOf(path) ?? ''
  expect(open([{ path, sha256, isPolicy: true }, { path }])).toMatchObject({ list: [{ name: 'a' }], warnings: [] })
  expect(open([{ path, isPolicy: true }]).warnings).toEqual([
    `The plugin a is not pinned: write \`sha256: ${sha256}\` beside its path.`,
  ])
  const pins = [
    { path, sha256 },
    { path, sha256: '0'.repeat(64) },
  ]
  expect(() => open(pins)).toThrow(`has the sha256 ${sha256}, but the policy pins 000`)
})

it('reads further folders, hooks and servers that the manifest names, and knows its own folder', () => {
  const path = writePlugin(makeFolder(), {
    ...manifest('a', {
      commands: ['./more/deploy.md'],
      agents: './people/',
      skills: ['./one-skill', './skills'],
      hooks: './config/hooks.json',
      mcpServers: { api: { command: '${CLAUDE_PLUGIN_ROOT}/api' } },
    }),
    'more/deploy.md': 'Deploy.',
    'people/reader.md': 'Reads.',
    'one-skill/SKILL.md': 'Skill.',
    'skills/two/SKILL.md': 'Skill.',
    'hooks/hooks.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: '$CLAUDE_PLUGIN_ROOT/stop' }] }] } },
    'config/hooks.json': { PreToolUse: [] },
    '.mcp.json': { db: { command: 'db' } },
  })
  const [plugin] = open([{ path }]).list
  const root = plugin?.root ?? ''
  const copied = ['commands/deploy.md', 'agents/reader.md', 'skills/one-skill/SKILL.md', 'skills/two/SKILL.md']
  expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([])
  const parsed = [plugin?.hooks, plugin?.servers].map((files) =>
    files?.map(({ label, text }) => [label, JSON.parse(text)]),
  )
  expect(parsed).toEqual([
    [
      ['plugin a, hooks/hooks.json', { hooks: { Stop: [{ hooks: [{ type: 'command', command: `${root}/stop` }] }] } }],
      ['plugin a, config/hooks.json', { hooks: { PreToolUse: [] } }],
    ],
    [
      ['plugin a, .mcp.json', { mcpServers: { db: { command: 'db' } } }],
      ['plugin a, .claude-plugin/plugin.json', { mcpServers: { api: { command: `${root}/api` } } }],
    ],
  ])
})

it('says in one line what it does not use', () => {
  const path = writePlugin(makeFolder(), {
    ...manifest('a', { lspServers: {}, commands: { x: {} }, license: 'MIT' }),
    'output-styles/loud.md': 'x',
    '.lsp.json': {},
    'bin/tool': '#!/bin/sh',
  })
  expect(open([{ path }]).warnings).toEqual([
    'The plugin a has parts that are not used here: output-styles, .lsp.json, bin, lspServers, commands.',
  ])
})

it('says everything in one line', () => {
  const path = writePlugin(makeFolder(), { ...manifest('a', { 'x\n::error::y\u001b[31m': 1 }), 'commands/a.md': 'one' })
  expect(open([{ path }]).warnings).toEqual(['The plugin a has parts that are not used here: x\\n::error::y\\x1b[31m.'])
  symlinkSync('/etc/passwd', join(path, 'b\n::error::y'))
  expect(() => open([{ path }])).toThrow('has b\\n::error::y, which')
})

it.each([
  ['a link', (path: string) => symlinkSync('/etc/passwd', join(path, 'commands', 'x.md')), 'a plugin has no links'],
  ['no name', (path: string) => writePlugin(path, manifest('../b')), 'has the name "../b"'],
  ['no manifest', (path: string) => rmSync(path, { recursive: true }), 'does not exist'],
  ['no JSON', (path: string) => writePlugin(path, { '.claude-plugin/plugin.json': '{' }), 'is not JSON'],
  ['a path outside', (path: string) => writePlugin(path, manifest('a', { agents: '../b' })), 'which is not in it'],
  [
    'a folder as hooks',
    (path: string) => writePlugin(path, manifest('a', { hooks: './commands' })),
    'cannot be used: EISDIR',
  ],
  ['itself', (path: string) => writePlugin(path, manifest('a', { skills: './' })), 'which is not in it'],
])('refuses a folder with %s', (_, spoil, message) => {
  const path = writePlugin(makeFolder(), { ...manifest('a'), 'commands/a.md': 'one' })
  spoil(path)
  expect(() => open([{ path }])).toThrow(message)
})

it('refuses two of the same name, a marketplace, and a folder of something else', () => {
  const [a, b, c, d] = [makeFolder(), makeFolder(), makeFolder(), makeFolder()]
  for (const path of [a, b]) writePlugin(path, manifest('same'))
  writePlugin(c, { '.claude-plugin/marketplace.json': {}, 'a/commands/a.md': 'x' })
  writePlugin(d, { 'README.md': 'x' })
  expect(() => open([{ path: a }, { path: b }])).toThrow('has the name same, as another plugin has')
  expect(() => open([{ path: c }])).toThrow('is a marketplace: name the folder of one of its plugins')
  expect(() => open([{ path: d }])).toThrow('is no plugin')
})

it('is of the checkout wherever the checkout decides what is there, and is then read from the snapshot', () => {
  const base = makeFolder()
  const [checkout, snapshot, outside] = ['checkout', 'snapshot', 'outside'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  writePlugin(join(checkout, 'tools/a'), { ...manifest('a'), 'commands/a.md': 'head' })
  writePlugin(join(snapshot, 'tools/a'), { ...manifest('a'), 'commands/a.md': 'base' })
  writePlugin(join(outside, 'a'), { ...manifest('a'), 'commands/a.md': 'outside' })
  symlinkSync(checkout, join(base, 'link'))
  symlinkSync(join(outside, 'a'), join(checkout, 'tools/elsewhere'))
  symlinkSync(join(outside, 'a'), join(snapshot, 'tools/elsewhere'))
  symlinkSync(join(checkout, 'tools/a'), join(outside, 'inward'))
  const at = (path: string) => path.replace(checkout, snapshot)
  const told = (path: string) => {
    const [plugin] = open([{ path }], { checkout: [checkout], at }).list
    return [plugin?.isFromProject, readFileSync(join(plugin?.root ?? '', 'commands/a.md'), 'utf8')]
  }
  expect(told(join(outside, 'a'))).toEqual([false, 'outside'])
  for (const path of [join(checkout, 'tools/a'), join(base, 'link/tools/a'), join(outside, 'inward')])
    expect(told(path)).toEqual([true, 'base'])
  // The head cannot send the run elsewhere by a link, and neither can the base.
  for (const path of [join(checkout, 'tools/elsewhere'), join(base, 'link/tools/elsewhere')])
    expect(() => told(path)).toThrow('is reached by a link of the checkout')
  // A plugin that has the checkout in it has files that the checkout chooses.
  writePlugin(base, manifest('all'))
  for (const path of [base, join(base, '../', basename(base))])
    expect(() => told(path)).toThrow('contains the checkout')
  rmSync(join(snapshot, 'tools'), { recursive: true })
  mkdirSync(join(snapshot, 'tools'))
  expect(() => told(join(base, 'link/tools/a'))).toThrow('does not exist: name the folder that holds it')
})
