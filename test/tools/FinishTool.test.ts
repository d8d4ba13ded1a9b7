import { describe, expect, it } from 'vitest'
import type { FinishReport } from '../../src/Tool.ts'
import { FinishTool } from '../../src/tools/FinishTool/FinishTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

async function finish(input: Record<string, unknown>, problem: string | null) {
  const reports: FinishReport[] = []
  const context = createToolContext({
    finish: (report) => {
      reports.push(report)
      return problem
    },
  })
  return { run: await runTool(FinishTool, input, context), reports }
}

describe('Finish', () => {
  it('passes the report on', async () => {
    const { run, reports } = await finish({ status: 'completed', summary: 'done', output: { n: 1 } }, null)
    expect(reports).toEqual([{ status: 'completed', summary: 'done', output: { n: 1 } }])
    expect(run).toMatchObject({ text: 'Finished.', isError: false })
  })

  it('returns what is wrong with the output', async () => {
    const { run } = await finish({ status: 'completed', summary: 'done' }, 'output.n is missing')
    expect(run).toMatchObject({ text: 'Not finished yet: output.n is missing', isError: true })
  })

  it.each([[{ status: 'done', summary: 'x' }], [{ status: 'failed', summary: '' }], [{ status: 'failed' }]])(
    'refuses %j',
    async (input) => {
      const { run, reports } = await finish(input, null)
      expect(run.step).toBe('schema')
      expect(reports).toEqual([])
    },
  )
})
