import * as z from 'zod'

const sha = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, 'is not a commit')
const text = z.string().nullish()
const account = z.object({ login: z.string().regex(/^[\w-]+(?:\[bot\])?$/), type: z.string().default('') }).nullish()
const repository = z.object({ full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/) }).nullish()
const number = z.number().int().positive()

const comment = z.object({ body: text, user: account, created_at: z.string().nullish() })
const issue = z.object({ number, title: text, body: text, user: account })

/**
 * The fields of GitHub's event payloads that kode-run uses. Everything else is dropped.
 * https://docs.github.com/webhooks
 */
export const eventSchema = z.object({
  action: z.string().default(''),
  repository: repository
    .unwrap()
    .unwrap()
    .extend({ default_branch: z.string().min(1) }),
  sender: account,
  issue: issue.extend({ pull_request: z.object({}).nullish() }).nullish(),
  pull_request: issue
    .extend({
      head: z.object({ sha, repo: repository }),
      base: z.object({ sha }),
    })
    .nullish(),
  comment: comment.nullish(),
  review: comment.extend({ submitted_at: z.string().nullish() }).nullish(),
  discussion: issue.nullish(),
  workflow_run: z
    .object({
      name: text,
      event: z.string(),
      conclusion: text,
      head_sha: sha,
      head_branch: text,
      head_repository: repository,
      html_url: text,
      actor: account,
      triggering_actor: account,
    })
    .nullish(),
})

export type EventPayload = z.infer<typeof eventSchema>
