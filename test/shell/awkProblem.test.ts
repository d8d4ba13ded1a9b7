import { expect, test } from 'vitest'
import { awkProblem } from '../../src/shell/awkProblem.ts'

const problem = (program: string): string | undefined =>
  awkProblem(['awk', program].map((value) => ({ kind: 'literal', value })))

test.each([
  'NR>1 {s+=$2} END {print s/(NR-1)}',
  '{ print ($1 > 2), ($1 > 3) ? "a" : "b" }',
  '$1 ~ /^\\/usr/ && $5 > 10 {print $NF}',
  '/a>b/ || !/[[:digit:]>]+/ {print "a > b"}',
  '{print $1}\n$2 > 3\n',
  '{ print } $2 > 3',
  '{ if ($1 > 1) print\nelse x = 2 > 1 }',
  'function f(a) { return a > 1 } { print f($1) }',
  'BEGIN { printf("%d\\n", 1) > "/dev/stderr" }',
])('it only prints: %s', (program) => expect(problem(program)).toBeUndefined())

test.each([
  '{ print > "f" }',
  '{ print $1 > $2 }',
  '{ printf "%s", $1 > "f" }',
  '{ print($1) > "f" }',
  '{ print a[1 > 2] }',
  '{ print $1 > "/dev/stderr" "x" }',
  '{ print $1 > "/dev/stderr/../x" }',
  '{ print $1,\n$2 > 3 }',
  '{ print 1 in\nx > 3 }',
  '{ for (;;print 1 > "f") ; }',
  '{ print x++ /a/ > "f" }',
  '{ if (x) /a>"/; print 1 > "f" }',
  '{ print length / 2 > "f" }',
  '{ print "a\\\n" > "f" }',
  '{ print 1 # \\\n > "f" }',
  '{ print (1 > 2 }',
  '{ print awk::x > "f" }',
  '{ print | "sh" }',
  '{ print |& "sh" }',
  '{ @f() }',
  '{ system("x") }',
])('it may write, or awks differ: %s', (program) => expect(problem(program)).toMatch(/^awk: /))
