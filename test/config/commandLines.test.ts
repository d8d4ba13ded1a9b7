import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { withSnapshot } from '../../src/config/atSnapshot.ts'
import type { Flag, FlagKind } from '../../src/config/Flag.ts'
import { RUN_FLAGS } from '../../src/config/flags.ts'
import { type FlagValues, parseArguments } from '../../src/config/parseArguments.ts'
import { readPrompt } from '../../src/config/readPrompt.ts'
import { projectRoot, resolveConfig } from '../../src/config/resolveConfig.ts'
import { type Environment, unknownVariables, withEnvironment } from '../../src/config/withEnvironment.ts'
import { messageOf } from '../../src/contracts/errors.ts'
import { runSchema } from '../../src/contracts/policy/settingsSchemas.ts'
import type { RunSettings } from '../../src/contracts/settings.ts'
import { splitWords } from '../../src/github/inputs.ts'
import { loadPolicy } from '../../src/policy/load/loadPolicy.ts'

function configOf(flags: FlagValues, environment: Environment = {}, run: RunSettings = {}) {
  const config = resolveConfig(flags, environment, run, '/srv/project', '/home/me')
  return environment['SNAPSHOT']
    ? withSnapshot(config, { cwd: '/srv/project', root: '/base/project', top: '/srv' })
    : config
}

const plain: Readonly<Record<string, unknown>> = configOf({})

/** What differs from the configuration of a run without any flag. */
function effectOf(config: ReturnType<typeof configOf>): string {
  const changed = Object.entries(config).filter(([key, value]) => !isDeepStrictEqual(value, plain[key]))
  return changed.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')
}

function refusal(error: unknown): string {
  return `refused as ${Reflect.get(Object(error), 'reason')}: ${messageOf(error)}`
}

/** The prompt of a run, its flags, and for a line of ours its configuration; of another command, its words. */
async function told(line: string): Promise<string> {
  const [, piped, rest = line] = /^echo "(.*?)" \| (.*)$/.exec(line) ?? []
  const words = splitWords(rest)
  const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const { RUN = '{}', ...environment } = Object.fromEntries(
    words.slice(0, at).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  )
  const invocation = parseArguments(words.slice(at + 1))
  if (invocation.show !== undefined)
    return `${invocation.show} ${'topic' in invocation ? (invocation.topic ?? '') : ''}`
  const { command, positionals, warnings = [] } = invocation
  const flags = withEnvironment(invocation.flags, environment)
  if (command !== 'run') return [command, ...positionals, JSON.stringify(flags)].join(' ')
  if (rest.startsWith('kode-run')) projectRoot({ cwd: '/' }, flags)
  const run: RunSettings = JSON.parse(RUN)
  const config = configOf(flags, environment, run)
  const asked: string[] = []
  const prompt = readPrompt({
    ...{ argument: positionals[0], flags, cwd: '/', params: run.params ?? {}, isOptional: config.resume !== undefined },
    ...(flags['timeout'] === undefined ? {} : { timeoutMs: config.limits.timeoutMs }),
    readStdin: async (most, patience) => {
      if (piped !== undefined) asked.push(`stdin: at most ${most} bytes, ${JSON.stringify(patience)}`)
      return piped
    },
  })
  const effect = words[at] === 'kode-run' ? effectOf(config) : ''
  return [
    `${await prompt.then(JSON.stringify, refusal)} ${JSON.stringify(flags)}`,
    ...(effect === '' ? [] : [`config: ${effect}`]),
    ...asked,
    ...[...warnings, ...unknownVariables(environment)].map((text) => `! ${text}`),
  ].join('\n    ')
}

// Read it as somebody who types these lines: `npx vitest run test/config/commandLines.test.ts -u` writes it.
it('says what becomes of each command line, or why it is refused', async () => {
  const lines = readFileSync(new URL('commandLines.txt', import.meta.url), 'utf8')
    .split('\n')
    .slice(3)
  const all = lines.map(async (line) => {
    if (line === '' || line.startsWith('== ')) return line
    return `${line}\n  → ${await told(line).catch(refusal)}`
  })
  const golden = (await Promise.all(all)).join('\n')
  // What others' documents say gets an answer, and none of their ways to skip permissions opens anything.
  expect(golden.slice(0, golden.indexOf('== prompts'))).not.toMatch(/unknown/i)
  const skips = /^.*(?:dangerously|yolo|bypassPermissions| -y\b|--full-auto|--sandbox).*\n {2}→ (?!refused as usage)/m
  expect(golden).not.toMatch(skips)
  await expect(golden).toMatchFileSnapshot('golden/commandLines.txt')
})

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

function effectOfWords(words: readonly string[], environment: Environment = {}): string {
  try {
    const invocation = parseArguments(words)
    return invocation.show ?? (effectOf(configOf(invocation.flags, environment)) || 'nothing')
  } catch (error) {
    return `refused: ${messageOf(error)}`
  }
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
    const own = `KODE_RUN_${name.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_')}`.toUpperCase()
    const settings = [own, ...(flag.environment ?? [])].flatMap((variable) =>
      (flag.kind === 'switch' ? ['1', '0', 'x'] : samples.slice(0, 2)).map((value) => [variable, value] as const),
    )
    return [
      ...words.map((word) => `${word} → ${effectOfWords(['run', word, 'x'])}`),
      ...settings.map(([key, value]) => `${key}=${value} → ${effectOfWords(['run', 'x'], { [key]: value })}`),
    ]
  })
  await expect(lines.join('\n')).toMatchFileSnapshot('golden/flags.txt')
})

it('says what each key of `run:` makes of the configuration', async () => {
  const settingsOfRun = runSchema(z.string().regex(/^\d+[sm]$/))
  const values = [3, 0.5, '30s', 'opus', 'https://gateway.example', true, ['a'], { a: 'b' }]
  const given = Object.keys(settingsOfRun.shape).flatMap((key) =>
    values.map((value) => ({ [key]: value })).filter((run) => settingsOfRun.safeParse(run).success),
  )
  const lines = given.map(async (run) => {
    const read = async () => JSON.stringify({ version: 1, run })
    const { settings } = await loadPolicy({ file: '/srv/p.yml', cwd: '/srv/project', home: '/home/me', read })
    return `${JSON.stringify(run)} → ${effectOf(configOf({}, {}, settings.run)) || 'nothing'}`
  })
  await expect((await Promise.all(lines)).join('\n')).toMatchFileSnapshot('golden/settings.txt')
})
