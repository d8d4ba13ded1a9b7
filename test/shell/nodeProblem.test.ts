import { expect, test } from 'vitest'
import type { Word } from '../../src/contracts/subject.ts'
import { nodeProblem } from '../../src/shell/nodeProblem.ts'

const asWord = (value: string): Word => (value === '?' ? { kind: 'dynamic' } : { kind: 'literal', value })
const isRefused = (line: string): boolean => nodeProblem(line.split(' ').map(asWord)) !== undefined

test.each([
  'node --check --import ./e.mjs src/b.js',
  'node --check -r ./e.cjs src/b.js',
  'node --require=./e.cjs --check src/b.js',
  'node -c --loader ./e.mjs b.js',
  'node --check --experimental-loader=./e.mjs b.js',
  'node --check --cpu-prof --cpu-prof-name=.npmrc b.js',
  'node --check --no-check b.js',
  'node -v --no-version b.js',
  'node --version -r ./x',
  'node --check ?',
  'node --check inspect src/e.js',
  'node --no-warnings --check debug src/e.js',
  'node --test --import data:text/javascript,x',
  'node --test src --import ./x.mjs',
  'node --import tsx --test src',
  'node --test --test-reporter ./x.mjs',
  'node --test --test-reporter=data:x',
  'node --test --test-reporter=tap --test-reporter-destination=ci/lint.sh',
  'node --test --test-reporter-destination pwned',
  'node --test --cpu-prof --cpu-prof-dir=x',
  'node --test ?',
])('%s', (line) => {
  expect(isRefused(line)).toBe(true)
})

test.each([
  'node --check src/b.js',
  'node -c b.js',
  'node --test',
  'node --test --test-reporter=spec --test-name-pattern=x src/a.test.js',
  'node --test --test-reporter tap --experimental-test-coverage test/',
  'node -v',
  'node --no-warnings --check b.js',
  'node --check b.js --import x',
  'node --import tsx a.ts',
  'node ?',
])('%s passes', (line) => {
  expect(isRefused(line)).toBe(false)
})
