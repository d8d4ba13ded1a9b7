import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

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

// Below `node_modules`, so that its plugin finds the vitest of the project.
const folder = resolve('node_modules/.cache/mutation')
const pinned = resolve('scripts/mutation')

/** Stryker and the path of its vitest plugin, from a folder of their own: 70 MB that only `npm run mutate` needs. */
export async function openStryker(): Promise<StrykerModule & { readonly plugin: string }> {
  if (!isInstalled()) {
    mkdirSync(folder, { recursive: true })
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(pinned, name), join(folder, name))
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    // Its peer is vitest, which is there already.
    execFileSync('npm', ['ci', '--legacy-peer-deps', ...quiet], { cwd: folder, stdio: 'inherit' })
  }
  const packageOf = (name: string) => join(folder, 'node_modules/@stryker-mutator', name)
  const core: StrykerModule = await import(pathToFileURL(join(packageOf('core'), 'dist/src/index.js')).href)
  return { Stryker: core.Stryker, plugin: join(packageOf('vitest-runner'), 'dist/src/index.js') }
}

function isInstalled(): boolean {
  const copy = join(folder, 'package-lock.json')
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false
  return readFileSync(copy, 'utf8') === readFileSync(join(pinned, 'package-lock.json'), 'utf8')
}
