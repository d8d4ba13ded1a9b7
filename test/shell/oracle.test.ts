import { describe, expect, test } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { CHECKS, type Checks } from '../../src/shell/checks.ts'
import { judgeLine } from '../../src/shell/judgeLine.ts'
import { judgeCommand } from '../helpers/judgeCommand.ts'
import { runOracle } from '../helpers/oracle/runOracle.ts'
import { HAS_BWRAP } from '../helpers/oracle/stage.ts'
import { ATTACKS } from './corpus/attacks.ts'
import { EVERYDAY } from './corpus/everyday.ts'

const corpus = [...ATTACKS, ...EVERYDAY].map((row) => row.text).filter((text) => text.length < 500)

describe('the oracle: generated lines, the allowed ones run for real', () => {
  test('500 lines: nothing outside the rules runs or is written', { timeout: 120_000 }, () => {
    const report = runOracle({ count: 500, seed: 20_261_121, corpus, analyze: analyzeCommand })
    expect(report.violations).toEqual([])
    expect(report.allowed).toBeGreaterThan(50)
  })
})

test.runIf(HAS_BWRAP)('a canonical text that runs something else is told from one where a closed pipe decides', () => {
  const chance = 'for f in a; do >&2 echo 1>&2 || run sub file b; done |& grep'
  const report = runOracle({
    count: 2,
    seed: 1,
    corpus,
    lines: ['run a', chance],
    analyze: (text, context) => {
      const analysis = analyzeCommand(text, context)
      return text === 'run a' ? { ...analysis, canonical: 'run b' } : analysis
    },
  })
  expect(report.violations.filter((text) => text.includes('canonical ran'))).toEqual([
    expect.stringContaining('"run b"'),
  ])
})

const unchecked = (): undefined => undefined

/** One check of each section of the judgement switched off, and a line that then gets through. */
const WEAKENED: readonly [string, Partial<Checks>, readonly string[]][] = [
  ['refuse early', { refusalOf: unchecked }, ['run a\u000b', 'run \u007f']],
  ['braces and tildes', { literalProblem: unchecked }, ['run a{b@P},c}', 'run x=~', 'run a:~']],
  ['copies of descriptors', { duplicateProblem: unchecked }, ['2>&-touch run', 'run >&pwned']],
  [
    'the directory',
    { changeDirectory: (_words, { context }) => ({ cwd: context.cwd }) },
    ['cd sub && run > out/f', 'cd .. && run > pwned'],
  ],
  ['git after cd', { placeProblem: unchecked }, ['cd repo && git status']],
  ['assignments', { assignmentProblem: unchecked }, ['PATH=evildir run', 'PATH=evildir:. run a']],
  [
    'wrappers',
    { wrapperKind: () => 'none' },
    ['env touch pwned', "bash -c 'touch pwned'", 'eval touch pwned', 'timeout 5 touch pwned'],
  ],
  [
    'options',
    { flagProblem: unchecked },
    ['sort -o pwned a', 'find . -fprint pwned', "sed 'w pwned' a", 'uniq a pwned'],
  ],
  ['operands', { fileOperands: () => [] }, ['cat .secret', 'sort ./.secret']],
]

describe.skipIf(!HAS_BWRAP)('the oracle notices (needs bubblewrap)', () => {
  test.each(WEAKENED)('%s switched off', (_name, weakened, lines) => {
    const checks = { ...CHECKS, ...weakened }
    const given = { count: lines.length, seed: 1, corpus: [], lines }
    expect(runOracle({ ...given, analyze: analyzeCommand }).violations).toEqual([])
    const report = runOracle({ ...given, analyze: (text, context) => judgeLine(text, context, checks) })
    expect(report.violations).not.toEqual([])
  })

  test('parse errors switched off', () => {
    const checks = { ...CHECKS, parseProblem: unchecked }
    const given = { count: 3, seed: 1, corpus: [], lines: ['run a; (', 'run a; fi', 'run "a'] }
    expect(runOracle({ ...given, analyze: analyzeCommand }).refused).toEqual([])
    const report = runOracle({ ...given, analyze: (text, context) => judgeLine(text, context, checks) })
    expect(report.refused).not.toEqual([])
  })

  test('word boundaries switched off', () => {
    const judge: typeof judgeCommand = (analysis, rules, root) =>
      judgeCommand(
        {
          ...analysis,
          subjects: analysis.subjects.filter(
            (subject) => subject.kind !== 'command' || !subject.text.startsWith('run'),
          ),
        },
        rules,
        root,
      )
    const given = { count: 1, seed: 1, corpus: [], lines: ['runaway a'], analyze: analyzeCommand }
    expect(runOracle(given).violations).toEqual([])
    expect(runOracle({ ...given, judge }).violations).not.toEqual([])
  })

  test('a check switched off is found among generated lines too', { timeout: 120_000 }, () => {
    const checks: Checks = { ...CHECKS, literalProblem: unchecked, flagProblem: unchecked, wrapperKind: () => 'none' }
    const report = runOracle({
      count: 200,
      seed: 7,
      corpus,
      analyze: (text, context) => judgeLine(text, context, checks),
    })
    expect(report.violations).not.toEqual([])
  })
})
