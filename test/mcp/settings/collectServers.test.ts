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
