import { expect, it, onTestFinished } from 'vitest'
import { reexecWithoutSecrets } from '../../src/entry/reexecWithoutSecrets.ts'

it('takes secrets out of `process.env` where Node cannot replace a process', () => {
  const [before, execve] = [process.env, Object.getOwnPropertyDescriptor(process, 'execve')]
  onTestFinished(() => {
    process.env = before
    if (execve !== undefined) Object.defineProperty(process, 'execve', execve)
  })
  Object.defineProperty(process, 'execve', { configurable: true, value: undefined })
  process.env = {
    ...{ PATH: '/bin', ANTHROPIC_API_KEY: 'sk-ant-test-0123456789abcdefghij', INPUT_PROMPT: 'x' },
    COPY: 'Bearer sk-ant-test-0123456789abcdefghij',
  }
  reexecWithoutSecrets()
  expect(process.env).toEqual({ PATH: '/bin' })
})
