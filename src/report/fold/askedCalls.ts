import type { EffectsEvent, RunEvent } from '../../contracts/events.ts'

/** A call of a run and its decision, and the paths that its command changed or tried to. */
export type AskedCall = {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** What happened to the call: it ran, it ran only because of `--audit`, or it did not run. */
  readonly words: 'allowed' | 'audited' | 'denied'
  /** True if it ran, and its result was an error. */
  readonly hasFailed?: boolean
  /** The deny rule of that run's policy that matches the call. */
  readonly deniedBy?: string
  /** Relative to the project root, or absolute outside of it. */
  readonly changed: readonly AskedChange[]
}

export type AskedChange = { readonly path: string; readonly isKept: boolean }

/**
 * The calls of a run that were decided, in order; grows with each event. Calls of sub-agents count like any other; calls
 * without a decision are left out.
 */
export function createAskedCalls() {
  const inputs = new Map<string, AskedCall['input']>()
  const drafts = new Map<string, { -readonly [Key in keyof AskedCall]: AskedCall[Key] }>()
  const add = (event: RunEvent): void => {
    if (event.type === 'assistant') {
      for (const block of event.message.content) if (block.type === 'tool_use') inputs.set(block.id, block.input)
    }
    if (event.type === 'user') {
      for (const block of event.message.content) {
        const draft = block.type === 'tool_result' && block.is_error ? drafts.get(block.tool_use_id) : undefined
        if (draft !== undefined && draft.words !== 'denied') draft.hasFailed = true
      }
    }
    if (event.type !== 'system') return
    if (event.subtype === 'permission_decision') {
      const { tool_use_id: id, tool_name: tool, decision, reason } = event
      // No rule would have allowed it.
      if (decision === 'deny' && reason.type === 'hook' && reason.event === 'PreToolUse') return
      if (reason.type === 'mode' && reason.mode === 'plan') return
      const words = decision === 'deny' ? 'denied' : reason.type === 'audit' ? 'audited' : 'allowed'
      const deniedBy = reason.type === 'rule' && reason.rule.list === 'deny' ? { deniedBy: reason.rule.text } : {}
      drafts.set(id, { tool, input: inputs.get(id) ?? {}, words, changed: [], ...deniedBy })
    } else if (event.subtype === 'tool_intent' || event.subtype === 'permission_denied') {
      const draft = drafts.get(event.tool_use_id)
      if (draft !== undefined) draft.input = event.tool_input
    } else if (event.subtype === 'effects') {
      const draft = drafts.get(event.tool_use_id)
      if (draft !== undefined) draft.changed = [...draft.changed, ...changesOf(event)]
    }
  }
  return { add, calls: (): readonly AskedCall[] => [...drafts.values()] }
}

/** Git's own files are judged by the changes they bring in, and no rule applies to them. */
const OF_GIT = /(?:^|\/)\.git(?:\/|$)/

/** The paths that a command changed or tried to, without folders that only exist because of their content. */
export function changesOf({ state, kept, left_out, undone }: EffectsEvent): readonly AskedChange[] {
  const refused = new Set(undone.map(({ path }) => path))
  // In the checkout itself, where other programs work too, a refused change does not undo the others.
  const isKept = ({ path }: { readonly path: string }) =>
    undone.length === 0 || (state === 'watched' && !refused.has(path))
  const all = [
    ...kept.filter(({ path }) => !OF_GIT.test(path)).map((change) => ({ path: change.path, isKept: isKept(change) })),
    ...[...left_out, ...undone].map(({ path }) => ({ path, isKept: false })),
  ]
  const parents = new Set<string>()
  for (const { path } of all) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (parents.has(path.slice(0, end))) break
      parents.add(path.slice(0, end))
    }
  }
  return all.filter(({ path }) => !parents.has(path))
}
