import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { hideSecrets, keepOnly, withZeros } from '../../src/entry/hideSecrets.ts'
import { HANDOVER_VARIABLE, readHandover } from '../../src/sandbox/handover.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const KEY = 'sk-ant-test-0123456789abcdefghij'
const ENVIRONMENT = { PATH: '/bin', ANTHROPIC_API_KEY: KEY, INPUT_PROMPT: 'x', COPY: `Bearer ${KEY}` }

/** Another environment, another way to replace the process, and another system, until the test ends. */
function stand(execve: unknown, system: string = process.platform): void {
  const before = process.env
  const own = ['execve', 'platform'].map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const)
  onTestFinished(() => {
    process.env = before
    for (const [name, property] of own)
      if (property === undefined) Reflect.deleteProperty(process, name)
      else Object.defineProperty(process, name, property)
  })
  Object.defineProperty(process, 'execve', { configurable: true, value: execve })
  Object.defineProperty(process, 'platform', { configurable: true, value: system })
  process.env = { ...ENVIRONMENT }
}

it.runIf(process.platform === 'linux')('overwrites what the process was started with, and keeps the rest', () => {
  const script = `
    const { readFileSync } = require('node:fs')
    import('./src/entry/hideSecrets.ts').then(({ hideSecrets }) => {
      const before = readFileSync('/proc/self/environ', 'latin1')
      const isHidden = hideSecrets()
      const after = readFileSync('/proc/self/environ', 'latin1')
      const { PATH, KEPT, ANTHROPIC_API_KEY, COPY } = process.env
      console.log(JSON.stringify({ isHidden, before, after, own: [PATH, KEPT, ANTHROPIC_API_KEY, COPY] }))
    })`
  const env = { ...ENVIRONMENT, KEPT: 'höflich', EMPTY: '' }
  const output = execFileSync(process.execPath, ['--import', 'tsx', '-e', script], { env, encoding: 'utf8' })
  const { isHidden, before, after, own } = JSON.parse(output)
  expect(before).toContain(KEY)
  expect([isHidden, own]).toEqual([true, ['/bin', 'höflich', null, null]])
  expect(after.split('\0').filter((text: string) => text !== '')).toEqual(
    ['PATH=/bin', 'KEPT=höflich', 'EMPTY='].map((text) => Buffer.from(text).toString('latin1')),
  )
})

it.each([
  ['A=1\0KEY=abc\0B=2\0', 'A=1\0\0\0\0\0\0\0\0\0B=2\0'],
  ['KEY=abc', '\0\0\0\0\0\0\0'],
  // Another value than the one that is kept, a name without one, and what is no variable.
  ['A=2\0A\0=1\0', '\0\0\0\0\0\0\0\0\0'],
  ['A=1\0\0B=2', 'A=1\0\0B=2'],
  ['NAME=é\0KEY=é\0', 'NAME=é\0\0\0\0\0\0\0\0'],
  ['', ''],
])('of %j, %j is left', (shown, left) => {
  expect(withZeros(Buffer.from(shown), { A: '1', B: '2', NAME: 'é' }).toString()).toBe(left)
})

const PLACE = `7 (a) b) ${'0 '.repeat(47)}`

it.each([
  ['is shown as it now is', `${PLACE}0 16`, true, true, '\0\0\0\0\0\0\0\0B=2\0\0\0\0\0'],
  ['lies elsewhere, and is shown as it was', `${PLACE}4 16`, false, false, 'KEY=\0\0\0\0\0\0\0\0B=2\0'],
  ['is longer than what is shown', `${PLACE}0 17`, true, false, 'KEY=abc\0B=2\0more'],
  ['cannot be found', '', true, false, 'KEY=abc\0B=2\0more'],
])('of memory that %s, says whether secrets are gone', (_, stat, isSame, isHidden, left) => {
  const folder = makeFolder()
  const [memory, shown] = [join(folder, 'mem'), join(folder, 'environ')]
  writeFileSync(memory, 'KEY=abc\0B=2\0more')
  if (stat !== '') writeFileSync(join(folder, 'stat'), stat)
  if (isSame) symlinkSync(memory, shown)
  else writeFileSync(shown, 'KEY=abc\0B=2\0')
  expect([keepOnly({ B: '2' }, folder), readFileSync(memory, 'latin1')]).toEqual([isHidden, left])
})

it.each([
  ['linux', true, 0],
  ['linux', false, 1],
  ['darwin', false, 1],
  ['darwin with an older Node', false, 0],
  // There is a function that only throws.
  ['win32', false, 0],
])(
  'on %s: takes secrets out of `process.env`; hidden %j, it replaces the process %i times',
  (system, isHidden, times) => {
    const execve = vi.fn()
    stand(system.includes('older') ? undefined : execve, system.split(' ')[0])
    expect(hideSecrets(() => isHidden)).toBe(isHidden)
    expect(execve).toHaveBeenCalledTimes(times)
    expect(process.env).toEqual({ PATH: '/bin' })
  },
)

it.runIf(process.platform !== 'win32')('replaces the process by itself, and hands on secrets only in a file', () => {
  const calls: [string, readonly string[], Record<string, string>][] = []
  stand((...call: (typeof calls)[number]) => void calls.push(call))
  hideSecrets(() => false)
  const { execPath, execArgv, argv } = process
  const handed = { PATH: '/bin', [HANDOVER_VARIABLE]: expect.any(String) }
  expect(calls).toEqual([[execPath, [execPath, ...execArgv, ...argv.slice(1)], handed]])
  expect(JSON.stringify(calls)).not.toContain(KEY)
  const file = calls[0]?.[2][HANDOVER_VARIABLE] ?? ''
  expect(readHandover(file)).toMatchObject({ ANTHROPIC_API_KEY: KEY, INPUT_PROMPT: 'x', PATH: '/bin' })
})
