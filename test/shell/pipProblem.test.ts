import { expect, test } from 'vitest'
import { pipProblem } from '../../src/shell/pipProblem.ts'

const problemOf = (line: string): string | undefined =>
  pipProblem(line.split(' ').map((value) => ({ kind: 'literal', value })))

test.each([
  'pip install ./src',
  'pip install src/',
  'pip install -e src',
  'pip install -qe src',
  'pip install --edit=src',
  'pip install --editable src',
  'pip install git+https://host/x',
  'pip install file:src',
  'pip install x.whl',
  'pip install ../x',
  'pip download --dry-run a/b',
  'pip wheel ./src',
])('%s', (line) => expect(problemOf(line)).toContain('code of a package'))

test.each([
  'pip list',
  'pip show -f requests',
  'pip install .',
  'pip install -e .[dev]',
  'pip install ./',
  'pip install -r requirements/dev.txt -c constraints.txt',
  'pip install -U requests>=2 flask==3.0',
  'pip install --no-cache-dir pytest',
])('%s passes', (line) => expect(problemOf(line)).toBeUndefined())
