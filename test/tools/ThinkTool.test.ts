import { expect, it } from 'vitest'
import { ThinkTool } from '../../src/tools/ThinkTool/ThinkTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

it('Think records the thought for reports and returns nothing new', async () => {
  const { text, data } = await runTool<{ thought: string }>(ThinkTool, { thought: 'hm' }, createToolContext())
  expect(text).toBe('Noted.')
  expect(data === undefined ? '' : ThinkTool.renderResult?.(data, { thought: 'hm' })).toBe('hm')
  expect((await runTool(ThinkTool, { thought: '' }, createToolContext())).step).toBe('schema')
})
