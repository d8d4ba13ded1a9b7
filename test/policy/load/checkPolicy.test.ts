import { describe, expect, it } from 'vitest'
import { unsupportedKeys } from '../../../src/policy/load/checkPolicy.ts'

describe('unsupportedKeys', () => {
  it('names exactly the unsupported keys, at any depth', () => {
    const data = { outputs: {}, run: { answers: { a: 'b' }, model: 'm' }, memory: undefined }
    expect(
      unsupportedKeys(data, ['outputs', 'run.answers', 'run.params', 'memory', 'sandbox.mode', 'run.model.x']),
    ).toEqual([
      { path: ['outputs'], isKey: true, message: '`outputs` is not supported yet' },
      { path: ['run', 'answers'], isKey: true, message: '`run.answers` is not supported yet' },
    ])
  })
})
