import { ACTIONS } from './actions.ts'
import type { ProjectFiles } from './ProjectFiles.ts'
import { EMPTY_STACK, inFolder, type Stack } from './Stack.ts'

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
    ...{ name: 'maven', setup: undefined, image: undefined },
    commands(has) {
      const program = has('mvnw') ? './mvnw' : 'mvn'
      return { test: `${program} -q test`, install: `${program} -q dependency:go-offline` }
    },
  },
  {
    manifests: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    ...{ name: 'gradle', setup: undefined, image: undefined },
    commands: (has) => ({ test: `${has('gradlew') ? './gradlew' : 'gradle'} test`, install: undefined }),
  },
  {
    manifests: ['Gemfile'],
    ...{ name: 'bundler', setup: 'ruby/setup-ruby@v1', image: 'ruby:3-trixie' },
    commands(has, read) {
      const isNamed = (gem: string) => new RegExp(`\\b${gem}\\b`).test(read('Gemfile') + read('Gemfile.lock'))
      const isTask = /TestTask|task\s+[:"']?test\b/i.test(read('Rakefile'))
      const test =
        has('.rspec') || isNamed('rspec')
          ? 'bundle exec rspec'
          : has('bin/rails')
            ? 'bin/rails test'
            : isTask
              ? 'bundle exec rake test'
              : isNamed('jekyll')
                ? 'bundle exec jekyll build'
                : undefined
      return { test, install: 'bundle install' }
    },
  },
]

/** Go, maven, gradle and bundler. */
export function markedStack(files: ProjectFiles, folder: string): Stack | undefined {
  const has = (name: string) => files.paths.has(inFolder(folder, name))
  const known = KNOWN.find(({ manifests }) => manifests.some(has))
  if (known === undefined) return undefined
  const { manifests: _, commands, ...stack } = known
  return { ...EMPTY_STACK, ...stack, ...commands(has, (name) => files.read(inFolder(folder, name)) ?? '') }
}
