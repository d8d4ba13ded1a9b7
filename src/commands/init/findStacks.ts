import { nodeStack } from './nodeStack.ts'
import type { ProjectFiles } from './ProjectFiles.ts'
import { pythonStack } from './pythonStack.ts'
import { readToml, textsIn, valueIn } from './readToml.ts'
import { ACTIONS, inFolder, type Stack, type StackFinder } from './Stack.ts'

/** Makefiles last: beside a manifest they only call its tools. */
const FINDERS: readonly StackFinder[] = [nodeStack, pythonStack, cargoStack, markedStack, taskStack]

/** The stacks of a project: those at its root, else those of its folders, with commands that start at the root. */
export function findStacks(files: ProjectFiles): readonly Stack[] {
  const atRoot = stacksIn(files, '.')
  if (atRoot.some(({ name }) => !TASKS.has(name))) return atRoot
  const folders = new Set([...files.paths].flatMap((path) => path.split('/').slice(0, -1).slice(0, 1)))
  const below = [...folders].sort().flatMap((folder) => stacksIn(files, folder).map((stack) => within(stack, folder)))
  return [...atRoot, ...below]
}

const TASKS = new Set(['make', 'just'])

function stacksIn(files: ProjectFiles, folder: string): readonly Stack[] {
  const stacks = FINDERS.flatMap((find) => find(files, folder) ?? [])
  return stacks.filter(({ name }) => folder === '.' || !TASKS.has(name))
}

function within(stack: Stack, folder: string): Stack {
  const from = (line: string) => `cd ${folder} && ${line}`
  const { test, install, linters = [], name } = stack
  return {
    ...stack,
    name: `${name} in ${folder}`,
    test: test && from(test),
    install: install && from(install),
    linters: linters.map(from),
  }
}

function cargoStack(files: ProjectFiles, folder: string): Stack | undefined {
  const manifest = readToml(files, inFolder(folder, 'Cargo.toml'))
  if (manifest === undefined) return undefined
  const excluded = textsIn(valueIn(manifest, 'workspace', 'exclude')).map((glob) => `!${glob}`)
  const globs = [...textsIn(valueIn(manifest, 'workspace', 'members')), ...excluded]
  const all = manifest['workspace'] === undefined ? '' : ' --workspace'
  return {
    name: 'cargo',
    members: files.members(folder, globs, 'Cargo.toml'),
    test: `cargo test${all}`,
    linters: [`cargo clippy${all}`],
    install: 'cargo fetch',
    image: 'rust:1-trixie',
  }
}

const FILES = [
  { program: 'make', names: ['Makefile', 'makefile', 'GNUmakefile'], target: /^([A-Za-z][\w.-]*)\s*:(?!=)/gm },
  { program: 'just', names: ['justfile', 'Justfile', '.justfile'], target: /^@?([A-Za-z][\w-]*)(?:\s[^:=]*)?:(?!=)/gm },
]

/** A Makefile or a justfile, with its targets for tests and linters. */
function taskStack(files: ProjectFiles, folder: string): Stack | undefined {
  for (const { program, names, target } of FILES) {
    const text = names.map((name) => files.read(inFolder(folder, name))).find((found) => found !== undefined)
    if (text === undefined) continue
    const targets = new Set([...text.matchAll(target)].flatMap(([, name = '']) => name))
    const first = (...wanted: readonly string[]) => wanted.find((name) => targets.has(name))
    const test = first('test', 'tests', 'check')
    const lint = first('lint')
    return {
      name: program,
      test: test && `${program} ${test}`,
      linters: lint === undefined ? [] : [`${program} ${lint}`],
      image: 'debian:trixie',
    }
  }
  return undefined
}

type Known = Pick<Stack, 'name' | 'setup' | 'image'> & {
  readonly manifests: readonly string[]
  readonly commands: (has: (name: string) => boolean, read: (name: string) => string) => Pick<Stack, 'test' | 'install'>
}

/** Stacks that the name of the manifest identifies. */
const KNOWN: readonly Known[] = [
  {
    manifests: ['go.mod', 'go.work'],
    ...{ name: 'go', setup: ACTIONS.setupGo, image: 'golang:1-trixie' },
    commands: () => ({ test: 'go test ./...', install: 'go mod download' }),
  },
  {
    manifests: ['pom.xml'],
    name: 'maven',
    commands(has) {
      const program = has('mvnw') ? './mvnw' : 'mvn'
      return { test: `${program} -q test`, install: `${program} -q dependency:go-offline` }
    },
  },
  {
    manifests: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    name: 'gradle',
    commands: (has) => ({ test: `${has('gradlew') ? './gradlew' : 'gradle'} test` }),
  },
  {
    manifests: ['Gemfile'],
    ...{ name: 'bundler', setup: 'ruby/setup-ruby@v1', image: 'ruby:3-trixie' },
    commands(has, read) {
      const isNamed = (gem: string) => new RegExp(`\\b${gem}\\b`).test(read('Gemfile') + read('Gemfile.lock'))
      const isTask = /TestTask|task\s+[:"']?test\b/i.test(read('Rakefile'))
      const tests = [
        (has('.rspec') || isNamed('rspec')) && 'bundle exec rspec',
        has('bin/rails') && 'bin/rails test',
        isTask && 'bundle exec rake test',
        isNamed('jekyll') && 'bundle exec jekyll build',
      ]
      return { test: tests.find((line) => line !== false), install: 'bundle install' }
    },
  },
]

function markedStack(files: ProjectFiles, folder: string): Stack | undefined {
  const has = (name: string) => files.paths.has(inFolder(folder, name))
  const known = KNOWN.find(({ manifests }) => manifests.some(has))
  if (known === undefined) return undefined
  const { manifests: _, commands, ...stack } = known
  return { ...stack, ...commands(has, (name) => files.read(inFolder(folder, name)) ?? '') }
}
