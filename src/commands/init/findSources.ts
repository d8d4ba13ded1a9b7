import { escapeGlob } from '../../policy/matchers/escapeGlob.ts'
import { protectionsOf } from '../../policy/paths/protectedPaths.ts'
import type { ProjectFiles } from './ProjectFiles.ts'

/** Folders that hold copies of other projects. */
const FOREIGN = new Set(['vendor', 'node_modules', 'third_party'])

/** What this file names needs no rule, so whoever writes it grants permission. */
const IGNORE_FILE = '.gitignore'

/** Configuration files get a rule each, by name: no new ones are expected. */
const CONFIGURATION = /^\..*|^[^.]*$|\.(?:jsonc?|json5|toml|ya?ml|lock|xml|cfg|ini|txt|mod|sum|gradle|kts|properties)$/i

/** Usual folders of tests: a project without tests gets its first ones there. */
const TESTS = ['test', 'tests', 'spec']

/**
 * The Edit rules for work on the sources of a project: its folders, the files beside them by kind, and the files that
 * its tools `generate`. Leaves out protected places and hidden folders.
 */
export function findSources({ paths: there }: ProjectFiles, generated: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  const paths = new Set([...there, ...generated])
  const files = new Set<string>()
  for (const path of paths) {
    const [first = '', ...rest] = path.split('/')
    if (isGuarded(path) || path === IGNORE_FILE) continue
    if (rest.length === 0) files.add(patternOf(first))
    else if (!first.startsWith('.') && !FOREIGN.has(first)) folders.add(first)
  }
  if (generated.length > 0 && !TESTS.some((name) => folders.has(name)))
    for (const name of ['test', 'tests']) folders.add(name)
  const rules = [...[...folders].sort().map((folder) => `${escapeGlob(folder)}/**`), ...[...files].sort()]
  return rules.map((pattern) => `Edit(${pattern})`)
}

/** The folder of tests among the Edit rules of a project. */
export function usualTestFolder(sources: readonly string[]): string {
  return TESTS.find((name) => sources.includes(`Edit(${name}/**)`)) ?? 'test'
}

function patternOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.'))
  return CONFIGURATION.test(name) ? `./${escapeGlob(name)}` : `./*${escapeGlob(extension)}`
}

function isGuarded(path: string): boolean {
  return [...protectionsOf(`/${path}`, 'read', '/-'), ...protectionsOf(`/${path}`, 'write', '/-')].length > 0
}
