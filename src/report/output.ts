import type { ResultEvent, RunEvent } from '../contracts/events.ts'
import { defuseCommands } from './encodeUntrusted.ts'

type OutputFormat = 'text' | 'json' | 'stream-json'

/** What stdout carries: the result and nothing else. */
export type Output = {
  /** Takes every event of the run, the last one too. */
  event(event: RunEvent): void
}

export type OutputOptions = {
  readonly format: OutputFormat
  readonly write: (text: string) => void
  /** Under GitHub's runner, which also reads stdout for commands. */
  readonly isGitHub: boolean
}

/**
 * Writes the result through `write` in the asked format: the answer's text, the `result` object on one line, or every
 * event on a line of its own. No line of it is a command to a CI runner; JSON keeps its meaning.
 */
export function createOutput({ format, write, isGitHub }: OutputOptions): Output {
  return {
    event: (event) => {
      const isProgress = event.type === 'system' && event.subtype === 'tool_progress'
      if (format === 'stream-json' && !isProgress) write(jsonLine(event))
      else if (event.type === 'result') write(format === 'json' ? jsonLine(event) : textOf(event, isGitHub))
    },
  }
}

/** JSON on one line. `##[`, which GitHub's runner obeys anywhere in a line, is spelled with an escape. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${json
    .replace(/#(?=[^ -~]*#)/g, '\\u0023')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')}\n`
}

function textOf({ result, detail }: ResultEvent, isGitHub: boolean): string {
  const text = result === '' ? detail : result
  return `${isGitHub ? defuseCommands(text) : text}\n`
}
