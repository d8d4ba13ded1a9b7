import type { HookEvent, RunEvent } from '../../contracts/events.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { counted, formatDuration } from '../../lib/text/words.ts'
import { checkFailure } from '../words.ts'
import type { TimelineEntry } from './runReport.ts'

type Note = Extract<TimelineEntry, { kind: 'note' }>
type Words = Omit<Note, 'kind' | 'atMs'>

/** The line for an event that is neither message nor call; null for events that are shown elsewhere. */
export function timelineNote(event: RunEvent, atMs: number | null): Note | null {
  const words = event.type === 'system' ? wordsOf(event) : null
  return words === null ? null : { kind: 'note', atMs, ...words }
}

function wordsOf(event: Extract<RunEvent, { type: 'system' }>): Words | null {
  switch (event.subtype) {
    case 'api_retry':
      return warning(
        `API ${event.error_status ?? event.error}, attempt ${event.attempt} of ${event.max_retries}`,
        `waiting ${formatDuration(event.retry_delay_ms)} (${event.source}): ${event.detail}`,
      )
    case 'api_stall':
      return warning(
        'API silent',
        `${event.phase.replaceAll('_', ' ')}: nothing for ${formatDuration(event.silent_ms)}`,
      )
    case 'turn_discarded':
      return warning('Answer discarded', `${counted(event.blocks, 'block')}: ${event.reason}`)
    case 'model_fallback':
      return warning(`Model ${event.from} → ${event.to}`, event.detail)
    case 'model_call':
      return info(`Request beside the loop: ${event.purpose}`, event.model)
    case 'compact_boundary': {
      const { trigger, pre_tokens, post_tokens } = event.compact_metadata
      return info('Conversation compacted', `${pre_tokens} → ${post_tokens} tokens (${trigger})`)
    }
    case 'mcp_unavailable':
      return { level: event.required ? 'error' : 'warning', title: `MCP server ${event.server}`, detail: event.detail }
    case 'mcp_tools_changed':
      return warning(`MCP server ${event.server} changed its tools`, event.detail)
    case 'hook':
      if (event.outcome === 'ok') return null
      return {
        ...info(
          `Hook ${event.event}: ${event.outcome}`,
          event.detail === '' ? event.hook : `${event.hook}: ${event.detail}`,
        ),
        level: hookLevel(event),
      }
    case 'check':
      return {
        level: event.ok ? 'info' : 'error',
        title: `Check ${event.ok ? 'passed' : 'failed'}: ${event.command}`,
        detail: event.ok ? '' : `${checkFailure(event.exit_code)}, attempt ${event.attempt}`,
      }
    case 'process_leaked':
      return warning(`Processes left behind: ${event.count}`, event.processes.map(({ command }) => command).join(', '))
    case 'tools_loaded':
      return info('Tools loaded', event.tools.join(', '))
    case 'finding':
      return {
        level: event.severity,
        title: event.title,
        detail: `${visibleName(event.path)}:${event.line} ${event.message}`,
      }
    case 'output_proposed':
      return info(`Proposed: ${event.kind}`, event.summary)
    case 'status':
      return info(titled(event.status), event.detail)
    case 'warning':
      // The hook's own event already shows it.
      if (event.code === 'hook_failed') return null
      return warning(event.code, event.message)
    default:
      return null
  }
}

/** `agent_started`: Agent started. */
function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}

function info(title: string, detail: string): Words {
  return { level: 'info', title, detail }
}

function warning(title: string, detail: string): Words {
  return { level: 'warning', title, detail }
}

function hookLevel({ event, outcome }: HookEvent): Note['level'] {
  // The denial of the call says it again.
  if (event === 'PreToolUse' && outcome === 'blocked') return 'info'
  return outcome === 'failed' || outcome === 'timeout' ? 'error' : outcome === 'blocked' ? 'warning' : 'info'
}
