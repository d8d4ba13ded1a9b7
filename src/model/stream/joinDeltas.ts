type Delta = { readonly index: number; readonly type: string; readonly field: string; readonly text: string }

/** The deltas that carry text, and the field that holds it. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
}

/**
 * The same server-sent events with neighboring deltas of a block joined and every text redacted, so that a secret split
 * into two deltas is found. Other content is only redacted. Pure.
 */
export function joinDeltas(body: string, redact: (text: string) => string): string {
  const out: string[] = []
  let open: Delta | undefined
  const flush = (): void => {
    if (open !== undefined) out.push(renderDelta({ ...open, text: redact(open.text) }))
    open = undefined
  }
  for (const event of body.split(/(?<=\n\n)/)) {
    const delta = parseDelta(event)
    if (delta !== undefined && open?.index === delta.index && open.type === delta.type) {
      open = { ...open, text: open.text + delta.text }
      continue
    }
    flush()
    if (delta === undefined) out.push(redact(event))
    else open = delta
  }
  flush()
  return out.join('')
}

function parseDelta(event: string): Delta | undefined {
  const data = /^event: content_block_delta\ndata: (.*)\n\n$/.exec(event)?.[1]
  if (data === undefined) return undefined
  try {
    const { index, delta } = JSON.parse(data)
    const field = TEXT_FIELDS[String(delta.type)]
    return field === undefined ? undefined : { index, type: delta.type, field, text: String(delta[field]) }
  } catch {
    return undefined
  }
}

function renderDelta({ index, type, field, text }: Delta): string {
  const data = { type: 'content_block_delta', index, delta: { type, [field]: text } }
  return `event: content_block_delta\ndata: ${JSON.stringify(data)}\n\n`
}
