import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { minimatch } from 'minimatch'
import { explained } from './mutation/explained.ts'
import { openCopy } from './mutation/openCopy.ts'
import { type MutantResult, openStryker } from './mutation/openStryker.ts'
import { readWords } from './mutation/readWords.ts'
import { type Target, targets } from './mutation/targets.ts'

/**
 * Changes the source line by line and looks whether a test fails: `npm run mutate [-- --again] [FILE|FOLDER …]`. Prints
 * what no test noticed and a score for each file; exit 1 where a file has less than 85 %, or where an explained mutant is not
 * there any more. With `--again`, mutants that an earlier run killed are not played once more. `--sample N [--seed S]` plays N
 * mutants of each target and prints one score for each; `--shard 2/6` plays the second of six parts of the targets. What no
 * test of this process notices is built, and tried by the tests that the target names for programs.
 */
const LEAST = 85

const { isAgain, sample, shard, names: words } = readWords(process.argv.slice(2))
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`)
const all = filesIn('src')
const isNamed = (file: string) =>
  words.length === 0 || words.some((word) => file === word || file.startsWith(`${word}/`))
const filesOf = (target: Target) =>
  all
    .filter((file) => target.files.some((glob) => minimatch(file, glob)) && file.endsWith('.ts') && isNamed(file))
    .sort()
const folder = mkdtempSync(join(tmpdir(), 'kode-run-mutate-'))
// Stryker removes its own at its end.
const strykerFolder = join(folder, 'stryker')
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.env['KODE_RUN_SKIP_BUILD'] = '1'

const { Stryker, plugin, foundMutants } = await openStryker(sample)
const lines: string[] = []
let [found, noticed] = [0, 0]
for (const target of targets.filter((_, index) => index % shard.of === shard.part - 1)) {
  const files = filesOf(target)
  if (files.length === 0) continue
  process.env['KODE_RUN_MUTATION_TESTS'] = JSON.stringify(target.tests)
  process.env['KODE_RUN_MUTATION_FILES'] = JSON.stringify(files)
  process.env['KODE_RUN_MUTATION_TAGS'] = target.isLong === true ? '!night' : '!long && !night'
  const started = performance.now()
  const results = await new Stryker({
    mutate: files,
    plugins: [plugin],
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    ignoreStatic: target.isLoadingToo !== true,
    timeoutMS: 10_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 20,
    // What an earlier run found out stands where neither the line nor the names of its tests have changed.
    incremental: isAgain,
    incrementalFile: `node_modules/.cache/mutation/${files.join('+').replace(/\W+/g, '-').slice(0, 150)}.json`,
    tempDirName: strykerFolder,
    tsconfigFile: 'none.json',
    ignorePatterns: ['dist', '.ci', '.github'],
    // No test checks types; Stryker would write into the pages that tests compare.
    disableTypeChecks: false,
    checkers: [],
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    allowConsoleColors: false,
  })
    .runMutationTest()
    .catch((error: unknown) => {
      console.error(error)
      process.exitCode = 1
      return undefined
    })
  if (results === undefined) continue
  console.log(`${files.join(' ')}: ${Math.round((performance.now() - started) / 1000)} s`)
  const played = tryPrograms(target, results)
  const scores = files.map((file) => tell(file, played))
  if (sample === undefined) lines.push(...scores.map((score) => lineOf(score.file, score)))
  else lines.push(sampleLine(target.files.join(' '), scores))
}
if (sample !== undefined)
  console.log(
    `\nA sample, not a score of each file: at most ${sample.size} mutants of each target, by seed ${sample.seed}.`,
  )
console.log(`\n| file | mutants | noticed | explained | score |\n|---|---|---|---|---|\n${lines.join('\n')}`)
if (found === 0) throw new Error(`Nothing was mutated: ${words.join(' ')}. Name files or folders of a target.`)
console.log(`\n${noticed} of ${found} noticed: ${percent(noticed, found)} %`)

/** Tries each mutant that no test noticed in the built program. */
function tryPrograms(target: Target, results: readonly MutantResult[]): readonly MutantResult[] {
  const left = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  if (target.programs === undefined || left.length === 0) return results
  const tests = filesIn('test').filter((file) => target.programs?.some((glob) => minimatch(file, glob)))
  const copy = openCopy(folder, tests)
  try {
    if (!copy.passes()) {
      console.error(`These fail without a mutant, or do not end, so they judge none: ${tests.join(' ')}`)
      process.exitCode = 1
      return results
    }
    const isNoticed = (one: MutantResult) => left.includes(one) && told(one, copy.isNoticed(one))
    return results.map((one) => (isNoticed(one) ? { ...one, status: 'Killed' } : one))
  } finally {
    copy.remove()
  }
}

/** A second round takes minutes for each mutant: each is told at once. */
function told({ fileName, location }: MutantResult, isNoticed: boolean): boolean {
  console.log(
    `  ${relative('.', fileName)}:${location.start.line} ${isNoticed ? 'noticed' : 'not noticed'} by programs`,
  )
  return isNoticed
}

type Score = { readonly file: string; readonly killed: number; readonly left: number; readonly equal: number }

/** Prints what no test noticed in a file, and returns its figures. */
function tell(file: string, results: readonly MutantResult[]): Score {
  const text = readFileSync(file, 'utf8').split('\n')
  const own = results.filter((one) => relative('.', one.fileName) === file)
  // With an error, a module cannot be loaded.
  const isNoticed = ({ status }: MutantResult) => /^(?:Killed|Timeout|RuntimeError)$/.test(status)
  const left = own.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  const known = explained.filter((row) => row.file === file).flatMap((row) => row.mutants)
  const names = left.map((one) => ({ ...one, name: nameOf(one, text) }))
  for (const { name, location, status } of names.filter((one) => !known.includes(one.name)))
    console.log(`  ${file}:${location.start.line} ${status === 'NoCoverage' ? '(no test) ' : ''}${name}`)
  const noticedNames = own.filter(isNoticed).map((one) => nameOf(one, text))
  // What a sample did not choose is still there.
  const isGone = (name: string) => sample === undefined || noticedNames.includes(name)
  for (const name of known.filter((one) => isGone(one) && !names.some((other) => other.name === one))) {
    console.log(`  ${file} is explained, but noticed or not there: ${name}`)
    process.exitCode = 1
  }
  const equal = names.filter((one) => known.includes(one.name)).length
  return { file, killed: own.filter(isNoticed).length, left: left.length, equal }
}

/** A line of the table. A score below the least one fails the run. */
function lineOf(name: string, { killed, left, equal }: Omit<Score, 'file'>): string {
  const counted = killed + left - equal
  const score = percent(killed, counted)
  if (score < LEAST) process.exitCode = 1
  found += counted
  noticed += killed
  return `| ${name} | ${killed + left} | ${killed} | ${equal} | ${score} % |`
}

/** The figures of all files of a target, and of how much they are a sample. */
function sampleLine(globs: string, scores: readonly Score[]): string {
  const sum = (key: 'killed' | 'left' | 'equal') => scores.reduce((all, score) => all + score[key], 0)
  const lineCount = scores.reduce((all, { file }) => all + readFileSync(file, 'utf8').trimEnd().split('\n').length, 0)
  const name = `${globs}: of ${foundMutants()} mutants in ${lineCount} lines`
  return lineOf(name, { killed: sum('killed'), left: sum('left'), equal: sum('equal') })
}

/** The line of the source, what is mutated in it, and what stands there instead: stable while the line is. */
function nameOf({ location: { start, end }, replacement }: MutantResult, text: readonly string[]): string {
  const first = text[start.line - 1] ?? ''
  const original =
    start.line === end.line
      ? first.slice(start.column - 1, end.column - 1)
      : [
          first.slice(start.column - 1),
          ...text.slice(start.line, end.line - 1),
          text[end.line - 1]?.slice(0, end.column - 1),
        ].join(' ')
  const short = (part: string) => part.replace(/\s+/g, ' ').trim()
  const cut = (part: string) => (short(part).length > 90 ? `${short(part).slice(0, 90)}…` : short(part))
  const line = cut(first)
  return `${line === cut(original) ? '' : `${line} | `}${cut(original)} => ${cut(replacement)}`
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.floor((1000 * part) / whole) / 10
}
