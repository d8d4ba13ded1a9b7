import { expect, it } from 'vitest'
import { parse } from 'yaml'
import type { ProposedOutput } from '../../../src/lib/proposedOutput.ts'
import { judgeOutput } from '../../../src/policy/paths/judgeOutput.ts'
import { listOf, table } from '../../helpers/table.ts'

/** `comment 7`, `label a, b`, `issue`. */
function outputOf(cell: string): ProposedOutput {
  const [, kind, rest = ''] = /^(\w+) ?(.*)$/.exec(cell) ?? []
  if (kind === 'issue') return { kind, title: 't', body: 'b' }
  if (kind === 'label') return { kind, labels: listOf(rest) }
  return { kind: 'comment', body: 'x', ...(rest && { number: Number(rest) }) }
}

// An output, those before it, what the policy says, and why the output is refused.
it.each(table`
  comment         |                       | comment: { max: 1 }                              |
  comment         |                       |                                                  | the policy has no outputs.comment; it has: none
  comment         |                       | issue: { max: 1 }, label: { max: 1 }             | the policy has no outputs.comment; it has: issue, label
  comment         | comment, issue, issue | comment: { max: 2 }                              |
  comment         | comment, comment      | comment: { max: 2 }                              | outputs.comment.max is 2, and there are already that many
  label a, b      |                       | label: { max: 1 }                                |
  label bug, area/x |                     | label: { max: 1, allow: [bug, area/*] }          |
  label bug, admin |                      | label: { max: 1, allow: [bug] }                  | outputs.label.allow does not name the label "admin"
  comment 7       |                       | comment: { max: 1, target: '7' }                 |
  comment 7       |                       | comment: { max: 1, target: '*' }                 |
  comment 7       |                       | comment: { max: 1, target: '8' }                 | it names #7, and only #8 may be a target
  comment 7       |                       | comment: { max: 1 }                              | it names #7, and only the issue that triggered the run may be a target (no \`target\` in the policy)
`)('an output "%s" after "%s" under { %s }: %s', (output, earlier, settings, refusal) => {
  const said = judgeOutput(outputOf(output), parse(`{ ${settings} }`), listOf(earlier).map(outputOf))
  expect(said ?? '').toBe(refusal)
})
