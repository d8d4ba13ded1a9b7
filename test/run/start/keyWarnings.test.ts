import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Policy } from '../../../src/policy/Policy.ts'
import { keyWarnings, secretWarnings } from '../../../src/run/start/keyWarnings.ts'
import type { Children } from '../../../src/run/start/openChildren.ts'
import type { Tool } from '../../../src/Tool.ts'

const poolOf = (...names: readonly string[]) =>
  names.map((name) => ({ name, ...(name.startsWith('mcp') && { mcpInfo: { server: 'a', tool: 'b' } }) })) as Tool[]

it.runIf(process.platform === 'linux').each([
  ['what only reads', ['Read'], 'off', 0],
  ['a shell', ['Read', 'Bash'], 'off', 1],
  ['a server', ['mcp__a__b'], 'off', 1],
  ['a shell in a sandbox', ['Bash'], 'enforced', 0],
] as const)('a key that other processes can see is told for %s', (_, names, state, count) => {
  // What this process was started with, as all others can read it.
  const [, shown = ''] = /(?:^|\0)PATH=([^\0]{8,})/.exec(readFileSync('/proc/self/environ', 'latin1')) ?? []
  const children = { sandbox: { state } } as Children
  const config = { provider: 'anthropic' } as never
  const warnings = keyWarnings({ apiKey: shown, environment: {}, config }, children, poolOf(...names))
  expect(warnings).toEqual(Array.from({ length: count }, () => expect.stringContaining(`process ${process.pid} (`)))
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
