import type { ProposedOutput } from '../lib/proposedOutput.ts'
import { type Applied, type ApplyTarget, findMarked, marked, numberOf, textField, urlOf } from './applyOutput.ts'

type ReviewComment = Extract<ProposedOutput, { readonly kind: 'review_comment' }> & { readonly id: string }

/** Comments once on a line of a pull request's diff. Throws for a line outside the diff, which GitHub does not accept. */
export async function applyReviewComment(output: ReviewComment, target: ApplyTarget): Promise<Applied> {
  const pull = `/repos/${target.repository}/pulls/${numberOf(output, target)}`
  const found = await findMarked(target.api, `${pull}/comments`, output.id)
  if (found !== undefined) return { state: 'already', detail: found }
  const { path, line, body: text } = output
  const { body: info } = await target.api.call('GET', pull)
  const head: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'head') : undefined
  const body = {
    body: marked(target.safe(text), output.id),
    commit_id: textField(head, 'sha'),
    ...{ path, line, side: 'RIGHT' },
  }
  const answer = await target.api.call('POST', `${pull}/comments`, { body, accept: [422] })
  if (answer.status === 422) throw new Error(`${path}:${line} is not in the diff of the pull request`)
  return { state: 'applied', detail: urlOf(answer.body) }
}
