import { ACTIONS } from './actions.ts'
import type { ProjectFiles } from './ProjectFiles.ts'
import { EMPTY_STACK, inFolder, type Stack } from './Stack.ts'

type Known = Pick<Stack, 'name' | 'test' | 'install' | 'setup' | 'image' | 'generated'> & {
  readonly manifests: readonly string[]
}

/** Stacks that the name of the manifest identifies. */
const KNOWN: readonly Known[] = [
  {
    manifests: ['go.mod', 'go.work'],
    ...{ name: 'go', test: 'go test ./...', install: 'go mod download', setup: ACTIONS.setupGo },
    ...{ image: 'golang:1-trixie', generated: ['go.sum'] },
  },
  {
    manifests: ['pom.xml'],
    ...{ name: 'maven', test: 'mvn -q test', install: 'mvn -q dependency:go-offline', setup: undefined },
    ...{ image: undefined, generated: [] },
  },
  {
    manifests: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    ...{ name: 'gradle', test: './gradlew test', install: undefined, setup: undefined },
    ...{ image: undefined, generated: [] },
  },
  {
    manifests: ['Gemfile'],
    ...{ name: 'bundler', test: 'bundle exec rake test', install: 'bundle install', setup: 'ruby/setup-ruby@v1' },
    ...{ image: 'ruby:3-trixie', generated: ['Gemfile.lock'] },
  },
]

/** Go, maven, gradle and bundler. */
export function markedStack(files: ProjectFiles, folder: string): Stack | undefined {
  const known = KNOWN.find(({ manifests }) => manifests.some((mark) => files.paths.has(inFolder(folder, mark))))
  if (known === undefined) return undefined
  const { manifests, generated, ...stack } = known
  return { ...EMPTY_STACK, ...stack, generated: generated.map((name) => inFolder(folder, name)) }
}
