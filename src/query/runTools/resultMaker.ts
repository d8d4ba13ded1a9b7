import { performance } from 'node:perf_hooks'
import type { ToolOutcome } from '../../contracts/events.ts'
import type { ToolUseBlock } from '../../contracts/messages.ts'
import type { ToolResult } from '../../Tool.ts'
import type { CallResult } from './ToolRunner.ts'

/** An error result. The API would reject an empty text. */
export function failure(text: string): ToolResult {
  return { content: text.trim() === '' ? 'Failed without a message.' : text, isError: true }
}

type Extra = Partial<Pick<CallResult, 'additionalContext' | 'stop'>> &
  Partial<Pick<ToolOutcome, 'blob' | 'rendering' | 'error_code' | 'error_meta'>>

/** Makes the result of one call, which took from `started` until it is made. */
export function resultMaker(toolUse: ToolUseBlock, started: number) {
  return (outcome: ToolOutcome['outcome'], result: ToolResult, extra: Extra = {}): CallResult => {
    const { additionalContext = [], stop, ...rest } = extra
    const content = result.content.length === 0 ? '(no output)' : result.content
    return {
      block: {
        type: 'tool_result',
        tool_use_id: toolUse.id,
        content,
        ...(result.isError ? { is_error: true } : {}),
        ...(result.references === undefined ? {} : { references: result.references }),
      },
      outcome: {
        tool_use_id: toolUse.id,
        tool_name: toolUse.name,
        outcome,
        duration_ms: Math.round(performance.now() - started),
        ...rest,
      },
      additionalContext,
      ...(stop === undefined ? {} : { stop }),
    }
  }
}
