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

/** Files that these commands may name or their programs read, whether they are there or not. */
export function checkInputs(commands: readonly string[]): ReadonlySet<string> {
  const words = commands
    .flatMap((command) => command.split(/[\s;&|<>()"'`=]+/))
    .map((word) => word.replace(/^\.\//, ''))
  return new Set([...words, ...words.flatMap((word) => CONFIGURATION_FILES[word.replace(/^.*\//, '')] ?? [])])
}
