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

const files: SourceFile[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: `src/${path}`, text: readFileSync(join('src', path), 'utf8') }))
const tests: SourceFile[] = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: `test/${path}`, text: readFileSync(join('test', path), 'utf8') }))
const map = readFileSync('src/README.md', 'utf8')

function file(path: string, text: string): SourceFile {
  return { path, text }
}

const LONGEST_TEST_FILE = 400

/** Test files that are too long to be read as a document. */
function checkTestFiles(sources: readonly SourceFile[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LONGEST_TEST_FILE)
    .map(({ path, lines }) => `${path} has ${lines} lines`)
}

/** Each rule holds for the sources, and finds its own broken input. */
const RULES: readonly {
  readonly name: string
  readonly check: (files: readonly SourceFile[]) => string[]
  readonly broken: readonly SourceFile[]
  readonly finds: string
}[] = [
  {
    name: 'arrows point down',
    check: checkArrows,
    broken: [file('src/policy/a.ts', "import { b } from '../report/b.ts'\n")],
    finds: 'not below it',
  },
  {
    name: 'arrows: a lazy import counts',
    check: checkArrows,
    broken: [file('src/lib/a.ts', "const b = await import('../query.ts')\n")],
    finds: 'not below it',
  },
  {
    name: 'a tool knows no other tool',
    check: checkArrows,
    broken: [file('src/tools/ATool/ATool.ts', "import { BTool } from '../BTool/BTool.ts'\n")],
    finds: 'not below it',
  },
  {
    name: 'a new module needs a floor',
    check: checkArrows,
    broken: [file('src/utils/a.ts', '')],
    finds: 'has no floor',
  },
  {
    name: 'packages keep to their modules',
    check: checkPackages,
    broken: [file('src/policy/a.ts', "import { execa } from 'execa'\n")],
    finds: 'belongs to lib',
  },
  {
    name: 'only entry points touch the process',
    check: checkEntryPoints,
    broken: [file('src/run/run.ts', 'process.exit(1)\n')],
    finds: 'only entry points may',
  },
  {
    name: 'every tool is registered',
    check: checkTools,
    broken: [file('src/tools.ts', ''), file('src/tools/LostTool/LostTool.ts', '')],
    finds: 'not registered',
  },
  {
    name: 'no barrels',
    check: checkFiles,
    broken: [file('src/lib/all.ts', "export * from './a.ts'\n")],
    finds: 'barrel',
  },
  {
    name: 'no default exports',
    check: checkFiles,
    broken: [file('src/lib/a.ts', 'export default 1\n')],
    finds: 'default',
  },
  {
    name: 'small folders',
    check: checkFolders,
    broken: Array.from({ length: 26 }, (_, at) => file(`src/lib/fs/a${at}.ts`, '')),
    finds: 'src/lib/fs lists 26 entries',
  },
  { name: 'small files', check: checkFiles, broken: [file('src/lib/a.ts', '\n'.repeat(300))], finds: '301 lines' },
  {
    name: 'files say what they hold',
    check: checkFiles,
    broken: [file('src/lib/a.ts', 'export const b = 1\n')],
    finds: 'nothing called a',
  },
  {
    name: 'no import cycles',
    check: checkCycles,
    broken: [
      file('src/lib/a.ts', "import { b } from './b.ts'\n"),
      file('src/lib/b.ts', "import { a } from './a.ts'\n"),
    ],
    finds: 'src/lib/a.ts → src/lib/b.ts → src/lib/a.ts',
  },
  {
    name: 'every module is in src/README.md',
    check: (sources) => checkMap(sources, map),
    broken: [file('src/attic/a.ts', '')],
    finds: 'does not name attic',
  },
]

describe('modules and floors', () => {
  for (const { name, check, broken, finds } of RULES) {
    it(`holds: ${name}`, () => expect(check(files)).toEqual([]))
    it(`would be found: ${name}`, () => expect(check(broken).join('\n')).toContain(finds))
  }

  it('holds: short test files', () => expect(checkTestFiles(tests)).toEqual([]))
  it('would be found: short test files', () => {
    const lines = (count: number) => Array.from({ length: count }, () => 'x\n').join('')
    const broken = [file('test/a.test.ts', lines(401)), file('test/b.test.ts', lines(400))]
    expect(checkTestFiles(broken)).toEqual(['test/a.test.ts has 401 lines'])
  })

  it('knows its version', () => {
    expect(VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
  })
})
