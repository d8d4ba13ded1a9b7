import { escapeGlob } from '../../policy/matchers/escapeGlob.ts'
import { protectionsOf } from '../../policy/paths/protectedPaths.ts'
import type { ProjectFiles } from './ProjectFiles.ts'

/** What holds copies of other projects. */
const FOREIGN = new Set(['vendor', 'node_modules', 'third_party'])

/** What it names needs no rule: whoever writes it gives leave. */
const IGNORING = '.gitignore'

/** Files that configure: each is named, a new one is not expected. */
const CONFIGURATION = /^\..*|^[^.]*$|\.(?:jsonc?|json5|toml|ya?ml|lock|xml|cfg|ini|txt|mod|sum|gradle|kts|properties)$/i

/** Where tests stand by habit: a project without tests gets its first ones there. */
const TESTS = ['test', 'tests', 'spec']

/**
 * The Edit rules under which the sources of a project can be worked on: its folders, and the files beside them, by kind, and
 * what its tools `make` there. Protected places and hidden folders are left out.
 */
export function findSources({ paths: there }: ProjectFiles, makes: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  const paths = new Set([...there, ...makes])
  const files = new Set<string>()
  for (const path of paths) {
    const [first = '', ...rest] = path.split('/')
    if (isGuarded(path) || path === IGNORING) continue
    if (rest.length === 0) files.add(patternOf(first))
    else if (!first.startsWith('.') && !FOREIGN.has(first)) folders.add(first)
  }
  if (makes.length > 0 && !TESTS.some((name) => folders.has(name)))
    for (const name of ['test', 'tests']) folders.add(name)
  const rules = [...[...folders].sort().map((folder) => `${escapeGlob(folder)}/**`), ...[...files].sort()]
  return rules.map((pattern) => `Edit(${pattern})`)
}

function patternOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.'))
  return CONFIGURATION.test(name) ? `./${escapeGlob(name)}` : `./*${escapeGlob(extension)}`
}

function isGuarded(path: string): boolean {
  return [...protectionsOf(`/${path}`, 'read', '/-'), ...protectionsOf(`/${path}`, 'write', '/-')].length > 0
}
