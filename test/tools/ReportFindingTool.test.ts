import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ReportFindingTool } from '../../src/tools/ReportFindingTool/ReportFindingTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

const FINDING = { path: 'src/../src/a.ts', line: 3, severity: 'warning', title: 'Unused', message: 'It is not used.' }

it('ReportFinding tells the run, with the path from the project root', async () => {
  const context = createToolContext({ parentToolUseId: 'toolu_parent' })
  mkdirSync(join(context.cwd, 'src'))
  writeFileSync(join(context.cwd, 'src/a.ts'), '')
  expect((await runTool(ReportFindingTool, { ...FINDING, line: '3', end_line: 5 }, context)).text).toBe(
    'Reported for src/a.ts:3.',
  )
  expect((await runTool(ReportFindingTool, { ...FINDING, path: join(context.cwd, 'b.ts') }, context)).text).toBe(
    'Reported for b.ts:3. There is no such file: no viewer can show this place.',
  )
  expect(context.events).toEqual([
    {
      type: 'system',
      subtype: 'finding',
      ...FINDING,
      path: 'src/a.ts',
      end_line: 5,
      parent_tool_use_id: 'toolu_parent',
    },
    { type: 'system', subtype: 'finding', ...FINDING, path: 'b.ts', parent_tool_use_id: 'toolu_parent' },
  ])
})

it.each([
  [{ path: '../x.ts' }, 'validate'],
  [{ path: '/etc/passwd' }, 'validate'],
  [{ end_line: 2 }, 'validate'],
  [{ line: 0 }, 'schema'],
  [{ line: 1.5 }, 'schema'],
  [{ severity: 'fatal' }, 'schema'],
])('ReportFinding refuses %j', async (change, step) => {
  const context = createToolContext()
  expect((await runTool(ReportFindingTool, { ...FINDING, ...change }, context)).step).toBe(step)
  expect(context.events).toEqual([])
})
