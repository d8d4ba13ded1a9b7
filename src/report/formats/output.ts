import type { ResultEvent, RunEvent } from '../../contracts/events.ts'
import { escapeWorkflowCommands } from '../markdown/encodeUntrusted.ts'
import { isPassing } from '../transcript/transcript.ts'

export type OutputOptions = {
  readonly format: 'text' | 'json' | 'stream-json'
  readonly write: (text: string) => void
  /** Under a runner that also parses stdout for commands. */
  readonly isObeyed: boolean
}

/**
 * What stdout carries: only the result, in the requested format: the answer's text, the `result` object on one line, or
 * every event on its own line. No line is a command to a CI runner; the meaning of JSON does not change.
 */
export function createOutput({ format, write, isObeyed }: OutputOptions) {
  return {
    /** Takes every event of the run, including the last one. */
    event(event: RunEvent): void {
      if (format === 'stream-json' && (!isPassing(event) || event.type === 'stream_event')) write(jsonLine(event))
      else if (event.type === 'result') write(format === 'json' ? jsonLine(event) : resultText(event, isObeyed))
    },
  }
}

/** JSON on one line. `##[`, which GitHub's runner obeys anywhere in a line, is escaped. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${json
    .replace(/#(?=[^ -~]*#)/g, '\\u0023')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')}\n`
}

/** What controls a terminal, or turns the direction of text: logs show stdout as it is. */
const UNSHOWN = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

function resultText({ result, detail }: ResultEvent, isObeyed: boolean): string {
  const text = (result === '' ? detail : result).replace(UNSHOWN, '')
  return `${isObeyed ? escapeWorkflowCommands(text) : text}\n`
}
