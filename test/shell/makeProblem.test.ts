import { expect, test } from 'vitest'
import type { Word } from '../../src/contracts/subject.ts'
import { makeProblem } from '../../src/shell/makeProblem.ts'

/** `?x` is a word that begins so and is known only when it runs, `?:x` one that fits this pattern. */
function problemOf(line: string): string | undefined {
  return makeProblem(
    line.split(' ').map((value): Word => {
      if (value.startsWith('?:')) return { kind: 'dynamic', patterns: [value.slice(2)] }
      if (value.startsWith('?')) return { kind: 'dynamic', prefix: value.slice(1) }
      return value.includes('*') ? { kind: 'glob', value } : { kind: 'literal', value: value.replaceAll('_', ' ') }
    }),
  )
}

test.each([
  'make PYTHON=touch',
  'make PATH=src',
  'make LD=src/ld',
  'make SHELL=x',
  'make CC=touch_x',
  'make CFLAGS=-fplugin=x',
  'make GOFLAGS=-toolexec=x',
  'make MAKEFLAGS=-f',
  'make GIT=x',
  'make A!=x',
  'make src/x;touch_pwned;',
  'make test-$(touch_pwned)',
  'make test-`x`',
  'make a|b',
  'make --directory=src/$(touch_x)',
  'make -Csrc/x;y',
  'make -C build x;y',
  'make GNUMAKEFLAGS=.SHELLFLAGS=src/x',
  'make MFLAGS=--file=src/x',
  'make ENV=src/x',
  'make ARGS=$(x)',
  'make ARGS=x;y',
  'make ARGS=@x',
  'make :=x',
  'make Q=touch',
  'make V=touch_pwned',
  'make V=a\ntouch',
  'make all\ntouch',
  'make ?',
  'make ?tes',
  'make ?ARGS=',
  'make ?:PYTHON=x',
  'make ?:*',
  'make *.o',
  'make src/*.o',
  'make ?./src/',
  'make ?:src/*.o',
  'rake RUBYOPT=-rx',
])('%s', (line) => expect(problemOf(line)).toBeDefined())

test.each([
  'make',
  'make -j4 -C docs html --jobs=2',
  'make Q= V=0',
  'make Q=@ V=99 VERBOSE=1',
  'make test V=1 ARGS=-k_foo_-x',
  'make CC=gcc-12 CXX=clang++ CFLAGS=-O2_-Wall',
  'make TESTFLAGS+=-v PYTESTARGS?=x',
  'make install PREFIX=/usr/local DESTDIR=build/root',
  'make ?-j',
  'make test/unit.o lib%.a all:x',
  'make ?:all',
  'make ?:V=1',
])('%s passes', (line) => expect(problemOf(line)).toBeUndefined())
