import { describe, expect, it } from 'vitest'
import { makeRepository } from '../helpers/github/actionRun.ts'
import {
  commentEvent,
  MAINTAINER,
  pullRequestEvent,
  STRANGER,
  workflowRunEvent,
} from '../helpers/github/githubEvents.ts'
import { expectClean, play, REVIEWED, stable, strangersComment, task } from '../helpers/github/reviewRuns.ts'
import { sampled } from '../helpers/sampled.ts'

describe('who may start the action', () => {
  it("offers a maintainer's fork less, and strangers nothing", { tags: 'long' }, async () => {
    const of = (user: typeof STRANGER) =>
      play({
        ...{ ...REVIEWED, actor: user.login },
        event: (base, head) => pullRequestEvent({ base, head, from: `${user.login}/shop`, user }),
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
        ['any bot', 'evil[bot]', '', 'actor_denied'],
        ['a bot that is not the listed one', 'evil[bot]', 'helper[bot]', 'actor_denied'],
        ['a star in allowed_bots', 'evil[bot]', '*', 'actor_denied'],
        ['a person with the name of a listed bot', 'fake-helper', 'fake-helper', 'actor_denied'],
        ['a listed bot', 'helper[bot]', 'other[bot], helper[bot]', 'completed'],
      ],
      0,
      4,
    ),
  )('decides about %s, %s, where [%s] may: %s', async (_, login, allowed, reason) => {
    const user = { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' }
    const run = await play({ event: () => commentEvent({ user }), actor: login, inputs: { allowed_bots: allowed } })
    expect(run.outputs['exit_reason']).toBe(reason)
  })

  it('follows a workflow of the default branch, and refuses the checkout of a fork', { tags: 'long' }, async () => {
    const fork = { event: 'pull_request', head_branch: 'x', head_repository: { full_name: 'stranger/shop' } }
    const { folder, commits } = makeRepository(...REVIEWED.states)
    const [base = '', head = ''] = commits
    const refused = await play({ workspace: folder, sha: base, event: () => workflowRunEvent(head, fork) })
    expect(refused.outputs).toMatchObject({ exit_code: '3', exit_reason: 'untrusted_event' })
    expect(refused.log).toContain('Check out the default branch')
    const followed = await play({ event: (_, head) => workflowRunEvent(head) })
    expect(followed.code).toBe(0)
    expect(task(followed)).toContain(`commit ${followed.head}`)
    await expect(stable(followed.summary)).toMatchFileSnapshot('golden/workflow-run-summary.md')
  })
})
