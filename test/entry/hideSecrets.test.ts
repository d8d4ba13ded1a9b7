import { execFileSync } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { hideSecrets, withZeros } from '../../src/entry/hideSecrets.ts'
import { HANDOVER_VARIABLE, readHandover } from '../../src/sandbox/handover.ts'

const KEY = 'sk-ant-test-0123456789abcdefghij'
const ENVIRONMENT = { PATH: '/bin', ANTHROPIC_API_KEY: KEY, INPUT_PROMPT: 'x', COPY: `Bearer ${KEY}` }

/** Another environment and another way to replace the process, until the test ends. */
function stand(execve: unknown): void {
  const [before, own] = [process.env, Object.getOwnPropertyDescriptor(process, 'execve')]
  onTestFinished(() => {
    process.env = before
    if (own === undefined) Reflect.deleteProperty(process, 'execve')
    else Object.defineProperty(process, 'execve', own)
  })
  Object.defineProperty(process, 'execve', { configurable: true, value: execve })
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
  ['', ''],
])('of %j, %j is left', (shown, left) => {
  expect(withZeros(Buffer.from(shown), { A: '1', B: '2' }).toString()).toBe(left)
})

it('takes secrets out of `process.env`, whether or not they can be hidden', () => {
  for (const isHidden of [true, false]) {
    stand(undefined)
    expect(hideSecrets(() => isHidden)).toBe(isHidden && process.platform === 'linux')
    expect(process.env).toEqual({ PATH: '/bin' })
  }
})

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
