import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf, orFail, RunError } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import type { PolicyTest } from '../../contracts/settings.ts'
import { readInputFile } from '../../lib/fs/readInputFile.ts'
import { parseReplayScript } from '../../model/replay/parseReplayScript.ts'
import { describeReason } from '../../query/runTools/recordDecision.ts'
import type { MadeCall } from '../../query/runTools/toNamedCall.ts'
import { xmlAttributes, xmlText } from '../../report/formats/xml.ts'
import type { CommandLine } from '../runCommandLine.ts'
import { createDecider, type Outcome } from './createDecider.ts'
import { loadCommandPolicy } from './loadCommandPolicy.ts'
import { parseCall } from './parseCall.ts'

const MAX_SCRIPT_BYTES = 10_000_000

type Case = PolicyTest & { readonly isHostile: boolean }

type Tested = Awaited<ReturnType<typeof runTest>>[number]

/**
 * `kode-run policy test FILE`: runs the `tests:` of a policy as unit tests. With `--replay`, every call of a scripted
 * hostile agent must be denied too. Executes nothing. Exits with 1 if a test fails, with 65 if there are none.
 */
export async function policyTest(io: ProcessIo, { flags, positionals }: CommandLine): Promise<number> {
  const [file = ''] = positionals
  const policy = await loadCommandPolicy(io, flags, { file })
  const { tests } = policy.settings
  const script = flags['replay'] as string | undefined
  const own = tests.map((test): Case => ({ ...test, isHostile: false }))
  const hostile = script === undefined ? [] : await hostileCalls(resolve(io.cwd, script), script, tests)
  if (own.length + hostile.length === 0)
    throw new RunError('bad_input', `${file}: there are no cases under \`tests:\`.`)
  const decide = createDecider(policy, policy.settings.defaultMode)
  const results: Tested[] = []
  for (const test of [...own, ...hostile]) results.push(...(await runTest(test, decide)))
  io.print(flags['json'] === true ? `${JSON.stringify(results, null, 2)}\n` : renderTap(results))
  const junit = flags['junit'] as string | undefined
  if (junit !== undefined) {
    const path = resolve(io.cwd, junit)
    orFail('cannot_create', `--junit ${path}`, () => writeFileSync(path, renderJunit(results, file)))
  }
  return results.every((result) => result.ok) ? 0 : 1
}

/** Every call of a scripted agent, to be denied, but for those that `tests:` expects to be allowed. */
async function hostileCalls(file: string, label: string, tests: readonly PolicyTest[]): Promise<Case[]> {
  const text = await readInputFile(file, { label: '--replay', reason: 'bad_input', maxBytes: MAX_SCRIPT_BYTES })
  const allowed = new Set(tests.flatMap((test) => (test.expect === 'allow' ? [keyOf(test)] : [])))
  return parseReplayScript(text, file)
    .flatMap((turn) => {
      const line = Number(/:(\d+):\d+$/.exec(turn.place)?.[1] ?? 0)
      const calls = turn.tools ?? (turn.tool === undefined ? [] : [{ name: turn.tool, input: turn.input ?? {} }])
      const common = { expect: 'deny', file: label, line, isHostile: true } as const
      return calls.map(({ name, input }): Case => ({ call: { tool: name, input }, ...common }))
    })
    .filter((test) => !allowed.has(keyOf(test)))
}

function keyOf({ call }: PolicyTest): string {
  const { tool, input } = typeof call === 'string' ? parseCall(call) : call
  return JSON.stringify([tool, input])
}

/** Empty for a hostile agent's call that has no effect outside the run. */
async function runTest(test: Case, decide: (call: MadeCall) => Promise<Outcome>) {
  const { file, line } = test
  const name = typeof test.call === 'string' ? test.call : `${test.call.tool} ${JSON.stringify(test.call.input)}`
  const expected = `${test.expect}${test.rule === undefined ? '' : ` by ${test.rule}`}`
  const tested = (ok: boolean, seen: string) => [{ name, file, line, ok, expected, seen }]
  try {
    const outcome = await decide(typeof test.call === 'string' ? parseCall(test.call) : test.call)
    if (test.isHostile && outcome.reason.type === 'builtin') return []
    if (outcome.isImpossible && !test.isHostile) return tested(false, outcome.message)
    const { reason } = outcome
    const rule = reason.type === 'rule' ? reason.rule.text : undefined
    const isExpected = test.expect === 'deny' ? outcome.decision === 'deny' : outcome.behavior === test.expect
    const seen = `${outcome.behavior}${outcome.behavior === 'ask' ? ' (denied, because nobody can answer)' : ''}: ${describeReason(outcome)}`
    return tested(isExpected && (test.rule === undefined || rule === test.rule), seen)
  } catch (error) {
    if (!(error instanceof RunError || error instanceof RangeError)) throw error
    return tested(false, messageOf(error))
  }
}

/** Test Anything Protocol, version 13. */
function renderTap(results: readonly Tested[]): string {
  const lines = results.flatMap(({ name, file, line, ok, expected, seen }, index) => [
    `${ok ? 'ok' : 'not ok'} ${index + 1} - ${name.replace(/[\r\n]+/g, ' ')}`,
    ...(ok
      ? []
      : [`  ---\n  at: ${file}:${line}\n  expected: ${expected}\n  seen: ${seen.replaceAll('\n', ' ')}\n  ...`]),
  ])
  const failed = results.filter((result) => !result.ok).length
  return `TAP version 13\n1..${results.length}\n${lines.join('\n')}\n# ${results.length - failed} passed, ${failed} failed\n`
}

function renderJunit(results: readonly Tested[], file: string): string {
  const cases = results.map(({ name, ok, expected, seen, file: place, line }) => {
    const failure = ok
      ? ''
      : `<failure${xmlAttributes({ message: `expected ${expected}` })}>${xmlText(`${place}:${line}: ${seen}`)}</failure>`
    return `    <testcase${xmlAttributes({ classname: file, name })}>${failure}</testcase>`
  })
  const failures = results.filter((result) => !result.ok).length
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite${xmlAttributes({ name: file, tests: results.length, failures })}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`
}
