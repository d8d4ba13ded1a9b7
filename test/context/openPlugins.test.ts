import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { namedPlugins, openPlugins, type PluginPlace } from '../../src/context/openPlugins.ts'
import { messageOf } from '../../src/contracts/errors.ts'
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
  const other = { path, sha256: '0'.repeat(64) }
  expect(() => open([{ path, sha256 }, other])).toThrow(`has the sha256 ${sha256}, but the policy pins 000`)
})

type Spoil = (path: string) => unknown
const PLAIN = { ...manifest('a'), 'commands/a.md': 'one' }

/** What lies in a plugin, and what is done to its folder besides. */
const PLUGINS: readonly (readonly [name: string, files: Record<string, string | object>, spoil?: Spoil])[] = [
  ['the usual', { ...PLAIN, 'agents/x.md': 'x', 'bin/tool': '#!/bin/sh', '.git/HEAD': 'ref: x' }],
  ['without a manifest', { '.mcp.json': { mcpServers: { db: { command: '$CLAUDE_PLUGIN_ROOT/db' } } } }],
  ['without a version', { '.claude-plugin/plugin.json': { name: 'a', version: 1 } }],
  [
    'further folders, hooks and servers',
    {
      ...manifest('a', {
        commands: ['./more/deploy.md', './commands/'],
        agents: './people/',
        skills: ['./one-skill', './skills'],
        hooks: ['./config/hooks.json', { Stop: [] }],
        mcpServers: { api: { command: '${CLAUDE_PLUGIN_ROOT}/api', args: ['$CLAUDE_PLUGIN_ROOTS'] } },
      }),
      'more/deploy.md': 'Deploy.',
      'people/reader.md': 'Reads.',
      'one-skill/SKILL.md': 'Skill.',
      'skills/two/SKILL.md': 'Skill.',
      'commands/a.md': 'one',
      'hooks/hooks.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: '$CLAUDE_PLUGIN_ROOT/stop' }] }] } },
      'config/hooks.json': { PreToolUse: [] },
      '.mcp.json': { db: { command: 'db' } },
    },
  ],
  [
    'parts that are not used',
    {
      ...manifest('a', { lspServers: {}, commands: { x: {} }, license: 'MIT', 'x\n::error::y\u001b[31m': 1 }),
      'output-styles/loud.md': 'x',
      '.lsp.json': {},
      'bin/tool': '#!/bin/sh',
    },
  ],
  // What is no plugin.
  ['a link', PLAIN, (path) => symlinkSync('/etc/passwd', join(path, 'commands', 'b\n::error::y'))],
  ['a name of a path', { ...PLAIN, ...manifest('../b') }],
  ['a long name', { ...PLAIN, ...manifest('a'.repeat(65)) }],
  ['no folder', PLAIN, (path) => rmSync(path, { recursive: true })],
  ['a file', {}, (path) => writeFileSync(path, '')],
  ['a manifest that is no JSON', { ...PLAIN, '.claude-plugin/plugin.json': '{"name":' }],
  ['a manifest that is a list', { ...PLAIN, '.claude-plugin/plugin.json': [] }],
  ['agents outside', { ...PLAIN, ...manifest('a', { agents: '../b' }) }],
  ['skills that are not there', { ...PLAIN, ...manifest('a', { skills: './none' }) }],
  ['itself as skills', { ...PLAIN, ...manifest('a', { skills: './' }) }],
  ['a folder as hooks', { ...PLAIN, ...manifest('a', { hooks: './commands' }) }],
  ['servers that are no JSON', { ...PLAIN, '.mcp.json': 'x' }],
  ['a marketplace', { '.claude-plugin/marketplace.json': {}, 'a/commands/a.md': 'x' }],
  ['something else', { 'README.md': 'x' }],
  ['too much', PLAIN, (path) => truncateSync(writePlugin(path, { big: '' }) && join(path, 'big'), 50_000_001)],
  ['too many', { ...PLAIN, x: '' }, nameOften],
]

/** Names are quicker to make than files. */
function nameOften(path: string): void {
  for (let n = 0; n < 5_000; n++) linkSync(join(path, 'x'), join(path, `x${n}`))
}

// Read it as somebody who names a plugin: `npx vitest run test/context/openPlugins.test.ts -u` writes it.
it('uses all parts that it knows, and says of the others, and of what is no plugin, why not', async () => {
  const told = PLUGINS.map(([name, files, spoil]) => {
    const path = writePlugin(join(makeFolder(), 'plug'), files)
    spoil?.(path)
    try {
      const { list, warnings, folder = '' } = open(namedPlugins([{ path }], [path]))
      const [{ sha256 = '', root = '', name: own, version, hooks = [], servers = [] } = {}] = list
      const copied = readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      const isRun = copied.filter((file) => (statSync(join(root, file)).mode & 0o100) !== 0)
      const lines = [
        ...[`${own} ${version ?? 'of no version'}: ${copied.sort().join(' ')}`, `may be run: ${isRun.join(' ')}`],
        ...[...hooks, ...servers].map(({ label, text }) => `${label}: ${text}`),
        ...warnings.map((warning) => `! ${warning}`),
      ]
      return `== ${name}\n${lines.join('\n').replaceAll(folder, 'COPIES').replaceAll(sha256, 'SHA256')}\n`
    } catch (error) {
      return `== ${name}: refused as ${Reflect.get(Object(error), 'reason')}\n${messageOf(error).replaceAll(path, 'PLUG')}\n`
    }
  })
  await expect(told.join('\n')).toMatchFileSnapshot('golden/plugins.txt')
})

it('refuses two of the same name', () => {
  const [a, b] = [makeFolder(), makeFolder()]
  for (const path of [a, b]) writePlugin(path, manifest('same'))
  expect(() => open([{ path: a }, { path: b }])).toThrow('has the name same, as another plugin has')
})

it('is of the checkout wherever the checkout decides what is there, and is then read from the snapshot', () => {
  const base = makeFolder()
  const [checkout = '', snapshot = '', outside = ''] = ['checkout', 'snapshot', 'outside'].map((name) =>
    join(base, name),
  )
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
