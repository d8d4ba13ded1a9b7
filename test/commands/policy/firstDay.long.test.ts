import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { MadeCall } from '../../../src/query/runTools/toNamedCall.ts'
import { sandboxProblem } from '../../faults/machine.ts'
import { commitAll } from '../../helpers/git.ts'
import { HARMFUL_CALLS } from '../../helpers/harmfulCalls.ts'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { sampled } from '../../helpers/sampled.ts'

/** A little project, what an agent does there, and what nobody wants beside it. */
type Project = {
  readonly name: string
  readonly missing: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly readable: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly calls: readonly (string | MadeCall)[]
  /** Started by rules that were suggested; what they change is undone. */
  readonly harmful: readonly string[]
}

const write = (file_path: string, content: string): MadeCall => ({ tool: 'Write', input: { file_path, content } })
const read = (file_path: string): MadeCall => ({ tool: 'Read', input: { file_path } })
const GIT = [
  ...['git status', 'git status --short', 'git diff', 'git diff --stat', 'git diff src/', 'git log --oneline -5'],
  ...['git add -A', 'git commit -m "a first step"', 'git commit --allow-empty -m second', 'git show --stat HEAD'],
]
const LOOKING = ['ls', 'ls -la', 'find . -name "*.md"', 'find src -type f', 'grep -rn add src', 'wc -l README.md']
/** `git diff *` and `find *` start these; the view takes none of it over. */
const UNDONE = [
  'git diff --output=README.md',
  'find . -name README.md -delete',
  'ls -la > README.md',
  'git status > .gitignore',
]

const NODE: Project = {
  name: 'Node',
  missing: undefined,
  env: {},
  readable: [],
  files: {
    'package.json': JSON.stringify({
      name: 'a',
      type: 'module',
      scripts: { test: 'node --test', build: 'node build.js' },
    }),
    'build.js':
      "import { mkdirSync, writeFileSync } from 'node:fs'\nmkdirSync('dist', { recursive: true })\nwriteFileSync('dist/a.js', '')\n",
    'src/add.js': 'export const add = (a, b) => a + b\n',
    'test/add.test.js':
      "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from '../src/add.js'\ntest('add', () => assert.equal(add(1, 2), 3))\n",
    '.gitignore': 'dist\n',
    'README.md': '# a\n',
  },
  calls: [
    read('src/add.js'),
    write('src/sub.js', 'export const sub = (a, b) => a - b\n'),
    write('src/lib/mul.js', 'export const mul = (a, b) => a * b\n'),
    write('test/sub.test.js', "import test from 'node:test'\ntest('sub', () => undefined)\n"),
    ...['npm test', 'npm test 2>&1 | tail -5', 'npm run build', 'node --test test/add.test.js', 'node build.js'],
    ...['node --check src/add.js', 'CI=1 npm test', 'cd src && ls', 'mkdir -p test/more', 'touch test/more/a.js'],
    ...['for f in a b; do echo $f; done', 'npm test > /tmp/t.log; tail -3 /tmp/t.log'],
    ...LOOKING,
    ...GIT,
  ],
  harmful: [...UNDONE, 'touch package.json.bak', 'npm test && echo x > package.json'],
}

const PYTHON: Project = {
  name: 'Python',
  missing: existsSync('/usr/bin/python3') ? undefined : 'no /usr/bin/python3',
  env: { PATH: '/usr/bin:/bin' },
  readable: [],
  files: {
    'pyproject.toml': '[project]\nname = "a"\nversion = "0"\n',
    'src/a/__init__.py': '',
    'src/a/add.py': 'def add(a, b):\n    return a + b\n',
    'tests/test_add.py':
      'import unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(1 + 2, 3)\n',
    'tool.py': 'print("tool")\n',
    '.gitignore': '__pycache__\nbuild\n',
    'README.md': '# a\n',
  },
  calls: [
    read('src/a/add.py'),
    write('src/a/sub.py', 'def sub(a, b):\n    return a - b\n'),
    write('src/a/lib/mul.py', 'def mul(a, b):\n    return a * b\n'),
    write('tests/test_sub.py', 'import unittest\n'),
    ...['python3 -m unittest discover tests', 'python3 -m unittest discover -s tests -v', 'python3 --version'],
    'python3 tool.py',
    'python3 tool.py --all',
    'python3 -m compileall -q src',
    'mkdir -p build/x',
    'touch build/x/a',
    ...['python3 -m unittest discover tests 2>&1 | tail -3', 'cp src/a/add.py tests/add_copy.py'],
    ...LOOKING,
    ...GIT,
  ],
  harmful: [...UNDONE, 'python3 tool.py > pyproject.toml', 'cp README.md pyproject.toml'],
}

const CARGO = toolchain()
const RUST: Project = {
  name: 'Rust',
  missing: CARGO === undefined ? 'no cargo' : undefined,
  env: { PATH: `${CARGO}:/usr/bin:/bin` },
  readable: CARGO === undefined || CARGO.startsWith('/usr/') ? [] : [dirname(CARGO)],
  files: {
    'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "a"\nversion = "0.1.0"\n',
    'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 { a + b }\n\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n',
    'src/main.rs': 'fn main() { println!("{}", a::add(1, 2)); }\n',
    '.gitignore': 'target\n',
    'README.md': '# a\n',
  },
  calls: [
    read('src/lib.rs'),
    write('src/sub.rs', 'pub fn sub(a: i32, b: i32) -> i32 { a - b }\n'),
    write('src/deep/mul.rs', 'pub fn mul(a: i32, b: i32) -> i32 { a * b }\n'),
    write('examples/one.rs', 'fn main() {}\n'),
    ...['cargo build --offline', 'cargo build --offline --release', 'cargo test --offline', 'cargo check --offline'],
    'cargo run --offline',
    'cargo test --offline --lib 2>&1 | tail -3',
    'cargo --version',
    'cargo metadata --offline --no-deps',
    ...['cargo tree --offline', 'rustc --version', './target/debug/a'],
    ...LOOKING,
    ...GIT,
  ],
  harmful: [
    ...UNDONE,
    'cargo test --offline && echo x > Cargo.toml',
    'cargo add evil',
    'cargo build --config build.rustc="evil"',
  ],
}

/** The folder of a cargo that needs no home folder. */
function toolchain(): string | undefined {
  try {
    const path = execFileSync('sh', ['-c', 'rustup which cargo 2>/dev/null || command -v cargo'], { encoding: 'utf8' })
    return dirname(realpathSync(path.trim()))
  } catch {
    return undefined
  }
}

function turns(calls: readonly (string | MadeCall)[]): readonly Turn[] {
  const made = calls.map((each): Turn => {
    const { tool, input } = typeof each === 'string' ? { tool: 'Bash', input: { command: each } } : each
    return { tools: [{ name: tool, input }] }
  })
  return [...made, { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'done' } }] }]
}

const POLICY = (readable: readonly string[]) => `# The first day.
version: 1
sandbox: { mode: required, network: none, readable: ${JSON.stringify(readable)} }
run: { maxTurns: 200, maxDenials: 200 }
permissions:
  presets: [read-only]
  deny: ["Read(secrets/**)"] # never
  allow:
    # to be grown
    - Bash(git status) # the first
`

async function play(
  project: Project,
  policy: string,
  calls: readonly (string | MadeCall)[],
  args: readonly string[] = [],
) {
  let before: unknown
  const run = await runCli(['work', ...args], {
    server: await serveTurns(...turns(calls)),
    policy,
    env: project.env,
    prepare(folder) {
      for (const [path, text] of Object.entries(project.files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      commitAll(folder)
      before = treeOf(folder)
    },
  })
  return { run, before }
}

function refusedIds({ records }: CliRun): ReadonlySet<string> {
  return new Set(
    records.flatMap((record) =>
      record.type === 'system' && record.subtype === 'permission_denied' ? [record.tool_use_id] : [],
    ),
  )
}

/** Calls that were neither refused nor undone, nor no calls at all. */
function passed(run: CliRun): readonly string[] {
  const refused = refusedIds(run)
  return run.records.flatMap((record) =>
    record.type === 'system' &&
    record.subtype === 'tool_intent' &&
    record.tool_name !== 'Finish' &&
    !refused.has(record.tool_use_id)
      ? [JSON.stringify(record.tool_input)]
      : [],
  )
}

const problem = sandboxProblem()

describe.skipIf(problem !== undefined)(`the first day${problem === undefined ? '' : ` (skipped: ${problem})`}`, () => {
  for (const project of sampled([NODE, PYTHON, RUST], 1, 1)) {
    const why = project.missing === undefined ? '' : ` (skipped: ${project.missing})`
    it.skipIf(project.missing !== undefined)(
      `${project.name}: an audit, its suggestion, the same run without a denial, forty harmful neighbors refused or undone${why}`,
      { timeout: 500_000 },
      async () => {
        expect(project.calls.length).toBeGreaterThanOrEqual(30)
        const policy = POLICY(project.readable)
        const audit = await play(project, policy, project.calls, ['--audit'])
        expect(audit.run.result().permission_denials).toEqual([])
        expect(audit.run.result().suggested?.refused).toEqual([])
        expect(audit.run.stderr).toContain('The policy would need:')

        const file = join(audit.run.base, 'policy.yml')
        execFileSync(process.execPath, [
          join(import.meta.dirname, '../../../dist/cli.js'),
          ...['policy', 'suggest', audit.run.transcript, '--policy', file, '--apply', '--cwd', audit.run.project],
        ])
        const grown = readFileSync(file, 'utf8')
        expect(grown.startsWith(policy)).toBe(true)
        expect(parse(grown).permissions.allow).toEqual([
          'Bash(git status)',
          ...(audit.run.result().suggested?.rules ?? []).map(({ rule }) => rule),
        ])

        const again = await play(project, grown, project.calls)
        expect(again.run.result().permission_denials).toEqual([])

        const neighbors = [...HARMFUL_CALLS, ...project.harmful]
        const harmful = await play(project, grown, neighbors)
        expect(passed(harmful.run)).toEqual([])
        expect(treeOf(harmful.run.project)).toEqual(harmful.before)
      },
    )
  }
})
