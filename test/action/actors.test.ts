import { describe, expect, it } from 'vitest'
import { makeRepository } from '../helpers/github/actionRun.ts'
import {
  commentEvent,
  MAINTAINER,
  pullRequestEvent,
  STRANGER,
  workflowRunEvent,
} from '../helpers/github/githubEvents.ts'
import { BASE, expectClean, HEAD, play, stable, strangersComment, task } from '../helpers/github/reviewRuns.ts'
import { sampled } from '../helpers/sampled.ts'

describe('who may start the action', () => {
  it("offers a maintainer's fork less, and strangers nothing", { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(BASE, HEAD)
    const [base = '', head = ''] = commits
    const of = (user: typeof STRANGER) =>
      play({
        ...{ workspace: folder, sha: head, actor: user.login },
        event: pullRequestEvent({ base, head, from: `${user.login}/shop`, user }),
      })
    const own = await of(MAINTAINER)
    expect(own.code).toBe(0)
    expectClean(own)
    const [init] = own.records
    expect(init).toMatchObject({ subtype: 'init', network: { mode: 'none' } })
    expect(init).toMatchObject({ tools: expect.not.arrayContaining(['WebFetch', 'WebSearch']) })
    const strange = await of(STRANGER)
    expect([strange.code, strange.records]).toEqual([3, []])
    await expect(stable(strange.summary)).toMatchFileSnapshot('golden/fork-summary.md')
  })

  it("ignores a stranger's comment", { tags: 'long' }, () => strangersComment())

  it.each(
    sampled(
      [
        { name: 'any bot', login: 'evil[bot]', type: 'Bot', allowed: '', reason: 'actor_denied' },
        {
          name: 'a bot that is not the listed one',
          login: 'evil[bot]',
          type: 'Bot',
          allowed: 'helper[bot]',
          reason: 'actor_denied',
        },
        { name: 'a star in allowed_bots', login: 'evil[bot]', type: 'Bot', allowed: '*', reason: 'actor_denied' },
        {
          name: 'a person with the name of a listed bot',
          login: 'fake-helper',
          type: 'User',
          allowed: 'fake-helper',
          reason: 'actor_denied',
        },
        {
          name: 'a listed bot',
          login: 'helper[bot]',
          type: 'Bot',
          allowed: 'other[bot], helper[bot]',
          reason: 'completed',
        },
      ],
      0,
      4,
    ),
  )('decides about $name: $reason', async ({ login, type, allowed, reason }) => {
    const { folder, commits } = makeRepository(BASE)
    const run = await play({
      ...{ workspace: folder, sha: commits[0] ?? '', actor: login },
      event: commentEvent({ user: { login, type } }),
      inputs: { allowed_bots: allowed },
    })
    expect(run.outputs['exit_reason']).toBe(reason)
  })

  it('follows a workflow of the default branch, and refuses the checkout of a fork', { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(BASE, HEAD)
    const [base = '', head = ''] = commits
    const fork = { event: 'pull_request', head_branch: 'x', head_repository: { full_name: 'stranger/shop' } }
    const refused = await play({ workspace: folder, sha: base, event: workflowRunEvent(head, fork) })
    expect(refused.outputs).toMatchObject({ exit_code: '3', exit_reason: 'untrusted_event' })
    expect(refused.log).toContain('Check out the default branch')
    const own = makeRepository(BASE)
    const tip = own.commits[0] ?? ''
    const followed = await play({ workspace: own.folder, sha: tip, event: workflowRunEvent(tip) })
    expect(followed.code).toBe(0)
    expect(task(followed)).toContain(`commit ${tip}`)
    await expect(stable(followed.summary)).toMatchFileSnapshot('golden/workflow-run-summary.md')
  })
})
