import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { orElse } from '../../../src/lib/orElse.ts'
import type { Policy } from '../../../src/policy/Policy.ts'
import { findKeyHolders, keyWarnings, secretWarnings } from '../../../src/run/start/keyWarnings.ts'
import type { Children } from '../../../src/run/start/openChildren.ts'
import type { Tool } from '../../../src/Tool.ts'

const poolOf = (...names: readonly string[]) =>
  names.map((name) => ({ name, ...(name.startsWith('mcp') && { mcpInfo: { server: 'a', tool: 'b' } }) })) as Tool[]

const isLinux = process.platform === 'linux'
const read = (path: string) => orElse('', () => readFileSync(path, 'latin1'))

/** This process and those above it, as the kernel tells it in another place. */
function ancestors(pid: number): readonly number[] {
  const parent = Number(/^PPid:\s+(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
  return parent === 0 ? [pid] : [pid, ...ancestors(parent)]
}

it.runIf(isLinux)('a value is held by this process and each above it that has it (needs Linux)', () => {
  const [value = ''] = read('/proc/self/environ').split('\0')
  const expected = ancestors(process.pid).filter((pid) => read(`/proc/${pid}/environ`).includes(value))
  expect(findKeyHolders(value)).toEqual(expected.map((pid) => `${pid} (${read(`/proc/${pid}/comm`).trim()})`))
  expect(expected[0]).toBe(process.pid)
  expect(findKeyHolders('no environment holds this text')).toEqual([])
})

it.runIf(isLinux).each([
  ['what only reads', ['Read'], 'off', 0],
  ['a shell', ['Read', 'Bash'], 'off', 1],
  ['a server', ['mcp__a__b'], 'off', 1],
  ['a shell in a sandbox', ['Bash'], 'enforced', 0],
] as const)('a key that other processes can see is told for %s', (_, names, state, count) => {
  // What this process was started with, as all others can read it.
  const [, shown = ''] = /(?:^|\0)PATH=([^\0]{8,})/.exec(read('/proc/self/environ')) ?? []
  const children = { sandbox: { state } } as Children
  const config = { provider: 'anthropic' } as never
  const warnings = keyWarnings({ apiKey: shown, environment: {}, config }, children, poolOf(...names))
  const all = `the API key is in the environment of process ${findKeyHolders(shown).join(', ')}: without the sandbox, every command of this user can read it in /proc; use --api-key-fd or --api-key-file instead`
  expect(warnings).toEqual(Array.from({ length: count }, () => all))
  expect(keyWarnings({ apiKey: shown.slice(0, 7), environment: {}, config }, children, poolOf(...names))).toEqual([])
})

it.each([
  ['a rule for a shell', 'allow', 'Bash', ['Bash'], 2, 'Commands can read 1/.env, 2/.env, because'],
  ['a server', 'allow', 'Read', ['mcp__a__b'], 7, '1/.env, 2/.env, 3/.env, 4/.env, 5/.env and 2 more, because'],
  ['no shell that is allowed', 'deny', 'Bash', ['Bash'], 2, undefined],
  ['no secret', 'allow', 'Bash', ['mcp__a__b'], 0, undefined],
] as const)('secrets that commands can read are told for %s', (_, list, tool, names, count, words) => {
  const readableSecrets = Array.from({ length: count }, (_, index) => `/p/${index + 1}/.env`)
  const policy = { rules: [{ list, tool }] } as unknown as Policy
  const warnings = secretWarnings('/p', { readableSecrets }, policy, poolOf(...names))
  expect(warnings).toEqual(words === undefined ? [] : [expect.stringContaining(words)])
})
