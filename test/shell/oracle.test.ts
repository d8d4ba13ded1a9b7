import { describe, expect, test } from 'vitest'
import type { Subject } from '../../src/contracts/subject.ts'
import { analyzeCommand, type ShellAnalysis } from '../../src/shell/analyzeCommand.ts'
import { runOracle } from '../helpers/oracle/runOracle.ts'
import { HAS_BWRAP } from '../helpers/oracle/stage.ts'
import { sampled } from '../helpers/sampled.ts'
import { ATTACKS } from './corpus/attacks.ts'
import { EVERYDAY } from './corpus/everyday.ts'

const corpus = [...ATTACKS, ...EVERYDAY].map((row) => row.text).filter((text) => text.length < 500)

describe.skipIf(!HAS_BWRAP)('the oracle: generated lines, the allowed ones run for real (needs bubblewrap)', () => {
  // Many more lines are in `oracle.long.test.ts`.
  test('15 lines: nothing outside the rules runs', () => {
    const report = runOracle({ count: 15, seed: 20_261_123, corpus, analyze: analyzeCommand })
    expect(report.violations).toEqual([])
    expect(report.allowed).toBeGreaterThan(0)
  })
})

test.runIf(HAS_BWRAP)('distinguishes a wrong canonical text from a closed pipe', { tags: 'long' }, () => {
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

/** What a judgement would be that overlooks one thing, and a line that then gets through. */
const WEAKENED: readonly [string, (subject: Subject) => readonly Subject[], readonly string[]][] = [
  ['opaque parts', (subject) => (subject.kind === 'opaque' ? [] : [subject]), ['PATH=evildir; run']],
  [
    'commands that no rule covers',
    (subject) => (subject.kind === 'command' && subject.text.startsWith('evil') ? [] : [subject]),
    ['evil a'],
  ],
  [
    'assignments before a command',
    (subject) =>
      subject.kind === 'command'
        ? [{ ...subject, chain: subject.chain.map((link) => ({ ...link, cover: 'wildcard' as const })) }]
        : [subject],
    ['PATH=evildir run', 'find . -exec touch pwned {} +; PATH=evildir run'],
  ],
  ['targets of redirects', (subject) => (subject.kind === 'path' ? [] : [subject]), ['run > pwned']],
]

describe.skipIf(!HAS_BWRAP)('the oracle notices (needs bubblewrap)', () => {
  test.each(sampled(WEAKENED, 1))('%s overlooked', (_name, weaken, lines) => {
    const given = { count: lines.length, seed: 1, corpus: [], lines }
    expect(runOracle({ ...given, analyze: analyzeCommand }).violations).toEqual([])
    const weak: typeof analyzeCommand = (text, context): ShellAnalysis => {
      const analysis = analyzeCommand(text, context)
      return { ...analysis, subjects: analysis.subjects.flatMap(weaken) }
    }
    expect(runOracle({ ...given, analyze: weak }).violations).not.toEqual([])
  })
})
