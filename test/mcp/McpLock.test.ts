import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareLock, formatLock, hashList, hashTool, loadLock } from '../../src/mcp/McpLock.ts'

const tool = { name: 'read', description: 'reads', inputSchema: { type: 'object', properties: { a: {}, b: {} } } }
const folder = mkdtempSync(join(tmpdir(), 'kode-run-lock-'))

test('a hash covers name, description and schema, not the order of keys', () => {
  const hash = hashTool(tool)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(hashTool({ ...tool, inputSchema: { properties: { b: {}, a: {} }, type: 'object' } })).toBe(hash)
  expect(hashTool({ ...tool, name: 'Read' })).not.toBe(hash)
  expect(hashTool({ ...tool, description: 'reads\u200b' })).not.toBe(hash)
  expect(hashTool({ ...tool, inputSchema: { type: 'object', properties: { a: {} } } })).not.toBe(hash)
})

test('a list has the same hash in any order', () => {
  const other = { ...tool, name: 'write' }
  expect(hashList([tool, other])).toBe(hashList([other, tool]))
  expect(hashList([tool])).not.toBe(hashList([tool, other]))
})

test('a lock is read back as it was written, one tool a line', () => {
  const lock = { version: 1 as const, servers: { b: {}, a: { read: hashTool(tool), list: hashTool(tool) } } }
  const text = formatLock(lock)
  expect(text.indexOf('"list"')).toBeLessThan(text.indexOf('"read"'))
  expect(text.indexOf('"a"')).toBeLessThan(text.indexOf('"b"'))
  writeFileSync(join(folder, 'mcp.lock'), text)
  expect(loadLock(join(folder, 'mcp.lock'))).toEqual(lock)
})

test('a missing file means no lock; a damaged one is refused', () => {
  expect(loadLock(join(folder, 'none'))).toBeUndefined()
  for (const text of ['{', '{"version":2,"servers":{}}', '{"version":1,"servers":{"a":{"read":"short"}}}']) {
    writeFileSync(join(folder, 'bad'), text)
    expect(() => loadLock(join(folder, 'bad'))).toThrow(
      /bad is not a lock file \(write a new one with kode-run mcp --lock\)/,
    )
  }
  expect(() => loadLock(folder)).toThrow(folder)
})

test('changes are reported by tool', () => {
  expect(compareLock({ a: '1', b: '2', c: '3' }, { a: '1', b: 'x', d: '4' })).toEqual([
    { tool: 'b', kind: 'changed' },
    { tool: 'c', kind: 'missing' },
    { tool: 'd', kind: 'new' },
  ])
})
