import { expect, test } from 'vitest'
import { strangerProblem } from '../../src/shell/strangerProblem.ts'

function problemOf(line: string): string | undefined {
  const argv = line.split(' ').map((value) => ({ kind: 'literal', value }) as const)
  return strangerProblem('tool', argv)
}

test.each([
  'tool --exec=x',
  'tool --exec-batch x',
  'tool -exec x',
  'tool --init-hook=x',
  'tool --plugin x',
  'tool --plug x',
  'tool --pre_commands=x',
  'tool --postRenderCommand x',
  'tool --pager-program=x',
  'tool --scripts=x',
  'tool -load x',
  'tool --dlopen=x',
  'tool --rcfile x',
  'tool check --shell sh',
  'tool -pyflakes=bash src/w.yml',
])('%s seems to run a program', (line) => {
  expect(problemOf(line)).toContain('an option that seems to run a program')
})

test.each([
  'tool',
  'tool --verbose -e -x exec command',
  'tool --no-plugins',
  'tool --ignore-scripts',
  'tool --command-timeout=5',
  'tool --list-hooks',
  'tool --compact --executor=2 --processes 4',
  'tool -- --exec=x',
  'tool -k exec',
])('%s does not', (line) => {
  expect(problemOf(line)).toBeUndefined()
})

test('what is known of a word that is known only when it runs counts', () => {
  const argv = [
    { kind: 'literal', value: 'tool' },
    { kind: 'dynamic', prefix: '--exec=' },
  ] as const
  expect(strangerProblem('tool', argv)).toContain('--exec=')
})

test.each([
  'tool --bootstrap=src/x.php',
  'tool --bootstrap src/x.php y',
  'tool --autoload-file=src/x.php',
  'tool --rulesdir src/rules',
  'tool --rules-dir=src/rules',
  'tool --config src/x.mjs',
  'tool -c src/x.js',
  'tool -r ./src/x',
  'tool --ruleset https://example.com/x.js',
  'tool --custom-formatter=src/x.js',
  'tool --reporter data:text/javascript,x',
])('%s seems to load code', (line) => {
  expect(problemOf(line)).toContain('an option that seems to load code')
})

test.each([
  'tool --config tool.config.js',
  'tool --config config/app.yml',
  'tool -c config/app.toml',
  'tool --reporter=json --standard=PSR12',
  'tool --preset @company/preset',
  'tool --output src/x.js --include src/x.php --config-version=2/3',
  'tool src/x.js',
])('%s does not', (line) => {
  expect(problemOf(line)).toBeUndefined()
})

test('tools that read files know no options that load code', () => {
  const argv = ['od', '-c', 'src/app.ts'].map((value) => ({ kind: 'literal', value }) as const)
  expect(strangerProblem('od', argv)).toBeUndefined()
})
