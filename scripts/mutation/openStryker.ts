import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { drawSample, type Sample } from './sample.ts'

/** What Stryker says of a mutant: the text it put in the place of the original, and what the tests did. */
export type MutantResult = {
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement: string
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored'
  readonly location: { readonly start: Place; readonly end: Place }
  readonly killedBy?: readonly string[]
}
type Place = { readonly line: number; readonly column: number }

type Stryker = { runMutationTest(): Promise<readonly MutantResult[]> }
type StrykerModule = { readonly Stryker: new (options: Readonly<Record<string, unknown>>) => Stryker }
type Instrumented = { readonly mutants: readonly unknown[] }
type InstrumenterModule = { readonly Instrumenter: { readonly prototype: { instrument: Instrument } } }
type Instrument = (...args: unknown[]) => Promise<Instrumented>

// Below `node_modules`, so that its plugin finds the vitest of the project.
const folder = resolve('node_modules/.cache/mutation')
const pinned = resolve('scripts/mutation')

/** Stryker, the path of its vitest plugin, and how many mutants the last run could have played. */
type Opened = StrykerModule & { readonly plugin: string; foundMutants(): number }

/**
 * Stryker from a folder of its own: 70 MB that only `npm run mutate` needs. With a sample it plays so many mutants of each run,
 * each as likely as any other: a range of lines would leave out what spans more lines than one.
 */
export async function openStryker(sample?: Sample): Promise<Opened> {
  if (!isInstalled()) {
    mkdirSync(folder, { recursive: true })
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(pinned, name), join(folder, name))
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    // Its peer is vitest, which is there already.
    execFileSync('npm', ['ci', '--legacy-peer-deps', ...quiet], { cwd: folder, stdio: 'inherit' })
  }
  const packageOf = (name: string) => join(folder, 'node_modules/@stryker-mutator', name)
  const entryOf = (name: string) => pathToFileURL(join(packageOf(name), 'dist/src/index.js')).href
  const { Instrumenter }: InstrumenterModule = await import(entryOf('instrumenter'))
  const whole = Instrumenter.prototype.instrument
  let found = 0
  Instrumenter.prototype.instrument = async function (...args) {
    const all = await whole.apply(this, args)
    found = all.mutants.length
    return sample === undefined ? all : { ...all, mutants: drawSample(all.mutants, sample) }
  }
  const core: StrykerModule = await import(entryOf('core'))
  return {
    Stryker: core.Stryker,
    plugin: join(packageOf('vitest-runner'), 'dist/src/index.js'),
    foundMutants: () => found,
  }
}

function isInstalled(): boolean {
  const copy = join(folder, 'package-lock.json')
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false
  return readFileSync(copy, 'utf8') === readFileSync(join(pinned, 'package-lock.json'), 'utf8')
}
