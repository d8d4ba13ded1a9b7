import { expect, it } from 'vitest'
import { SleepTool } from '../../src/tools/SleepTool/SleepTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

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
