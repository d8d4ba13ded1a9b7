import { dirname, relative } from 'node:path/posix'
import type { ProjectFiles } from './ProjectFiles.ts'
import { readToml, type Table, tablesIn, textsIn, valueIn } from './readToml.ts'
import { ACTIONS, inFolder, type Stack } from './Stack.ts'

const MARKS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini']

export function pythonStack(files: ProjectFiles, folder: string): Stack | undefined {
  const has = (name: string) => files.paths.has(inFolder(folder, name))
  if (!MARKS.some(has)) return undefined
  const project = readToml(files, inFolder(folder, 'pyproject.toml'))
  const addresses = [...addressesOf(project), ...requirementAddresses(files, folder)]
  const globs = textsIn(valueIn(project, 'tool', 'uv', 'workspace', 'members'))
  const members = files.members(folder, globs, 'pyproject.toml')
  const common = { members, addresses, setup: ACTIONS.setupPython, image: 'python:3.13-trixie' }
  const linters = lintersOf(files, folder, project)
  const test = testOf(files, folder)
  const stackOf = (name: string, runner: string, install: string | undefined): Stack => ({
    ...{ ...common, name, install },
    test: test && `${test.startsWith('manage.py') ? runner.replace(/ -m$/, '') : runner} ${test}`,
    linters: linters.map((linter) => `${runner} ${linter}`),
  })
  if (has('uv.lock') || valueIn(project, 'tool', 'uv') !== undefined)
    return stackOf('uv', 'uv run', 'pip install uv && uv sync --all-packages')
  if (has('poetry.lock') || valueIn(project, 'tool', 'poetry') !== undefined)
    return stackOf('poetry', 'poetry run', 'pip install poetry && poetry install')
  const requirements = ['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt'].filter(has)
  const packages = [
    ...(test === 'pytest' ? ['pytest'] : []),
    ...(has('pyproject.toml') || has('setup.py') ? ['-e .'] : []),
    ...requirements.map((name) => `-r ${name}`),
  ]
  const isLaidOut = [...files.paths].some((path) => path.startsWith(inFolder(folder, 'src/')))
  const install = packages.length === 0 ? undefined : `pip install ${packages.join(' ')}`
  // From the folder: its commands start with `cd`.
  return { ...stackOf('python', 'python -m', install), environment: isLaidOut ? { PYTHONPATH: 'src' } : {} }
}

/** pytest fails where there are no tests, so there must be a sign of some. */
function testOf(files: ProjectFiles, folder: string): string | undefined {
  const inside = [...files.paths].filter((path) => folder === '.' || path.startsWith(`${folder}/`))
  const tests = inside.filter((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/.test(path))
  const settings = inside.filter((path) =>
    /(?:^|\/)(?:(?:dev-|test-)?requirements[^/]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini)$/.test(path),
  )
  if (inside.some((path) => /(?:^|\/)(?:pytest\.ini|conftest\.py)$/.test(path))) return 'pytest'
  if (settings.some((path) => files.read(path)?.includes('pytest'))) return 'pytest'
  if (inside.includes(inFolder(folder, 'manage.py'))) return tests.length === 0 ? undefined : 'manage.py test'
  if (inside.includes(inFolder(folder, 'mkdocs.yml'))) return 'mkdocs build --strict'
  const [first] = tests
  if (first === undefined) return undefined
  const isPlain = tests.every((path) => /\bunittest\b/.test(files.read(path) ?? ''))
  return isPlain ? `unittest discover -s ${relative(folder, dirname(first)) || '.'}` : 'pytest'
}

function lintersOf(files: ProjectFiles, folder: string, project: Table | undefined): readonly string[] {
  const text = [files.read(inFolder(folder, 'pyproject.toml')), files.read(inFolder(folder, 'requirements-dev.txt'))]
  const isNamed = (name: string) =>
    valueIn(project, 'tool', name) !== undefined || new RegExp(`["'\\n]${name}\\b`).test(text.join('\n'))
  return ['ruff check', 'mypy .'].filter((line) => isNamed(line.split(' ')[0] ?? line))
}

function addressesOf(project: Table | undefined): readonly string[] {
  const sources = [valueIn(project, 'tool', 'uv', 'index'), valueIn(project, 'tool', 'poetry', 'source')]
  return sources.flatMap(tablesIn).flatMap((table) => textsIn(table['url']))
}

function requirementAddresses(files: ProjectFiles, folder: string): readonly string[] {
  const text = files.read(inFolder(folder, 'requirements.txt')) ?? ''
  return [...text.matchAll(/^\s*(?:-i|--(?:extra-)?index-url)[\s=]+(\S+)/gm)].flatMap(([, address = '']) => address)
}
