import type { EffectsReport, PathChange, RefusedChange } from '../../contracts/effects.ts'
import type { ChangedPath, EffectsEvent, RefusedPath } from '../../contracts/effectsEvents.ts'
import type { ToolUseBlock } from '../../contracts/messages.ts'
import { shortPath } from '../../lib/fs/paths.ts'
import type { Tool } from '../../Tool.ts'
import type { ToolRunner } from './ToolRunner.ts'

/** The event for the changes of a command; undefined if it changed nothing. */
export function effectsEvent(
  toolUse: ToolUseBlock,
  tool: Tool,
  report: EffectsReport,
  { root, parentToolUseId, auditedEdits }: Pick<ToolRunner, 'root' | 'parentToolUseId' | 'auditedEdits'>,
): EffectsEvent | undefined {
  const { of, state, kept, scratch, leftOut, undone, unknown } = report
  const isNothing = [kept, leftOut, undone, Object.keys(scratch)].every((list) => list.length === 0)
  if (isNothing && unknown === undefined) return undefined
  const audited = auditedEdits(report)
  return {
    type: 'system',
    subtype: 'effects',
    tool_use_id: toolUse.id,
    tool_name: tool.name,
    ...(of === undefined ? {} : { of }),
    state,
    kept: kept.map((change) => changed(change, root)),
    scratch,
    left_out: leftOut.map((change) => refused(change, root)),
    undone: undone.map((change) => refused(change, root)),
    ...(unknown === undefined ? {} : { unknown }),
    ...(audited.length === 0 ? {} : { audited }),
    parent_tool_use_id: parentToolUseId,
  }
}

function changed({ path, kind }: PathChange, root: string): ChangedPath {
  return { path: shortPath(path, root), kind }
}

function refused({ change, why, rule }: RefusedChange, root: string): RefusedPath {
  const place = { rule: rule?.text ?? null, source: rule?.file ?? null, line: rule?.line ?? null }
  return { ...changed(change, root), why, ...place }
}
