import { ACTIONS } from './actions.ts'
import type { ProjectFiles } from './ProjectFiles.ts'
import { readToml, type Table, tablesIn, textsIn, valueIn } from './readToml.ts'
import { EMPTY_STACK, inFolder, type Stack } from './Stack.ts'

const MARKS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini']

/** A project of uv, poetry or pip, with the members of a uv workspace. */
export function pythonStack(files: ProjectFiles, folder: string): Stack | undefined {
  const has = (name: string) => files.paths.has(inFolder(folder, name))
  if (!MARKS.some(has)) return undefined
  const project = readToml(files, inFolder(folder, 'pyproject.toml'))
  const addresses = [...addressesOf(project), ...requirementAddresses(files, folder)]
  const globs = textsIn(valueIn(project, 'tool', 'uv', 'workspace', 'members'))
  const members = files.members(
    globs.map((glob) => inFolder(folder, glob)),
    'pyproject.toml',
  )
  const common = { ...EMPTY_STACK, members, addresses, setup: ACTIONS.setupPython, image: 'python:3.13-trixie' }
  const linters = lintersOf(files, folder, project)
  if (has('uv.lock') || valueIn(project, 'tool', 'uv') !== undefined) {
    return {
      ...{ ...common, ...runBy('uv run', linters), name: 'uv', generated: [inFolder(folder, 'uv.lock')] },
      install: 'pip install uv && uv sync --all-packages',
    }
  }
  if (has('poetry.lock') || valueIn(project, 'tool', 'poetry') !== undefined) {
    return {
      ...{ ...common, ...runBy('poetry run', linters), name: 'poetry', generated: [inFolder(folder, 'poetry.lock')] },
      install: 'pip install poetry && poetry install',
    }
  }
  const requirements = ['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt'].filter(has)
  const packages = [
    'pytest',
    ...(has('pyproject.toml') || has('setup.py') ? ['-e .'] : []),
    ...requirements.map((name) => `-r ${name}`),
  ]
  const isLaidOut = [...files.paths].some((path) => path.startsWith(inFolder(folder, 'src/')))
  return {
    ...common,
    ...runBy('python -m', linters),
    name: 'python',
    install: `pip install ${packages.join(' ')}`,
    environment: isLaidOut ? { PYTHONPATH: inFolder(folder, 'src') } : {},
  }
}

function runBy(runner: string, linters: readonly string[]): Pick<Stack, 'test' | 'linters'> {
  return { test: `${runner} pytest`, linters: linters.map((linter) => `${runner} ${linter}`) }
}

/** Linters that a manifest configures or asks for. */
function lintersOf(files: ProjectFiles, folder: string, project: Table | undefined): readonly string[] {
  const text = [files.read(inFolder(folder, 'pyproject.toml')), files.read(inFolder(folder, 'requirements-dev.txt'))]
  const isNamed = (name: string) =>
    valueIn(project, 'tool', name) !== undefined || new RegExp(`["'\\n]${name}\\b`).test(text.join('\n'))
  return [
    { name: 'ruff', line: 'ruff check' },
    { name: 'mypy', line: 'mypy .' },
  ].flatMap(({ name, line }) => (isNamed(name) ? [line] : []))
}

function addressesOf(project: Table | undefined): readonly string[] {
  const sources = [valueIn(project, 'tool', 'uv', 'index'), valueIn(project, 'tool', 'poetry', 'source')]
  return sources.flatMap(tablesIn).flatMap((table) => textsIn(table['url']))
}

function requirementAddresses(files: ProjectFiles, folder: string): readonly string[] {
  const text = files.read(inFolder(folder, 'requirements.txt')) ?? ''
  return [...text.matchAll(/^\s*(?:-i|--(?:extra-)?index-url)[\s=]+(\S+)/gm)].flatMap(([, address = '']) => address)
}
