import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellAnalysis, ShellContext } from '../../../src/shell/walk/Walk.ts'
import { judgeCommand } from '../policy/judgeCommand.ts'
import { shellContext } from '../policy/shellContext.ts'
import { damage, generateCommand, mutateCorpus } from './generateCommand.ts'
import { argvProblem, CHANGING, differences, listing, ORACLE_RULES } from './judgeRun.ts'
import { createRandom, type Random } from './random.ts'
import { createStage, projectOf, readLog, removeStage, runStage, type Stage, writeLine } from './stage.ts'

export type OracleOptions = {
  readonly count: number
  readonly seed: number
  readonly corpus: readonly string[]
  /** Instead of generated ones. */
  readonly lines?: readonly string[]
  analyze(text: string, context: ShellContext): ShellAnalysis
  /** Replaces the verdict of the rules; for trying the oracle itself. */
  readonly judge?: typeof judgeCommand
  readonly report?: (done: number) => void
}

type OracleReport = {
  readonly generated: number
  readonly allowed: number
  readonly violations: readonly string[]
  /** Allowed lines that bash itself calls a syntax error: only their canonical text does something. */
  readonly refused: readonly string[]
}

const BATCH = 500

/** A line that runs more commands than this does not end by itself. */
const MOST_RUNS = 200

/** Generates lines, judges them, runs the allowed ones for real, and tells what happened outside the rules. */
export function runOracle(options: OracleOptions): OracleReport {
  const random = createRandom(options.seed)
  const violations: string[] = []
  const refused: string[] = []
  let allowed = 0
  for (let done = 0; done < options.count; done += BATCH) {
    const size = Math.min(BATCH, options.count - done)
    const texts = options.lines ?? Array.from({ length: size }, () => makeLine(options.corpus, random))
    const batch = runBatch(texts, options)
    allowed += batch.allowed
    violations.push(
      ...batch.violations,
      ...batch.unequal.filter((line) => !isChance(line, options)).map(({ message }) => message),
    )
    refused.push(...batch.refused)
    options.report?.(done + texts.length)
  }
  return { generated: options.count, allowed, violations, refused }
}

/** How often a line is run again whose texts did not do the same: when a pipe closes decides what runs behind it. */
const RETRIES = 30

/** Tries that take long tell nothing new: no line is run again after this time. */
const RETRY_MS = 3_000

function isChance({ text }: Unequal, options: OracleOptions): boolean {
  const end = Date.now() + RETRY_MS
  return Array.from({ length: RETRIES }).some(() => Date.now() < end && runBatch([text], options).unequal.length === 0)
}

function makeLine(corpus: readonly string[], random: Random): string {
  const isNew = random.chance(0.7)
  const old = () => (random.chance(0.9) ? mutateCorpus(corpus, random) : damage(random.pick(corpus), random))
  return (isNew ? generateCommand(random) : old()).trimEnd()
}

/** A line of which the raw and the canonical text ran different commands, all of them allowed. */
type Unequal = { readonly text: string; readonly message: string }
type Batch = Omit<OracleReport, 'generated'> & { readonly unequal: readonly Unequal[] }
type Line = { readonly text: string; readonly index: number; readonly canonical: string }

function runBatch(texts: readonly string[], options: OracleOptions): Batch {
  const stage = createStage()
  try {
    const violations: string[] = []
    const lines = texts.flatMap((text, index) => judgeLine(text, index, { stage, options, violations }))
    if (lines.length > 0) runStage(stage)
    const template = listing(stage.template)
    const unequal: Unequal[] = []
    for (const line of lines) {
      const place = `\n  in ${JSON.stringify(line.text)}\n  as ${JSON.stringify(line.canonical)}`
      for (const problem of lineProblems(stage, line, template)) violations.push(`${problem}${place}`)
      const difference = differenceOf(stage, line)
      if (difference !== undefined) unequal.push({ text: line.text, message: `${difference}${place}` })
    }
    const lost = readLog(join(stage.folder, 'lost'))
    if (lost.length > 0) violations.push(`without a log: ${JSON.stringify(lost)}`)
    const refused = lines.filter((line) => isSyntaxError(stage, line)).map((line) => line.text)
    return { allowed: lines.length, violations, unequal, refused }
  } finally {
    removeStage(stage)
  }
}

type Judging = { readonly stage: Stage; readonly options: OracleOptions; readonly violations: string[] }

function judgeLine(text: string, index: number, { stage, options, violations }: Judging): Line[] {
  const project = projectOf(stage, index)
  const context = shellContext(project, `${project}/home`)
  const isAllowed = (each: ShellAnalysis) => (options.judge ?? judgeCommand)(each, ORACLE_RULES, project) === 'allow'
  const analysis = options.analyze(text, context)
  if (!isAllowed(analysis)) {
    rmSync(join(project, '..'), { recursive: true })
    return []
  }
  const canonical = analysis.canonical ?? ''
  const rebuilt = options.analyze(canonical, context)
  const problem = textProblem(text) ?? sameProblem(analysis, rebuilt, isAllowed(rebuilt))
  if (problem) violations.push(`${problem}\n  in ${JSON.stringify(text)}\n  as ${JSON.stringify(canonical)}`)
  writeLine(stage, index, { raw: text, canonical })
  return [{ text, index, canonical }]
}

function textProblem(text: string): string | undefined {
  if (text.length > 10_000) return 'too long, yet allowed'
  return /[^\P{Cc}\t\n]/u.test(text) ? 'a control character, yet allowed' : undefined
}

/** Canonical text must be judged as the text it stands for: allowed, the same commands, and itself as canonical text. */
function sameProblem(first: ShellAnalysis, second: ShellAnalysis, isAllowed: boolean): string | undefined {
  if (!isAllowed) return 'the canonical text is not allowed'
  if (commandsOf(first) !== commandsOf(second)) return 'the canonical text has other commands'
  return second.canonical === first.canonical ? undefined : 'the canonical text has another canonical text'
}

/** The words of every command that a rule is about: what only runs others has its script among its words, written anew. */
function commandsOf({ subjects }: ShellAnalysis): string {
  const chains = subjects.flatMap((subject) => (subject.kind === 'command' ? [subject.chain] : []))
  return JSON.stringify(
    chains.map((chain) =>
      chain.flatMap(({ argv, cover }) =>
        cover === 'none' ? [] : [argv.map((word) => ({ ...word, written: undefined }))],
      ),
    ),
  )
}

/** What raw and canonical text did outside the rules. */
function* lineProblems(stage: Stage, line: Line, template: ReadonlyMap<string, string>): Generator<string> {
  const folder = join(stage.folder, 'lines', String(line.index))
  const logs = logsOf(folder)
  for (const argv of logs.flat()) {
    const problem = argvProblem(argv)
    if (problem) yield problem
  }
  const after = (['raw', 'canonical'] as const).map((kind) => listing(join(folder, kind)))
  const isChanging = logs.flat().some(([name = '']) => CHANGING.includes(name))
  for (const files of isChanging ? [] : after) {
    for (const path of differences(template, files)) if (!path.startsWith('out/')) yield `changed: ${path}`
  }
  const strangers = readdirSync(folder).filter((name) => !/^(?:raw|canonical)(?:\.log|\.text|\.output)?$/.test(name))
  if (strangers.length > 0) yield `beside the project: ${strangers.join()}`
}

function logsOf(folder: string): readonly (readonly (readonly string[])[])[] {
  return (['raw', 'canonical'] as const).map((kind) =>
    readLog(join(folder, `${kind}.log`)).map((argv) =>
      argv.map((word) => word.replaceAll(`${folder}/${kind}.log`, '/log').replaceAll(folder, '')),
    ),
  )
}

/** Whether both texts ran the same commands; `$$` is another number in each, so there they are not compared. */
function differenceOf(stage: Stage, line: Line): string | undefined {
  if (isSyntaxError(stage, line) || line.text.includes('$$')) return undefined
  const logs = logsOf(join(stage.folder, 'lines', String(line.index)))
  const [raw = [], canonical = []] = logs.map((log) =>
    log
      // A script among the words is written anew, and `--` or `./` stand before names that may be options.
      .map((argv) =>
        argv
          .filter((word) => word !== '--')
          .map((word) => word.replace(/^\.\//, ''))
          .join(' ')
          .replace(/\b(bash|sh) -\w*c .*$/s, '$1 -c'),
      )
      .filter((text) => text !== 'cat')
      .sort(),
  )
  // How often an endless loop goes round before its time is over is chance.
  const isEndless = Math.max(raw.length, canonical.length) > MOST_RUNS
  const [given, rebuilt] = isEndless ? [[...new Set(raw)], [...new Set(canonical)]] : [raw, canonical]
  return JSON.stringify(given) === JSON.stringify(rebuilt)
    ? undefined
    : `raw ran ${JSON.stringify(raw)}, canonical ran ${JSON.stringify(canonical)}`
}

/** Bash refuses some lines that the parser takes; then only the canonical text runs, and that was judged. */
function isSyntaxError({ folder }: Stage, { index }: Line): boolean {
  const output = readFileSync(join(folder, 'lines', String(index), 'raw.output'), 'utf8')
  return /syntax error|unexpected EOF/.test(output)
}
