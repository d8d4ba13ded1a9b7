import { expect, test } from 'vitest'
import type { McpServerSettings } from '../../../src/contracts/settings.ts'
import { checkSettings } from '../../../src/mcp/settings/checkSettings.ts'

const stdio = { command: 'server' }
const clashesWith = (name: string) => new RegExp(`its tool names clash with those of the server "${name}"`)

test.each<[string, Record<string, McpServerSettings>]>([
  ['plain names', { files: stdio, 'git-hub': stdio, a_b: stdio, 'my.server': stdio }],
  ['a URL', { remote: { url: 'https://example.com' } }],
  ['nothing', {}],
])('%s are valid', (_, servers) => {
  expect(() => checkSettings(servers)).not.toThrow()
})

test.each<[string, Record<string, McpServerSettings>, RegExp]>([
  ['__ in a name', { a__b: stdio }, /may not contain __/],
  ['what becomes __', { 'a..b': stdio }, /may not contain __/],
  ['_ at the end', { a_: stdio }, /may not begin or end with _/],
  ['_ at the beginning', { _a: stdio }, /may not begin or end with _/],
  ['no name', { '': stdio }, /1 to 40 printable/],
  ['a look-alike', { gіthub: stdio }, /printable ASCII/],
  ['a newline', { 'a\nb': stdio }, /printable ASCII/],
  ['a long name', { ['x'.repeat(41)]: stdio }, /1 to 40/],
  ['two names that look the same to the model', { 'a.b': stdio, a_b: stdio }, clashesWith('a\\.b')],
  ['two names that differ by case', { Files: stdio, files: stdio }, clashesWith('Files')],
  ['neither command nor url', { a: {} }, /needs command/],
  ['both', { a: { command: 'x', url: 'https://x' } }, /not both/],
  ['http without url', { a: { type: 'http' } }, /type http needs url/],
  ['a sandbox for a URL', { a: { url: 'https://x', sandbox: true } }, /sandbox works only for stdio/],
])('%s is refused', (_, servers, expected) => {
  expect(() => checkSettings(servers)).toThrow(expected)
})
