import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { parseInput } from '../../../src/query/runTools/parseInput.ts'
import { buildTool, lazySchema, type Tool } from '../../../src/Tool.ts'
import { AgentTool } from '../../../src/tools/AgentTool/AgentTool.ts'
import { AskUserQuestionTool } from '../../../src/tools/AskUserQuestionTool/AskUserQuestionTool.ts'
import { BashOutputTool } from '../../../src/tools/BashOutputTool/BashOutputTool.ts'
import { BashTool } from '../../../src/tools/BashTool/BashTool.ts'
import { FinishTool } from '../../../src/tools/FinishTool/FinishTool.ts'
import { GrepTool } from '../../../src/tools/GrepTool/GrepTool.ts'
import { KillShellTool } from '../../../src/tools/KillShellTool/KillShellTool.ts'
import { ReadTool } from '../../../src/tools/ReadTool/ReadTool.ts'
import { TodoWriteTool } from '../../../src/tools/TodoWriteTool/TodoWriteTool.ts'
import { WebSearchTool } from '../../../src/tools/WebSearchTool/WebSearchTool.ts'

describe('an input that does not fit', () => {
  it.each<[Tool, object, string]>([
    [ReadTool, {}, 'file_path: is missing'],
    [ReadTool, { file_path: 'a', limit: 0 }, 'limit: must be more than 0'],
    [ReadTool, { file_path: 'a', offset: -1 }, 'offset: must be at least 0'],
    [BashTool, { command: '' }, 'command: must not be empty'],
    [BashTool, { command: { text: 'ls' } }, 'command: must be a string, not an object'],
    [BashTool, { command: 'ls', timeout: 'soon' }, 'timeout: must be a number, not a string'],
    [GrepTool, { pattern: 'x', '-i': 'perhaps' }, '-i: must be a boolean, not a string'],
    [FinishTool, { summary: 'x' }, 'status: is missing'],
    [FinishTool, { status: 'done', summary: 'x' }, 'status: must be "completed", "blocked" or "failed", not "done"'],
    [AgentTool, { description: 'a', prompt: 'b', isolation: 'view' }, 'isolation: must be "worktree", not "view"'],
    [TodoWriteTool, { todos: 'all' }, 'todos: must be an array, not a string'],
    [TodoWriteTool, { todos: [{ content: 'a' }] }, 'todos.0.status: is missing'],
    [BashOutputTool, { timeout: 5 }, 'bash_id: is missing'],
    [KillShellTool, {}, 'shell_id: is missing'],
    [WebSearchTool, { query: 'x' }, 'query: must have at least 2 characters'],
    [AskUserQuestionTool, { questions: [] }, 'questions: must not be empty'],
    [AskUserQuestionTool, { questions: Array(11).fill({ question: '?' }) }, 'questions: must have at most 10 entries'],
  ])('%o', (tool, input, line) => {
    const message = `The input of ${tool.name} does not fit:\n- ${line}`
    expect(parseInput(tool, input)).toEqual({ ok: false, message })
  })

  it('keeps the words of a schema that says more than a kind or a bound', () => {
    const tool = buildTool({
      name: 'Odd',
      inputSchema: lazySchema(() => z.strictObject({ name: z.string().regex(/^[a-z]+$/, 'only small letters') })),
      description: () => '',
      // biome-ignore lint/correctness/useYield: it is never called
      async *call() {
        throw new Error('never called')
      },
      mapResult: () => ({ content: '' }),
    })
    expect(parseInput(tool, { name: 'A' })).toMatchObject({
      message: expect.stringContaining('- name: only small letters'),
    })
  })
})
