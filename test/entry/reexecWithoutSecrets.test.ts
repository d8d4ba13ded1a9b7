import { expect, it, onTestFinished } from 'vitest'
import { reexecWithoutSecrets } from '../../src/entry/reexecWithoutSecrets.ts'
import { HANDOVER_VARIABLE, readHandover } from '../../src/sandbox/handover.ts'

const KEY = 'sk-ant-test-0123456789abcdefghij'

/** Another environment and another way to replace the process, until the test ends. */
function stand(execve: unknown): void {
  const [before, own] = [process.env, Object.getOwnPropertyDescriptor(process, 'execve')]
  onTestFinished(() => {
    process.env = before
    if (own === undefined) Reflect.deleteProperty(process, 'execve')
    else Object.defineProperty(process, 'execve', own)
  })
  Object.defineProperty(process, 'execve', { configurable: true, value: execve })
  process.env = { PATH: '/bin', ANTHROPIC_API_KEY: KEY, INPUT_PROMPT: 'x', COPY: `Bearer ${KEY}` }
}

it('takes secrets out of `process.env` where Node cannot replace a process', () => {
  stand(undefined)
  reexecWithoutSecrets()
  expect(process.env).toEqual({ PATH: '/bin' })
})

it.runIf(process.platform !== 'win32')('replaces the process by itself, and hands on secrets only in a file', () => {
  const calls: [string, readonly string[], Record<string, string>][] = []
  stand((...call: (typeof calls)[number]) => void calls.push(call))
  reexecWithoutSecrets()
  const { execPath, execArgv, argv } = process
  const handed = { PATH: '/bin', [HANDOVER_VARIABLE]: expect.any(String) }
  expect(calls).toEqual([[execPath, [execPath, ...execArgv, ...argv.slice(1)], handed]])
  expect(JSON.stringify(calls)).not.toContain(KEY)
  const file = calls[0]?.[2][HANDOVER_VARIABLE] ?? ''
  expect(readHandover(file)).toMatchObject({ ANTHROPIC_API_KEY: KEY, INPUT_PROMPT: 'x', PATH: '/bin' })
})
