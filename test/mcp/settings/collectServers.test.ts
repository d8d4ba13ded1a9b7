import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Plugin } from '../../../src/contracts/plugins.ts'
import { collectServers } from '../../../src/mcp/settings/collectServers.ts'

const plugin = (name: string, servers: readonly string[], isFromProject = false): Plugin => {
  const text = JSON.stringify({ mcpServers: Object.fromEntries(servers.map((server) => [server, { command: name }])) })
  const place = { path: `/${name}`, source: `/${name}`, root: `/copies/${name}` }
  return { name, ...place, sha256: '', isFromProject, hooks: [], servers: [{ label: name, text }] }
}
const collect = (...plugins: Plugin[]) =>
  collectServers({
    own: {},
    projectFile: join(import.meta.dirname, 'absent.json'),
    configFiles: [],
    plugins,
    isStrict: false,
    warn: () => undefined,
  })

test('servers of plugins have their names, and those of the checkout are its own', async () => {
  const { servers, fromProject } = await collect(plugin('a', ['x', 'y']), plugin('b', ['x'], true))
  expect(Object.keys(servers).sort()).toEqual(['plugin_a_x', 'plugin_a_y', 'plugin_b_x'])
  expect([...fromProject]).toEqual(['plugin_b_x'])
})

test.each([
  ['another plugin', [plugin('a_b', ['c']), plugin('a', ['b_c'])], 'a_b and a'],
  ['a plugin of the checkout', [plugin('a_b', ['c']), plugin('a', ['b_c'], true)], 'a_b and a'],
  ['the same plugin', [plugin('a', ['b.c', 'b_c'])], 'a and a'],
])('no server takes the name of one of %s', async (_, plugins, both) => {
  await expect(collect(...plugins)).rejects.toThrow(`The plugins ${both} both have a server plugin_a_b_c`)
})

test.each([
  ['of a plugin, with --strict-mcp-config', false, { isStrict: true }, 'a do not start: --strict-mcp-config.'],
  ['of a plugin in the checkout, unless the policy lets them', true, { projectFile: undefined }, '`projectMcp: true`'],
])('no servers %s: it is told', async (_, isFromProject, sources, says) => {
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const plugins = [plugin('a', ['x'], isFromProject), { ...plugin('none', [], isFromProject), servers: [] }]
  const base = { own: {}, projectFile: '/nowhere', configFiles: [], plugins, isStrict: false, warn }
  expect((await collectServers({ ...base, ...sources })).servers).toEqual({})
  expect(warnings).toEqual([expect.stringContaining(says)])
})
