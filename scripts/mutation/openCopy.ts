import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { MutantResult } from './openStryker.ts'

/** Longer than the slowest tests of a target take on a busy machine. A mutant that takes longer is noticed: it hangs. */
const LONGEST_MS = 600_000

/** A copy of the project, in which one mutant after the other is built and tried. */
export type Copy = {
  /** False where a test fails without any mutant: what these tests say of mutants would mean nothing. */
  passes(): boolean
  /** True where a test fails or hangs while the mutant stands in the source and in the built program. */
  isNoticed(mutant: MutantResult): boolean
  remove(): void
}

/** Copies the work tree, without what git ignores, to a folder in `parent`. `tests` are test files: long tests run, too. */
export function openCopy(parent: string, tests: readonly string[]): Copy {
  const copy = mkdtempSync(join(parent, 'copy-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']).toString()
  for (const file of listed.split('\0')) if (file !== '' && existsSync(file)) cpSync(file, join(copy, file))
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))

  // The tests build the program first: see `test/helpers/globalSetup.ts`.
  const { KODE_RUN_SKIP_BUILD: _, ...rest } = process.env
  const env = { ...rest, KODE_RUN_TESTS: 'all' }
  const words = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--bail=1', ...tests]
  const passes = () =>
    spawnSync(process.execPath, words, { cwd: copy, env, stdio: 'ignore', timeout: LONGEST_MS }).status === 0
  return {
    passes,
    isNoticed(mutant) {
      const file = relative('.', mutant.fileName)
      const text = readFileSync(file, 'utf8')
      writeFileSync(join(copy, file), withMutant(text, mutant))
      const isNoticed = !passes()
      writeFileSync(join(copy, file), text)
      return isNoticed
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  }
}

/** The source with the mutant in the place of the original. Lines and columns count from 1. */
export function withMutant(text: string, mutant: Pick<MutantResult, 'location' | 'replacement'>): string {
  const lines = text.split('\n')
  const offset = ({ line, column }: MutantResult['location']['start']) =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, column - 1)
  const { start, end } = mutant.location
  return text.slice(0, offset(start)) + mutant.replacement + text.slice(offset(end))
}
