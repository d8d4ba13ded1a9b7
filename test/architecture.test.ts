import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../src/lib/version.ts'
import {
  checkArrows,
  checkCycles,
  checkEntryPoints,
  checkFiles,
  checkFolders,
  checkMap,
  checkPackages,
  checkTools,
  type SourceFile,
} from './helpers/architecture.ts'
import { table } from './helpers/table.ts'

const files: SourceFile[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: `src/${path}`, text: readFileSync(join('src', path), 'utf8') }))
const tests: SourceFile[] = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: `test/${path}`, text: readFileSync(join('test', path), 'utf8') }))
const map = readFileSync('src/README.md', 'utf8')

const LONGEST_TEST_FILE = 400

/** Test files that are too long to be read as a document. */
function checkTestFiles(sources: readonly SourceFile[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LONGEST_TEST_FILE)
    .map(({ path, lines }) => `${path} has ${lines} lines`)
}

const CHECKS = {
  ...{ arrows: checkArrows, cycles: checkCycles, entryPoints: checkEntryPoints, files: checkFiles },
  ...{ folders: checkFolders, packages: checkPackages, tools: checkTools, tests: checkTestFiles },
  map: (sources: readonly SourceFile[]) => checkMap(sources, map),
}

/** Each rule, what holds it, sources that break it, and what is found of them. `⏎*9` are nine line feeds. */
const RULES = table`
  arrows point down                  | arrows      | src/policy/a.ts: import { b } from '../report/b.ts'  | not below it
  arrows: a lazy import counts       | arrows      | src/lib/a.ts: const b = await import('../query.ts')  | not below it
  a tool knows no other tool         | arrows      | src/tools/ATool/ATool.ts: import { BTool } from '../BTool/BTool.ts' | not below it
  a new module needs a floor         | arrows      | src/utils/a.ts:                                      | has no floor
  packages keep to their modules     | packages    | src/policy/a.ts: import { execa } from 'execa'       | belongs to lib
  only entry points touch the process | entryPoints | src/run/run.ts: process.exit(1)                     | only entry points may
  every tool is registered           | tools       | src/tools.ts: ; src/tools/LostTool/LostTool.ts:      | not registered
  no barrels                         | files       | src/lib/all.ts: export * from './a.ts'               | barrel
  no default exports                 | files       | src/lib/a.ts: export default 1                       | default
  small folders                      | folders     | ${Array.from({ length: 26 }, (_, at) => `src/lib/fs/a${at}.ts: `).join('; ')} | src/lib/fs lists 26 entries
  small files                        | files       | src/lib/a.ts: ⏎*299                                  | 301 lines
  files say what they hold           | files       | src/lib/a.ts: export const b = 1                     | nothing called a
  no import cycles                   | cycles      | src/lib/a.ts: import { b } from './b.ts'; src/lib/b.ts: import { a } from './a.ts' | src/lib/a.ts → src/lib/b.ts → src/lib/a.ts
  every module is in src/README.md   | map         | src/attic/a.ts:                                      | does not name attic
  short test files                   | tests       | test/a.test.ts: ⏎*400x; test/b.test.ts: ⏎*399x       | test/a.test.ts has 401 lines
`

describe('modules and floors', () => {
  for (const [name = '', check = '', broken = '', finds = ''] of RULES) {
    const found = CHECKS[check as keyof typeof CHECKS]
    it(`holds: ${name}`, () => expect(found(check === 'tests' ? tests : files)).toEqual([]))
    it(`would be found: ${name}`, () => {
      const sources = broken.split('; ').map((source): SourceFile => {
        const [path = '', text = ''] = source.split(/: ?(.*)/s)
        return { path, text: `${text.replace(/⏎\*(\d+)/, (_, count: string) => '\n'.repeat(Number(count)))}\n` }
      })
      const said = found(sources).join('\n')
      expect(said).toContain(finds)
      expect(said).not.toContain('b.test.ts')
    })
  }

  it('knows its version', () => {
    expect(VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
  })
})
