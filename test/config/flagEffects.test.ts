import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { Flag, FlagKind } from '../../src/config/Flag.ts'
import { RUN_FLAGS } from '../../src/config/flags.ts'
import { parseArguments } from '../../src/config/parseArguments.ts'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { runSchema } from '../../src/contracts/policy/settingsSchemas.ts'
import { loadPolicy } from '../../src/policy/load/loadPolicy.ts'

const SAMPLES: Readonly<Record<Exclude<FlagKind, 'switch' | 'choice'>, readonly string[]>> = {
  text: ['a b', ''],
  file: ['sub/a.json', '/srv/a', '-'],
  count: ['7', '0', '-1', 'x'],
  money: ['1.5', '0', '-1', 'x'],
  duration: ['90s', '2m', '5', 'x'],
  list: ['a,b', 'Bash(a, b),Read', ''],
  repeat: ['a=b', 'a'],
}
/** What a flag reads besides its kind. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  lock: ['owner/name'],
  resume: ['0123456789abcdef'],
  'session-id': ['123e4567-e89b-42d3-a456-426614174000'],
  worktree: ['feature', '../x'],
  agents: ['{"a":{"description":"d","prompt":"p"}}', '{'],
  'json-schema': ['{"type":"object"}', '{'],
  settings: ['{"model":"opus"}'],
  'mcp-config': ['{"mcpServers":{}}'],
  model: ['opus', 'sonnet', 'haiku', 'claude-opus-5'],
}

function configOf(words: readonly string[], environment = {}, policy = {}): Readonly<Record<string, unknown>> | string {
  try {
    const invocation = parseArguments(words)
    if (invocation.show !== undefined) return 'help'
    return resolveConfig(invocation.flags, environment, policy, '/srv/project', '/home/me')
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`
  }
}

const settingsOfRun = runSchema(z.string().regex(/^\d+[sm]$/))
const plain = configOf(['run', 'x'])

function effectOf(config: ReturnType<typeof configOf>): string {
  if (typeof config === 'string' || typeof plain === 'string') return String(config)
  const changed = Object.entries(config).filter(([key, value]) => !isDeepStrictEqual(value, plain[key]))
  return changed.length === 0 ? 'nothing' : changed.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')
}

function samplesOf(name: string, { kind, choices = [] }: Flag): readonly string[] {
  if (kind === 'switch') return []
  return [...(FURTHER[name] ?? []), ...(kind === 'choice' ? [...choices, 'x'] : SAMPLES[kind])]
}

// A flag that goes nowhere, or a limit that no longer arrives, is seen in review: `-u` writes it.
it('says what each flag and each of its variables makes of the configuration', async () => {
  const lines = Object.entries<Flag>(RUN_FLAGS).flatMap(([name, flag]) => {
    const samples = samplesOf(name, flag)
    const words = flag.kind === 'switch' ? [`--${name}`, `--no-${name}`] : samples.map((value) => `--${name}=${value}`)
    const own = `KODE_RUN_${name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toUpperCase()}`
    const settings = [own, ...(flag.environment ?? [])].flatMap((variable) =>
      (flag.kind === 'switch' ? ['1', '0', 'x'] : samples.slice(0, 2)).map((value) => [variable, value] as const),
    )
    return [
      ...words.map((word) => `${word} → ${effectOf(configOf(['run', word, 'x']))}`),
      ...settings.map(([key, value]) => `${key}=${value} → ${effectOf(configOf(['run', 'x'], { [key]: value }))}`),
    ]
  })
  await expect(lines.join('\n')).toMatchFileSnapshot('golden/flags.txt')
})

it('says what each key of `run:` makes of the configuration', async () => {
  const values = [3, 0.5, '30s', 'opus', 'https://gateway.example', true, ['a'], { a: 'b' }]
  const given = Object.keys(settingsOfRun.shape).flatMap((key) =>
    values.map((value) => ({ [key]: value })).filter((run) => settingsOfRun.safeParse(run).success),
  )
  const lines = given.map(async (run) => {
    const read = async () => JSON.stringify({ version: 1, run })
    const { settings } = await loadPolicy({ file: '/srv/p.yml', cwd: '/srv/project', home: '/home/me', read })
    return `${JSON.stringify(run)} → ${effectOf(configOf(['run', 'x'], {}, settings.run))}`
  })
  await expect((await Promise.all(lines)).join('\n')).toMatchFileSnapshot('golden/settings.txt')
})
