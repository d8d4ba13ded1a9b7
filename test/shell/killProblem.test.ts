import { expect, test } from 'vitest'
import { killProblem } from '../../src/shell/killProblem.ts'

function problemOf(line: string): string | undefined {
  return killProblem(line.split(' ').map((value) => ({ kind: 'literal', value }) as const))
}

test.each(['kill -9 -1', 'kill -TERM -1', 'kill -- -1', 'kill -s TERM 0', 'kill 0', 'kill -9 00', 'kill 12 -34'])(
  '%s reaches more than it names',
  (line) => expect(problemOf(line)).toContain('processes that the rule does not name'),
)

test.each(['kill 123', 'kill -9 123 456', 'kill -s TERM 12', 'kill -n 9 12', 'kill %1', 'kill -l', 'kill -0 123'])(
  '%s does not',
  (line) => expect(problemOf(line)).toBeUndefined(),
)
