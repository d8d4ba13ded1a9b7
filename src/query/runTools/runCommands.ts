import type { RunEvent } from '../../contracts/events.ts'
import { NO_USAGE, OWN_MODEL, type ToolUseBlock, textsOf } from '../../contracts/messages.ts'
import { runToolUse } from './runToolUse.ts'
import type { CallResult, ToolRunner } from './ToolRunner.ts'

/**
 * Runs the commands of a skill or a command file as Bash calls of the run, one after the other: judged, inside the
 * walls, recorded below the call `parent`. Returns for each its output, or why there is none.
 */
export async function* runCommands(
  commands: readonly string[],
  runner: ToolRunner,
  parent: string,
): AsyncGenerator<RunEvent, readonly string[], undefined> {
  if (commands.length === 0) return []
  const own: ToolRunner = { ...runner, parentToolUseId: parent }
  const uses = commands.map((command, index): ToolUseBlock => {
    return { type: 'tool_use', id: `${parent}_command_${index + 1}`, name: 'Bash', input: { command } }
  })
  const answer = { id: `${parent}_commands`, type: 'message', role: 'assistant', model: OWN_MODEL } as const
  const message = { ...answer, content: uses, stop_reason: 'tool_use', usage: NO_USAGE }
  yield { type: 'assistant', message, parent_tool_use_id: parent }
  const results: CallResult[] = []
  for (const use of uses) results.push(yield* runToolUse(use, own))
  yield {
    type: 'user',
    message: { role: 'user', content: results.map(({ block }) => block) },
    parent_tool_use_id: parent,
    tool_use_result: results.map(({ outcome }) => outcome),
  }
  return results.map((result, index) => textOf(result, commands[index] ?? ''))
}

function textOf({ block, outcome }: CallResult, command: string): string {
  const text = textsOf(block.content).join('\n')
  return outcome.outcome === 'ok' ? text : `[\`${command}\` gave no result: ${text}]`
}
