import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { figuresIn, lossesOf } from '../scripts/history/figures.ts'
import { makeRepository } from './helpers/github/actionRun.ts'
import { playWorkflow } from './helpers/github/playWorkflow.ts'
import { makeFolder } from './helpers/makeFolder.ts'

it.each([
  ['faults', '85 as expected, 0 otherwise, 3 skipped', { 'as expected': 85, otherwise: 0, skipped: 3 }],
  [
    'kills',
    'sandbox required: 250 kills, {"unfinished":135}, 0 faults\nsandbox off: 250 kills, {}, 2 faults',
    { kills: 500, faults: 2 },
  ],
  ['an oracle', '100000 lines, 3 allowed and run in bubblewrap, 0 violations, 9 s', { lines: 100000, violations: 0 }],
  ['mutation scores', '| a.ts | 10 | 9 | 0 | 90 % |\n| b.ts | 10 | 8 | 1 | 88.5 % |', { 'lowest score': 88.5 }],
  [
    'measures',
    '12.5 ms for wall, 86 MB for memoryOne, 5212 bytes for outputBytes',
    {
      'ms for wall': 12.5,
      'MB for memoryOne': 86,
      'bytes for outputBytes': 5212,
    },
  ],
  ['nothing', 'Error: boom\n    at 12 lines.ts', {}],
])('takes the figures of %s from the end of a log', (_, end, figures) => {
  expect(figuresIn(`1 faults long before\n\n\n${'x\n'.repeat(5)}${end}\n\n`)).toEqual(figures)
})

it.each([
  [{ kills: 500, faults: 0 }, 0, { kills: 500, faults: 0 }, []],
  [{ kills: 500, faults: 0 }, 0, { kills: 400, faults: 1 }, []],
  [{ kills: 400, faults: 0 }, 0, { kills: 500, faults: 0 }, ['kills: 400, before 500']],
  [{ kills: 500, faults: 1 }, 0, { kills: 500, faults: 0 }, ['faults: 1, before 0']],
  [{ 'ms for wall': 149 }, 0, { 'ms for wall': 100 }, []],
  [{ 'ms for wall': 151 }, 0, { 'ms for wall': 100 }, ['ms for wall: 151, before 100']],
  [{ 'ms for wall': 1 }, 0, { 'ms for wall': 1, 'MB for memoryOne': 9 }, ['MB for memoryOne: nothing, before 9']],
  [{ kills: 500 }, 0, { kills: 500, faults: 0 }, ['faults: nothing, before 0']],
  [{ kills: 500, faults: 0 }, 1, undefined, ['it ended with 1']],
  [{}, 0, undefined, ['it ended without any figure']],
])('of %j with exit %i after %j is lost: %j', (now, code, before, losses) => {
  expect(lossesOf(now, code, before)).toEqual(losses)
})

it('keeps a row a night, and fails on a loss', { tags: 'long' }, () => {
  const folder = makeFolder()
  const [history, log] = [join(folder, 'HISTORY.md'), join(folder, 'log')]
  const keep = (part: string, said: string, code: string) => {
    writeFileSync(log, said)
    const words = ['--import', 'tsx', 'scripts/keepHistory.ts', history, part, log, code, '60', '0123456789abcdef']
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    return [status, stdout]
  }
  expect(keep('sweep', '10 kills, 0 faults\n', '0')).toEqual([0, ''])
  expect(keep('other', '3 kills, 0 faults\n', '0')).toEqual([0, ''])
  expect(keep('sweep', '9 kills, 1 faults\n', '0')).toEqual([
    1,
    'LOSS in sweep: kills: 9, before 10\nLOSS in sweep: faults: 1, before 0\n',
  ])
  expect(keep('sweep', 'broken\n', '134')).toEqual([1, expect.stringContaining('it ended with 134')])
  const rows = readFileSync(history, 'utf8').split('\n').slice(-5, -1)
  expect(rows.map((row) => row.replace(/^\| \d{4}-\d\d-\d\d/, '| DAY'))).toEqual([
    '| DAY | 0123456789 | sweep | 0 | 60 | 10 kills, 0 faults |',
    '| DAY | 0123456789 | other | 0 | 60 | 3 kills, 0 faults |',
    '| DAY | 0123456789 | sweep | 0 | 60 | 9 kills, 1 faults |',
    '| DAY | 0123456789 | sweep | 134 | 60 |  |',
  ])
})

it('plays the night from its parts to the history, which fails on a loss', { tags: 'long' }, async () => {
  const { folder } = makeRepository(NIGHT_FILES)
  const origin = join(makeFolder(), 'origin.git')
  const git = (...words: readonly string[]) => execFileSync('git', words, { encoding: 'utf8' })
  git('clone', '--quiet', '--bare', folder, origin)
  const text = readFileSync('.github/workflows/nightly.yml', 'utf8')
  const night = async (said: string) => {
    const sha = git('-C', origin, 'rev-parse', 'main').trim()
    // What the parts run is not played here: each says the same figures, and one oracle fails.
    const part = `echo '${said}'; case "$*" in *oracle:effects*) exit 3 ;; esac`
    const { steps } = await playWorkflow({
      text,
      ...{ event: { name: 'schedule', payload: { repository: { default_branch: 'main' } } }, replay: '', apiUrl: '' },
      repository: { folder: origin, sha },
      programs: {
        npm: `case "$1" in ci) ln -s '${process.cwd()}/node_modules' node_modules ;; *) ${part} ;; esac`,
        npx: part,
        node: `case "$*" in *killSweep*|*killRuns*) ${part} ;; *) exec '${process.execPath}' "$@" ;; esac`,
      },
    })
    const failed = steps.filter(({ code }) => code !== 0 && code !== 'skipped')
    return { failed: failed.map(({ job, code }) => `${job} ${code}`), last: steps.at(-1) }
  }
  expect((await night('10 kills, 0 faults')).failed).toEqual(['part 3', 'history 1'])
  const second = await night('9 kills, 0 faults')
  expect(second.failed).toEqual(['part 3', 'history 1'])
  expect(second.last?.log).toContain('LOSS in kill-sweep: kills: 9, before 10')
  const rows = git('-C', origin, 'show', 'main:bench/HISTORY.md')
    .split('\n')
    .filter((row) => row.includes('kills'))
  expect(rows).toHaveLength(2 * (text.match(/- \{ name: /g) ?? []).length)
  expect(rows.filter((row) => row.includes('| oracle-effects | 3 |'))).toHaveLength(2)
})

const NIGHT_FILES = Object.fromEntries(
  ['package.json', 'scripts/keepHistory.ts', 'scripts/history/figures.ts'].map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]),
)
