import { expect, test } from 'vitest'
import { npmProblem } from '../../src/shell/npmProblem.ts'

function problemOf(line: string): string | undefined {
  const argv = line.split(' ').map((value) => ({ kind: 'literal', value }) as const)
  return npmProblem(line.split(' ')[0] ?? '', argv)
}

test.each([
  'npm pack ./src',
  'npm pack src/',
  'npm pack --dry-run file:src',
  'npm pac /x',
  'npm pack ~/x',
  'npm pack git+https://host/x',
  'npm pack github:a/b',
  'npm pack a/b',
  'npm publish src/',
  'npm install x@file:src',
  'npm install @a/x@./src',
  'npm install x@npm:y',
  'npm i a.tgz',
  'npm install @x/../src',
  'npm install @x/y/src',
  'npm install x@foo\u00a0./src',
  'npm install x@\t./src',
  'npm install x@foo/../src',
  'npm install x@foo\\src',
  'npm i a.tar.gz',
  'npm i a#main',
  'npm link ../x',
  'npm --loglevel run pack ./src',
  'yarn --cwd build add ./src',
  'npm diff --diff=./src',
  'npm diff --diff ./src',
  'npm --loglevel error pack ./src',
  'npm pack --json=./src',
  'npm pack --no-audit=file:src',
  'npm pack --no-no-prefix=a/b',
  'pnpm add ./src',
  'yarn add a/b',
  'bun install file:x',
])('%s', (line) => expect(problemOf(line)).toContain('scripts of a package'))

test.each([
  'npm',
  'npm pack',
  'npm ci',
  'npm install',
  'npm i -D typescript@^5.1 @types/node@latest',
  'npm i react@>=17\u00a0<19',
  'npm ls @a/b --depth 0',
  'npm view react dist-tags --json',
  'npm run lint ./src',
  'npm test src/a.test.ts',
  'npm exec -- eslint ./src',
  'npm pkg get scripts',
  'npm diff --diff=a@1 --diff=a@2',
  'yarn test src/a.ts',
  'pnpm add -D @types/x',
  'npm run build:env',
  'npm --silent run lint ./src',
  'npm -s test src/a.ts',
  'npm run envoy -- env',
  'npm config get registry',
  'npm config list',
  'npm search edit',
])('%s passes', (line) => expect(problemOf(line)).toBeUndefined())

test.each([
  'npm config set editor x',
  'npm c set a=b script-shell=c',
  'npm conf edit',
  'npm config delete a',
  'npm set a=b',
  'npm --loglevel error config set a=b',
  'npm pkg set scripts.test=x',
  'npm pkg delete a',
  'npm edit x',
])('%s may write settings', (line) => expect(problemOf(line)).toContain('settings'))

test.each([
  'npm run env touch x',
  'npm run-script env',
  'npm --loglevel error run env x',
  'npm run --loglevel silent env x',
  'yarn run env x',
])('%s runs what follows', (line) => expect(problemOf(line)).toContain('run env'))
