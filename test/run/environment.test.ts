import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { playRun } from '../helpers/runs/playRun.ts'

function commit(project: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: project })
  git('init', '-q', '-b', 'topic')
  git('add', '-A')
  git('commit', '-qm', 'one')
  writeFileSync(join(project, 'b.txt'), 'changed')
}

it('the first message contains time and place of the run; the system prompt does not', async () => {
  const run = await playRun([], { files: { 'a.txt': 'a', 'b.txt': 'b' }, prepare: commit })
  const body = run.api.requests[0]?.body
  const [task, note] = body.messages[0].content
  expect(task.text).toBe('do it')
  const today = new Date().toISOString().slice(0, 10)
  expect(note.text).toMatch(
    new RegExp(
      `^<environment>\nDate: ${today.slice(0, 8)}\\d\\d \\(UTC\\)\nSystem: ${process.platform} \\S+; commands run in bash\nGit: branch topic, commit [0-9a-f]{40}\nChanged files that are not staged: b\\.txt\n</environment>\n<policy>\nCommands that may start: `,
    ),
  )
  expect(JSON.stringify(body.system)).not.toContain(today)
})

it('the first message says that there is no repository', { tags: 'long' }, async () => {
  const run = await playRun([])
  expect(run.api.requests[0]?.body.messages[0].content[1].text).toMatch(/\nGit: this is not a git repository\n/)
})
