import { expect, it } from 'vitest'
import type { OutputSettings } from '../../../src/contracts/settings.ts'
import type { ProposedOutput } from '../../../src/lib/proposedOutput.ts'
import { judgeOutput } from '../../../src/policy/paths/judgeOutput.ts'

const comment = (number?: number): ProposedOutput => ({ kind: 'comment', body: 'x', ...(number && { number }) })
const label = (...labels: string[]): ProposedOutput => ({ kind: 'label', labels })
const ISSUE: ProposedOutput = { kind: 'issue', title: 't', body: 'b' }

it.each<[string, ProposedOutput, OutputSettings, ProposedOutput[], string | undefined]>([
  ['of a kind that the policy has', comment(), { comment: { max: 1 } }, [], undefined],
  ['of a kind that no policy has', comment(), {}, [], 'the policy has no outputs.comment; it has: none'],
  [
    'of a kind that the policy has not',
    comment(),
    { issue: { max: 1 }, label: { max: 1 } },
    [],
    'the policy has no outputs.comment; it has: issue, label',
  ],
  ['below its max', comment(), { comment: { max: 2 } }, [comment(), ISSUE, ISSUE], undefined],
  [
    'above its max',
    comment(),
    { comment: { max: 2 } },
    [comment(), comment()],
    'outputs.comment.max is 2, and there are already that many',
  ],
  ['with any label', label('a', 'b'), { label: { max: 1 } }, [], undefined],
  [
    'with labels that are named',
    label('bug', 'area/x'),
    { label: { max: 1, allow: ['bug', 'area/*'] } },
    [],
    undefined,
  ],
  [
    'with a label that is not named',
    label('bug', 'admin'),
    { label: { max: 1, allow: ['bug'] } },
    [],
    'outputs.label.allow does not name the label "admin"',
  ],
  ['for the number that the policy names', comment(7), { comment: { max: 1, target: '7' } }, [], undefined],
  ['for any number', comment(7), { comment: { max: 1, target: '*' } }, [], undefined],
  [
    'for another number',
    comment(7),
    { comment: { max: 1, target: '8' } },
    [],
    'it names #7, and only #8 may be a target',
  ],
  [
    'for a number, where only the issue that triggered the run is a target',
    comment(7),
    { comment: { max: 1 } },
    [],
    'it names #7, and only the issue that triggered the run may be a target (no `target` in the policy)',
  ],
])('an output %s', (_, output, settings, earlier, refusal) => {
  expect(judgeOutput(output, settings, earlier)).toBe(refusal)
})
