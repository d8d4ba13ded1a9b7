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
])('%s', (line) => {
  expect(isRefused(line)).toBe(true)
})

test.each([
  'node --check src/b.js',
  'node -c b.js',
  'node -v',
  'node --no-warnings --check b.js',
  'node --check b.js --import x',
  'node --import tsx a.ts',
  'node ?',
])('%s passes', (line) => {
  expect(isRefused(line)).toBe(false)
})
