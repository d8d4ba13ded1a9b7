import { expect, it } from 'vitest'
import { SleepTool } from '../../src/tools/SleepTool/SleepTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

it('Sleep waits what is asked', async () => {
  const { data, text } = await runTool<{ slept: number }>(SleepTool, { duration_ms: 50 }, createToolContext())
  expect(data?.slept).toBeGreaterThanOrEqual(49)
  expect(text).not.toContain('ends soon')
})

it('Sleep leaves time to finish', async () => {
  const context = createToolContext({ deadline: performance.now() + 5_000 })
  expect((await runTool(SleepTool, { duration_ms: 500_000 }, context)).text).toContain('The run ends soon')
})

it('Sleep ends with the run', async () => {
  const ending = new AbortController()
  const context = createToolContext({ signal: ending.signal })
  const sleeping = runTool(SleepTool, { duration_ms: 500_000 }, context)
  ending.abort()
  expect((await sleeping).isError).toBe(true)
})

it.each([0, -1, 600_001, '1 s'])('Sleep refuses %j', async (duration_ms) => {
  expect((await runTool(SleepTool, { duration_ms }, createToolContext())).step).toBe('schema')
})
