import type { OutputKind, ProposedOutput } from '../lib/proposedOutput.ts'
import { fieldOf, type GitHubApi, textField } from './createGitHubApi.ts'

/** Where outputs go. */
export type ApplyTarget = {
  readonly api: GitHubApi
  /** `owner/name`. */
  readonly repository: string
  /** The issue or pull request that triggered the run. */
  readonly number: number | undefined
  /** Makes the text of an output safe to post on GitHub. */
  safe(text: string): string
}

/** The result of applying an output. `already`: an earlier attempt did it. */
export type Applied = { readonly state: 'applied' | 'already'; readonly detail: string }

type Marked<Kind extends OutputKind> = Extract<ProposedOutput, { readonly kind: Kind }> & { readonly id: string }

const MAX_PAGES = 30

/** Writes a comment once. A mark in its text shows if it already exists. */
export async function applyComment(output: Marked<'comment'>, target: ApplyTarget): Promise<Applied> {
  const place = `/repos/${target.repository}/issues/${numberOf(output, target)}/comments`
  const found = await findMarked(target.api, place, output.id)
  if (found !== undefined) return { state: 'already', detail: found }
  const { body } = await target.api.call('POST', place, { body: { body: marked(target.safe(output.body), output.id) } })
  return { state: 'applied', detail: urlOf(body) }
}

/** Comments once on a line of a pull request's diff. Throws for a line outside the diff, which GitHub does not accept. */
export async function applyReviewComment(output: Marked<'review_comment'>, target: ApplyTarget): Promise<Applied> {
  const pull = `/repos/${target.repository}/pulls/${numberOf(output, target)}`
  const found = await findMarked(target.api, `${pull}/comments`, output.id)
  if (found !== undefined) return { state: 'already', detail: found }
  const { path, line, body: text } = output
  const { body: info } = await target.api.call('GET', pull)
  const body = {
    body: marked(target.safe(text), output.id),
    commit_id: textField(fieldOf(info, 'head'), 'sha'),
    ...{ path, line, side: 'RIGHT' },
  }
  const answer = await target.api.call('POST', `${pull}/comments`, { body, accept: [422] })
  if (answer.status === 422) throw new Error(`${path}:${line} is not in the diff of the pull request`)
  return { state: 'applied', detail: urlOf(answer.body) }
}

/** Adds the missing labels. */
export async function applyLabels(output: Marked<'label'>, target: ApplyTarget): Promise<Applied> {
  const number = numberOf(output, target)
  const place = `/repos/${target.repository}/issues/${number}/labels`
  const { body } = await target.api.call('GET', `${place}?per_page=100`)
  const present = listOf(body).map(({ name }) => name)
  const missing = output.labels.filter((label) => !present.includes(label))
  if (missing.length === 0) return { state: 'already', detail: `#${number} has ${output.labels.join(', ')}` }
  await target.api.call('POST', place, { body: { labels: missing } })
  return { state: 'applied', detail: `#${number}: ${missing.join(', ')}` }
}

/** Opens an issue once. */
export async function applyIssue(output: Marked<'issue'>, target: ApplyTarget): Promise<Applied> {
  const place = `/repos/${target.repository}/issues`
  const found = await findMarked(target.api, `${place}?state=all&sort=created&direction=desc`, output.id)
  if (found !== undefined) return { state: 'already', detail: found }
  const { body } = await target.api.call('POST', place, {
    body: { title: output.title, body: marked(target.safe(output.body), output.id) },
  })
  return { state: 'applied', detail: urlOf(body) }
}

type Change = {
  readonly base: string
  /** The tree of `base`. */
  readonly baseTree: string
  /** A file without content is removed. */
  readonly files: readonly { readonly path: string; readonly mode: string; readonly content: Uint8Array | undefined }[]
}

/** Opens a pull request once, on a branch that is named after this output. */
export async function applyPullRequest(
  output: Marked<'pull_request'>,
  change: Change,
  { api, repository, safe }: ApplyTarget,
): Promise<Applied> {
  const branch = `kode-run/${output.id}`
  const owner = repository.split('/')[0] ?? ''
  const pulls = `/repos/${repository}/pulls`
  const known = await api.call('GET', `${pulls}?state=all&head=${encodeURIComponent(`${owner}:${branch}`)}`)
  const [first] = listOf(known.body)
  if (first !== undefined) return { state: 'already', detail: urlOf(first) }
  const ref = await api.call('GET', `/repos/${repository}/git/ref/heads/${branch}`, { accept: [404] })
  if (ref.status === 404) await createBranch(branch, { api, repository, change, title: output.title })
  const { body: info } = await api.call('GET', `/repos/${repository}`)
  const { body } = await api.call('POST', pulls, {
    body: {
      title: output.title,
      head: branch,
      base: textField(info, 'default_branch'),
      body: marked(safe(output.body), output.id),
    },
  })
  return { state: 'applied', detail: urlOf(body) }
}

type Branch = Pick<ApplyTarget, 'api' | 'repository'> & { readonly change: Change; readonly title: string }

async function createBranch(name: string, { api, repository, change, title }: Branch): Promise<void> {
  const git = `/repos/${repository}/git`
  const tree = []
  for (const { path, mode, content } of change.files) {
    const sha = content === undefined ? null : await createBlob(api, git, content)
    tree.push({ path, mode: content === undefined ? '100644' : mode, type: 'blob', sha })
  }
  const made = await api.call('POST', `${git}/trees`, { body: { base_tree: change.baseTree, tree } })
  const commit = await api.call('POST', `${git}/commits`, {
    body: { message: title, tree: textField(made.body, 'sha'), parents: [change.base] },
  })
  await api.call('POST', `${git}/refs`, { body: { ref: `refs/heads/${name}`, sha: textField(commit.body, 'sha') } })
}

async function createBlob(api: GitHubApi, git: string, content: Uint8Array): Promise<string> {
  const { body } = await api.call('POST', `${git}/blobs`, {
    body: { content: Buffer.from(content).toString('base64'), encoding: 'base64' },
  })
  return textField(body, 'sha')
}

/** The issue or pull request that an output is for. */
function numberOf({ number }: { readonly number?: number | undefined }, target: ApplyTarget): number {
  const chosen = number ?? target.number
  if (chosen === undefined) throw new Error('the issue is unknown: give --target')
  return chosen
}

/** The text with a mark in an HTML comment, which GitHub keeps but does not show. */
function marked(text: string, id: string): string {
  return `${text.trimEnd()}\n\n<!-- kode-run:${id} -->`
}

/** The URL of the comment or issue with this mark; searches pages in the API's order, newest first. */
async function findMarked(api: GitHubApi, path: string, id: string): Promise<string | undefined> {
  const join = path.includes('?') ? '&' : '?'
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { body } = await api.call('GET', `${path}${join}per_page=100&page=${page}`)
    const items = listOf(body)
    const found = items.find((item) => String(item['body'] ?? '').includes(`<!-- kode-run:${id} -->`))
    if (found !== undefined) return urlOf(found)
    if (items.length < 100) return undefined
  }
  return undefined
}

type Item = Readonly<Record<string, unknown>>

function listOf(body: unknown): readonly Item[] {
  return Array.isArray(body) ? (body as Item[]) : []
}

/** The web page of the object in an answer; empty if there is none. */
function urlOf(body: unknown): string {
  const value = fieldOf(body, 'html_url')
  return typeof value === 'string' ? value : ''
}
