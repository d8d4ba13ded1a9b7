import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../helpers/makeFolder.ts'
import type { RecordedRequest } from '../helpers/model/messagesServer.ts'
import { call, serveTurns, textsOf } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'
import { FINISH } from '../helpers/runs/playRun.ts'
import { manifest, writePlugin } from '../helpers/runs/plugins.ts'
import { commit } from '../helpers/runs/resumedRuns.ts'
import { stubTools } from '../helpers/tools/testMcp.ts'

const bash = (command: string) => call('Bash', { command })

/** What Claude Code's own plugins for commits and reviews do, in other words: their commands, tools and agents. */

const GH = `#!/bin/sh
case "$1 $2" in
  'pr view') echo 'title: Add a price' ;;
  'pr diff') echo '+const price = cost / 0' ;;
  'pr comment') echo "$5" > comment.md; echo 'https://github.com/octo/shop/pull/7#issuecomment-1' ;;
  *) exit 1 ;;
esac
`
const COMMENT = {
  name: 'create_inline_comment',
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, body: { type: 'string' } } },
}

it('reviews as the public plugin for reviews does: agents of several models, gh, inline comments', {
  tags: 'long',
}, async () => {
  const bin = makeFolder()
  writeFileSync(join(bin, 'gh'), GH, { mode: 0o755 })
  const models: string[] = []
  const agentNames: Readonly<Record<string, string>> = { haiku: 'is it open?', sonnet: 'rules', opus: 'bugs' }
  const agents = (...names: readonly string[]) => ({
    tools: names.map((model) => ({
      name: 'Agent',
      input: { description: agentNames[model], prompt: `As ${model}.`, subagent_type: 'general-purpose', model },
    })),
  })
  let turn = 0
  const turns = [
    call('TodoWrite', { todos: [{ content: 'Review', status: 'pending', activeForm: 'Reviewing' }] }),
    agents('haiku'),
    agents('sonnet', 'opus'),
    call('mcp__github_inline_comment__create_inline_comment', { path: 'start.txt', body: 'Divides by zero.' }),
    bash('gh pr comment 7 --body "Found 1 issue."'),
    bash('gh pr merge 7'),
  ]
  const isAgent = ({ body }: RecordedRequest) => /As (haiku|sonnet|opus)\./.test(JSON.stringify(body.messages[0]))
  const server = await serveTurns((request) => {
    if (!isAgent(request)) return turns[turn++] ?? FINISH
    models.push(request.body.model)
    return request.body.messages.length === 1 ? bash('gh pr diff 7') : { say: 'Divides by zero in start.txt.' }
  })
  const permissions = {
    presets: ['read-only'],
    allow: [
      ...['view', 'diff', 'comment'].map((verb) => `Bash(gh pr ${verb} *)`),
      ...['Edit(/comment.md)', 'Agent', 'mcp__github_inline_comment__*'],
    ],
  }
  const run = await runCli(['/review:code-review 7'], {
    server,
    policy: JSON.stringify({
      ...{ version: 1, permissions, plugins: [{ path: '../review' }] },
      mcpServers: { github_inline_comment: stubTools([COMMENT]) },
    }),
    env: { PATH: `${bin}:${process.env['PATH']}` },
    prepare(project) {
      writePlugin(join(project, '../review'), {
        ...manifest('review'),
        'commands/code-review.md': `---
allowed-tools: Bash(gh pr comment:*), Bash(gh pr diff:*), mcp__github_inline_comment__create_inline_comment
description: Review a pull request
---
Review the pull request $ARGUMENTS with one haiku agent, and then with a sonnet and an opus agent in parallel.
`,
      })
      commit(project)
    },
  })
  expect(textsOf(server.requests[0])).toContain('Review the pull request 7 with')
  expect(models.toSorted().map((name) => name.replace(/^claude-(\w+).*/, '$1'))).toEqual([
    ...['haiku', 'haiku', 'opus', 'opus', 'sonnet', 'sonnet'],
  ])
  const results = run.toolResults()
  expect(results.filter((text) => text.includes('Divides by zero in start.txt.'))).toHaveLength(3)
  expect(results.filter((text) => text.includes('+const price'))).toHaveLength(3)
  const [inline, comment, merge] = results.slice(-4)
  expect(inline).toContain('Divides by zero.')
  expect(comment).toContain('issuecomment-1')
  expect(readFileSync(join(run.project, 'comment.md'), 'utf8')).toBe('Found 1 issue.\n')
  expect(merge).toContain('no allow rule covers it')
  expect(run.code).toBe(0)
})
