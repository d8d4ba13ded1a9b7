import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateAction } from '@action-validator/core'
import { describe, expect, it } from 'vitest'
import { makeRepository } from '../helpers/github/actionRun.ts'
import {
  commentEvent,
  MAINTAINER,
  plainEvent,
  pullRequestEvent,
  STRANGER,
  workflowRunEvent,
} from '../helpers/github/githubEvents.ts'
import { type GitHubAnswer, type GitHubCall, startGitHubServer } from '../helpers/github/githubServer.ts'
import { lintWorkflow } from '../helpers/github/lintWorkflow.ts'
import { playWorkflow } from '../helpers/github/playWorkflow.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampled } from '../helpers/sampled.ts'

const FOLDERS = ['examples/workflows', '.github/workflows']
const WORKFLOWS = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))

function policy(name: string): string {
  return readFileSync(`examples/policies/${name}.yml`, 'utf8')
}

const FILES = {
  'README.md': 'shop\n',
  'package.json': '{ "name": "shop", "scripts": { "test": "true" } }\n',
  'package-lock.json': '{ "name": "shop", "lockfileVersion": 3, "packages": { "": { "name": "shop" } } }\n',
  'src/a.js': 'old\n',
  '.kode/review.yml': policy('review-only'),
  '.kode/triage.yml': policy('propose-triage'),
  '.kode/fix-ci.yml': policy('propose-fix'),
  '.kode/dependencies.yml': policy('propose-dependencies'),
  '.kode/dependency-update.yml': policy('dependency-update'),
  '.kode/base.yml': policy('base'),
  '.kode/fleet.txt': 'shop\nbilling\n\nlost\nwebsite',
}

const finish = { tool: 'Finish', input: { status: 'completed', summary: 'done' } }
const propose = (output: object) => ({ tool: 'ProposeOutput', input: { output } })
const edit = [
  { tool: 'Read', input: { file_path: 'src/a.js' } },
  { tool: 'Edit', input: { file_path: 'src/a.js', old_string: 'old', new_string: 'new' } },
]
const pull = propose({ kind: 'pull_request', title: 'Fix', body: 'Why.' })

/** People, and a repository that takes everything. */
function answer({ path, method, body }: GitHubCall): GitHubAnswer {
  if (path.startsWith('/users/')) return { status: 200, body: { type: 'User' } }
  if (path.includes('/collaborators/maintainer')) return { status: 200, body: { permission: 'admin' } }
  if (path === '/repos/octo/shop') return { status: 200, body: { default_branch: 'main' } }
  if (path.includes('/git/ref/')) return undefined
  if (method === 'GET') return { status: 200, body: [] }
  return { status: 201, body: { sha: 'f'.repeat(40), html_url: 'https://github.com/made', ...(body as object) } }
}

async function play(name: string, given: Readonly<Record<string, unknown>>, turns: readonly object[]) {
  const server = await startGitHubServer(answer)
  const { folder, commits } = (given['repository'] as ReturnType<typeof makeRepository>) ?? makeRepository(FILES, {})
  const [base = '', tip = ''] = commits
  const replay = join(makeFolder(), 'replay.yml')
  writeFileSync(replay, JSON.stringify(turns))
  const event = typeof given['event'] === 'function' ? given['event'](base, tip) : plainEvent('workflow_dispatch')
  const played = await playWorkflow({
    text: readFileSync(`examples/workflows/${name}.yml`, 'utf8').replace('JOBS: 250', 'JOBS: 3'),
    ...('artifacts' in given ? { artifacts: String(given['artifacts']) } : {}),
    ...{ replay, apiUrl: server.url, repository: { folder, sha: tip }, event },
    ...('actor' in given ? { actor: String(given['actor']) } : {}),
    inputs: { task: 'Look.' },
  })
  const bad = played.steps.filter(({ code }) => code !== 0 && code !== 'skipped')
  const writes = server.calls.flatMap(({ method, path }) =>
    method === 'GET' ? [] : path.replace('/repos/octo/shop', ''),
  )
  return { ...played, bad: bad.map(({ step, log }) => `${step}: ${log}`), writes }
}

const opened = () => ({ name: 'issues', payload: { ...commentEvent({ user: STRANGER }).payload, comment: undefined } })
const PULL_WRITES = ['/git/blobs', '/git/trees', '/git/commits', '/git/refs', '/pulls']

describe('the workflows', () => {
  it.each(WORKFLOWS)('%s is a good workflow', async (path) => {
    expect(await lintWorkflow(readFileSync(path, 'utf8'), path)).toEqual([])
  })

  it('use the actions of others by a commit, with its version behind it, and each in one version', () => {
    const texts = [...WORKFLOWS, 'docs/action.md', 'src/commands/init/Stack.ts'].map((path) =>
      readFileSync(path, 'utf8'),
    )
    const used = texts.flatMap((text) => [...text.matchAll(/\bactions\/[\w-]+@[^\n']+/g)].map(([match]) => match))
    expect(used.length).toBeGreaterThan(30)
    expect(used.filter((pin) => !/^[^@]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(pin))).toEqual([])
    const names = new Set(used.map((pin) => pin.split('@')[0]))
    expect(new Set(used).size).toBe(names.size)
  })

  it('use an action that matches its schema', () => {
    // The schema of the validator ends at node20; nothing else of the file differs.
    const text = readFileSync('action.yml', 'utf8').replace('using: node24', 'using: node20')
    expect(validateAction(text).errors).toEqual([])
  })

  it('review a pull request', { tags: 'long' }, async () => {
    const finding = { path: 'src/a.js', line: 1, severity: 'error', title: 'Old', message: 'It is old.' }
    const turns = [
      { tool: 'Bash', input: { command: 'git diff --stat HEAD' } },
      { tool: 'ToolSearch', input: { query: 'select:ReportFinding' } },
      { tool: 'ReportFinding', input: finding },
      finish,
    ]
    const event = (base: string, head: string) => pullRequestEvent({ base, head })
    const { bad, steps, artifacts, writes } = await play('pull-request-review', { event }, turns)
    expect(bad).toEqual([])
    expect(steps.map(({ log }) => log).join('')).toContain('::error title=Old,file=src/a.js,line=1::It is old.')
    expect(existsSync(join(artifacts, 'report', 'report.html'))).toBe(true)
    expect(writes).toEqual([])
  })

  it.each(sampled(['mallory', 'dependabot[bot]'], 0))(
    'skip the review of a pull request of %s, which gets no secrets',
    async (actor) => {
      const from = actor === 'mallory' ? { from: 'mallory/shop' } : {}
      const event = (base: string, head: string) => pullRequestEvent({ base, head, ...from })
      const { bad, steps } = await play('pull-request-review', { event, ...(!from.from && { actor }) }, [finish])
      expect([bad, steps]).toEqual([[], []])
    },
  )

  it("triage a stranger's issue, with a job that has no agent", { tags: 'long' }, async () => {
    const label = propose({ kind: 'label', labels: ['bug'] })
    const turns = [label, propose({ kind: 'comment', body: 'Which version?' }), finish]
    const { bad, writes } = await play('issue-triage', { event: opened, actor: 'stranger' }, turns)
    expect(bad).toEqual([])
    expect(writes).toEqual(['/issues/7/labels', '/issues/7/comments'])
  })

  it.each(
    sampled(
      [
        { name: 'fix-failing-ci', given: { event: (_base: string, tip: string) => workflowRunEvent(tip) } },
        { name: 'two-jobs', given: { event: () => commentEvent({ user: MAINTAINER, body: '@kode fix it' }) } },
      ],
      0,
    ),
  )('mend and propose: $name', async ({ name, given }) => {
    const { bad, writes, steps } = await play(name, given, [...edit, pull, finish])
    const hasSandbox = steps.some(({ log }) => log.includes('sandbox enforced'))
    // Without a sandbox, an event that anyone can cause leaves an agent that can only look: nothing fits the script.
    if (!hasSandbox) return expect(writes).toEqual([])
    expect(bad).toEqual([])
    expect(writes).toEqual(PULL_WRITES)
    return undefined
  })

  it('ignore a comment that is not for them', { tags: 'long' }, async () => {
    const { steps } = await play('two-jobs', { event: () => commentEvent({ user: STRANGER, body: 'hello' }) }, [finish])
    expect(steps).toEqual([])
  })

  it('update dependencies at night, under a lock', { tags: 'long' }, async () => {
    const { steps, bad, writes } = await play('nightly-dependencies', {}, [...edit, pull, finish])
    const agent = steps.find(({ step }) => step === 'agent')
    if (agent?.code === 69) return expect(agent.log).toContain('sandbox')
    expect(bad).toEqual([])
    expect(writes).toEqual(PULL_WRITES)
    return undefined
  })

  it('review many repositories, report those that could not be read, and ask nothing twice', {
    tags: 'long',
  }, async () => {
    const repository = makeRepository(FILES, {})
    const { bad, summary, artifacts } = await play('fleet', { repository }, [finish])
    // Three jobs for four repositories: the first one has lines 1 and 4.
    const kept = [1, 2].map((part) =>
      readdirSync(join(artifacts, `transcripts-${part}`)).filter((name) => name !== 'blobs'),
    )
    expect(kept).toEqual([['shop.jsonl', 'website.jsonl'], ['billing.jsonl']])
    expect(bad).toEqual([expect.stringContaining('target/lost')])
    expect(summary).toContain('4 runs: 1 unfinished, 3 good')
    expect(summary).toContain('There is no transcript.')
    expect(readFileSync(join(artifacts, 'fleet', 'fleet.html'), 'utf8')).toContain('<!doctype html>')
    const again = await play('fleet', { repository, artifacts }, [
      { tool: 'Finish', input: { status: 'failed', summary: 'twice' } },
    ])
    expect(again.bad).toEqual([expect.stringContaining('target/lost')])
    expect(again.summary).toContain('4 runs: 1 unfinished, 3 good')
  })
})
