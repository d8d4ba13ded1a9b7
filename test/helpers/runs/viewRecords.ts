import type { TranscriptRecord } from '../../../src/contracts/events.ts'
import { isObject } from '../../../src/lib/isObject.ts'
import { parseJson } from '../../../src/lib/text/json.ts'

/** What each record has, what differs in each run, and what others show. */
const LEFT_OUT = new Set(
  'v run session_id seq ts mono_ms uuid timestamp parentUuid isSidechain sessionId userType cwd version prev costUSD requestId policy_sha256 sent process node platform usage modelUsage duration_ms duration_api_ms type subtype behavior transcript_path is_read_only conversation task claude_code_version'.split(
    ' ',
  ),
)

/** What its section of the view, or the summary, shows of the last record. */
const OF_THE_RESULT = new Set(
  'sandbox network num_turns num_tool_calls total_cost_usd patch stop_reason result'.split(' '),
)

/** What was printed; records among it as above. */
export function viewOutput(text: string): string {
  const lines = text.split('\n').map((line) => {
    const json = parseJson(line)
    return isObject(json) && 'session_id' in json && 'type' in json ? viewRecord(json as never) : line
  })
  return lines.join('\n')
}

/** The records of a transcript, one line each. What is null, false or empty is left out. */
export function viewRecords(records: readonly TranscriptRecord[]): string {
  return (
    records
      .filter((record) => !isFinish(record))
      .map(viewRecord)
      .filter((line) => line.includes(' '))
      .join('\n')
      // Hooks of one event run side by side.
      .replace(/(?:^hook .*\n?)+/gm, (lines) =>
        lines
          .split('\n')
          .sort()
          .join('\n')
          .replace(/^\n(.*)/s, '$1\n'),
      )
  )
}

/** Most runs end with this call. */
function isFinish(record: TranscriptRecord): boolean {
  if (record.type === 'user')
    return record.tool_use_result?.every((each) => each.tool_name === 'Finish' && each.outcome === 'ok') ?? false
  return (
    'tool_name' in record &&
    record.tool_name === 'Finish' &&
    (record.subtype === 'tool_intent' || (record.subtype === 'permission_decision' && record.decision === 'allow'))
  )
}

function viewRecord(record: TranscriptRecord): string {
  const name = 'subtype' in record && record.type === 'system' ? record.subtype : record.type
  const { message, ...rest } = record as TranscriptRecord & { readonly message?: unknown }
  const said = typeof message === 'string' ? { message } : {}
  const fields = Object.entries({ ...said, ...rest }).filter(
    ([key, value]) => !LEFT_OUT.has(key) && !(name === 'result' && OF_THE_RESULT.has(key)) && !isEmpty(value),
  )
  return [
    name,
    ...fields.map(
      ([key, value]) =>
        `${key}=${typeof value === 'string' && /^[\w./ -]+$/.test(value) && !value.includes(' ') ? value : JSON.stringify(value)}`,
    ),
  ].join(' ')
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
