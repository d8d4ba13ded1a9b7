import type { FileChange } from '../../contracts/events.ts'
import type { ChecksSettings } from '../../contracts/settings.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'

/** Files that configure a program, by the program's name. */
const CONFIGURATION_FILES: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json', '.npmrc'],
  npx: ['package.json', '.npmrc'],
  pnpm: ['package.json', 'pnpm-workspace.yaml', '.npmrc'],
  yarn: ['package.json', '.yarnrc', '.yarnrc.yml'],
  bun: ['package.json', 'bunfig.toml'],
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile'],
  cargo: ['Cargo.toml', 'build.rs', '.cargo/config.toml'],
  go: ['go.mod'],
  pytest: ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini', 'conftest.py'],
  tox: ['tox.ini', 'pyproject.toml'],
  mvn: ['pom.xml'],
  gradle: ['build.gradle', 'build.gradle.kts', 'settings.gradle'],
}

/**
 * Inputs of the checks that the run itself changed: files below `checks.protect`, and files that a command names or its
 * program reads, unless a rule names exactly that file (`isNamed`). A check that passes after such a change proves
 * nothing. Paths are relative to the project root.
 */
export function changedCheckInputs(
  checks: ChecksSettings,
  changes: readonly Pick<FileChange, 'path'>[],
  isNamed: (path: string) => boolean = () => false,
): string[] {
  const words = checks.commands
    .flatMap((command) => command.split(/[\s;&|<>()"'`=]+/))
    .map((word) => word.replace(/^\.\//, ''))
  const steering = new Set([...words, ...words.flatMap((word) => CONFIGURATION_FILES[word.replace(/^.*\//, '')] ?? [])])
  return changes
    .map((change) => change.path)
    .filter(
      (path) => (steering.has(path) && !isNamed(path)) || checks.protect.some((pattern) => isBelow(pattern, path)),
    )
}

function isBelow(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '')
  return path === plain || path.startsWith(`${plain}/`) || matchesGlob(plain, path)
}
