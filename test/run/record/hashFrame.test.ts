import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Loop } from '../../../src/query/Loop.ts'
import { hashFrame } from '../../../src/run/record/hashFrame.ts'

it('is of the bytes that each request has; nothing where they cannot be made', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const loop = (frame: () => Promise<unknown>) => ({ frame }) as unknown as Loop
  expect(await hashFrame(loop(async () => ({ model: 'm', system: 'be kind', tools: [{ name: 'a' }] })))).toEqual({
    ...{ system_sha256: sha256('be kind'), tools_sha256: sha256('[{"name":"a"}]') },
  })
  expect(await hashFrame(loop(() => Promise.reject(new Error('no'))))).toBeUndefined()
})
