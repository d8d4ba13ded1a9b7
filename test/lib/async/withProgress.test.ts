import { expect, it } from 'vitest'
import { withProgress } from '../../../src/lib/async/withProgress.ts'

const never = new AbortController().signal

it('yields the last line reported and returns the value', async () => {
  const work = withProgress(never, async (report) => {
    report('\n')
    report('first\nsecond\n\n')
    return 7
  })
  expect(await work.next()).toEqual({ done: false, value: { type: 'progress', text: 'second' } })
  expect(await work.next()).toEqual({ done: true, value: 7 })
})

it('drops a flood', async () => {
  const work = withProgress(never, async (report) => {
    for (let line = 0; line < 10_000; line += 1) report(`${line}\n`)
  })
  let lines = 0
  for await (const _ of work) lines += 1
  expect(lines).toBeLessThan(10)
})

it('rethrows errors of the work', async () => {
  const work = withProgress(never, async () => {
    throw new Error('broken')
  })
  await expect(work.next()).rejects.toThrow('broken')
})

it('ends the work when its reader leaves', async () => {
  let isEnded = false
  const work = withProgress(never, async (report, signal) => {
    report('begun')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    isEnded = true
  })
  await work.next()
  await work.return(undefined as never)
  expect(isEnded).toBe(true)
})
