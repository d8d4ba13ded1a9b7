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
import { listOf, table } from '../../helpers/table.ts'

const toolOf = (schema: z.ZodObject) =>
  buildTool({
    ...{ name: 'Odd', inputSchema: lazySchema(() => schema), description: () => '' },
    // biome-ignore lint/correctness/useYield: it is never called
    async *call() {
      throw new Error('never called')
    },
    mapResult: () => ({ content: '' }),
  })

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
    const odd = toolOf(z.strictObject({ name: z.string().regex(/^[a-z]+$/, 'only small letters') }))
    expect(parseInput(odd, { name: 'A' })).toMatchObject({
      message: expect.stringContaining('- name: only small letters'),
    })
  })
})

describe('an obvious slip', () => {
  const step = z.strictObject({ text: z.string(), done: z.boolean().optional() })
  const more = { more: step.optional(), at: z.number().optional() }
  const plan = toolOf(z.strictObject({ title: z.string(), steps: z.array(step).min(1), ...more }))
  const [fit, other] = ['{"title":"t","steps":[{"text":"a"}]}', '"steps":[{"text":"a"}]']

  it.each(
    table`
    nothing | ${fit} | ${fit}
    null for a field that is left out | {"title":"t",${other},"at":null} | ${fit}
    a list that came as text | {"title":"t","steps":"[{\\"text\\":\\"a\\"}]"} | ${fit}
    an object that came as text | {"title":"t",${other},"more":"{\\"text\\":\\"b\\"}"} | {"title":"t",${other},"more":{"text":"b"}}
    a number where a text is wanted | {"title":7,${other}} | {"title":"7",${other}}
    yes or no where a text is wanted | {"title":false,${other}} | {"title":"false",${other}}
    unknown fields inside | {"title":"t","steps":[{"text":"a","id":"1","priority":"high"}]} | ${fit} | steps.0.id, steps.0.priority
    one slip behind another | {"title":"t","steps":"[{\\"text\\":\\"a\\",\\"id\\":2,\\"done\\":null}]","why":"x"} | ${fit} | why, steps.0.id
    an unknown field | {"title":"t",${other},"dangerouslyDisableSandbox":true} | ${fit} | dangerouslyDisableSandbox
    `,
  )('is mended: %s', (_, raw = '', expected = '', dropped = '') => {
    const input = JSON.parse(raw)
    expect(parseInput(plan, input)).toEqual({ ok: true, input: JSON.parse(expected), dropped: listOf(dropped) })
    expect(input).toEqual(JSON.parse(raw))
  })

  it.each(
    table`
    a text that is no list | {"title":"t","steps":"a, b"} | - steps:
    an object for a list | {"title":"t","steps":"{}"} | - steps:
    a list for an object | {"title":"t",${other},"more":"[]"} | - more:
    a number for a list | {"title":"t","steps":"7"} | - steps:
    nothing for an object | {"title":"t",${other},"more":"null"} | - more:
    half a list | {"title":"t","steps":"[{\\"text\\":"} | - steps:
    a text for a number | {"title":"t",${other},"at":"7"} | - at:
    a list for a text | {"title":["t"],${other}} | - title:
    null for a field that is needed | {"title":null,${other}} | - title:
    a fault inside | {"title":"t","steps":[{"text":[]},null]} | - steps.0.text:
    a misnamed field | {"name":"t",${other}} | - unknown: name. Its fields: title, steps, more, at
    nine faults: eight are told | {"title":"t","steps":[${Array(9).fill('{"text":[]}').join()}]} | - steps.7.text:
    no object | "a" | The input is not an object.
    a list | [1] | The input is not an object.
    nothing | null | The input is not an object.
    `,
  )('is not: %s', (_, raw = '', part = '') => {
    expect(parseInput(plan, JSON.parse(raw))).toEqual({ ok: false, message: expect.stringContaining(part) })
  })
})
