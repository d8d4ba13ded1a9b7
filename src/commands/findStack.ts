import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, RunError } from '../contracts/errors.ts'

/** How a project is built and tested, as far as its files say. */
export type Stack = {
  readonly name: string
  /** Folders and files that hold its source. */
  readonly sources: readonly string[]
  /** Commands the agent may run, as they are typed. */
  readonly commands: readonly string[]
  /** What must succeed at the end; undefined where no test command is known. */
  readonly test: string | undefined
  /** Brings the dependencies in, in a workflow. */
  readonly install: string | undefined
  /** The setup action of GitHub, with its version. */
  readonly setup: string | undefined
  /** Files whose change makes a passing test doubtful. */
  readonly protect: readonly string[]
}

const SOURCES = ['src', 'lib', 'app', 'packages', 'test', 'tests', 'spec', 'docs', 'cmd', 'internal', 'pkg', 'crates']

/** The stack of the project at `root`. A project that is not known is one without commands. */
export function findStack(root: string): Stack {
  const has = (name: string) => existsSync(join(root, name))
  const sources = SOURCES.filter(has)
  if (has('package.json')) return { ...nodeStack(root, has), sources }
  const known = OTHERS.find(({ marks }) => marks.some(has))
  const empty = {
    name: 'no known build',
    commands: [],
    test: undefined,
    install: undefined,
    setup: undefined,
    protect: [],
  }
  if (known === undefined) return { ...empty, sources }
  const { marks, ...stack } = known
  return { ...stack, sources, protect: marks.filter(has) }
}

const MANAGERS = [
  { lock: 'pnpm-lock.yaml', name: 'pnpm', install: 'corepack enable && pnpm install --frozen-lockfile' },
  { lock: 'yarn.lock', name: 'yarn', install: 'corepack enable && yarn install --immutable' },
  { lock: 'bun.lock', name: 'bun', install: 'npm install --global bun && bun install --frozen-lockfile' },
  { lock: 'bun.lockb', name: 'bun', install: 'npm install --global bun && bun install --frozen-lockfile' },
  { lock: 'package-lock.json', name: 'npm', install: 'npm ci' },
]

function nodeStack(root: string, has: (name: string) => boolean): Omit<Stack, 'sources'> {
  const manager = MANAGERS.find(({ lock }) => has(lock)) ?? { name: 'npm', install: 'npm install' }
  const scripts = readScripts(join(root, 'package.json'))
  const offered = ['test', 'lint', 'typecheck', 'check', 'build'].filter((script) => script in scripts)
  const hasTest = 'test' in scripts && !/no test specified/.test(scripts['test'] ?? '')
  const runs = offered.filter((script) => script !== 'test' || hasTest)
  const line = (script: string) =>
    script === 'test' && manager.name !== 'bun' ? `${manager.name} test` : `${manager.name} run ${script}`
  return {
    name: manager.name,
    commands: runs.map(line),
    test: hasTest ? line('test') : undefined,
    install: manager.install,
    setup: 'actions/setup-node@v6',
    protect: ['package.json'],
  }
}

function readScripts(file: string): Readonly<Record<string, string>> {
  try {
    const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> }
    return scripts
  } catch (cause) {
    throw new RunError('bad_input', `${file}: ${messageOf(cause)}`, { cause })
  }
}

type Known = Omit<Stack, 'sources' | 'protect'> & { readonly marks: readonly string[] }

/** The first whose file is there counts. */
const OTHERS: readonly Known[] = [
  {
    marks: ['go.mod'],
    ...{ name: 'go', commands: ['go test ./...', 'go vet ./...', 'go build ./...'], test: 'go test ./...' },
    ...{ install: 'go mod download', setup: 'actions/setup-go@v6' },
  },
  {
    marks: ['Cargo.toml'],
    ...{ name: 'cargo', commands: ['cargo test', 'cargo clippy', 'cargo build'], test: 'cargo test' },
    ...{ install: 'cargo fetch', setup: undefined },
  },
  {
    marks: ['uv.lock'],
    ...{ name: 'uv', commands: ['uv run pytest'], test: 'uv run pytest' },
    ...{ install: 'pip install uv && uv sync', setup: 'actions/setup-python@v6' },
  },
  {
    marks: ['pyproject.toml', 'setup.py', 'requirements.txt', 'tox.ini'],
    ...{ name: 'python', commands: ['python -m pytest'], test: 'python -m pytest' },
    ...{ install: 'pip install pytest . || pip install pytest -r requirements.txt', setup: 'actions/setup-python@v6' },
  },
  {
    marks: ['pom.xml'],
    ...{ name: 'maven', commands: ['mvn -q test'], test: 'mvn -q test', install: 'mvn -q dependency:go-offline' },
    setup: undefined,
  },
  {
    marks: ['build.gradle', 'build.gradle.kts'],
    ...{ name: 'gradle', commands: ['./gradlew test'], test: './gradlew test', install: undefined, setup: undefined },
  },
  {
    marks: ['Gemfile'],
    ...{ name: 'bundler', commands: ['bundle exec rake test'], test: 'bundle exec rake test' },
    ...{ install: 'bundle install', setup: 'ruby/setup-ruby@v1' },
  },
  {
    marks: ['Makefile'],
    ...{ name: 'make', commands: ['make test'], test: 'make test', install: undefined, setup: undefined },
  },
]
