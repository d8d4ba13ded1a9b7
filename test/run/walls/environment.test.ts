import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { playRun } from '../../helpers/runs/playRun.ts'

const git = (project: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: project })

function commit(project: string): void {
  git(project, 'init', '-q', '-b', 'topic')
  git(project, 'add', '-A')
  git(project, 'commit', '-qm', 'one')
}

function change(project: string): void {
  commit(project)
  writeFileSync(join(project, 'b.txt'), 'changed')
  writeFileSync(join(project, 'c.txt'), 'staged')
  git(project, 'add', 'c.txt')
  mkdirSync(join(project, 'new'))
  writeFileSync(join(project, 'new', 'd.txt'), 'untracked')
  writeFileSync(join(project, 'e.log'), 'ignored')
}

/** What stands between the environment's marks in the first message, after the system. */
async function gitLines(prepare: (project: string) => void): Promise<string> {
  const run = await playRun([], { files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', '.gitignore': '*.log' }, prepare })
  const text: string = run.api.requests[0]?.body.messages[0].content[1].text
  return /\n(Git: [\s\S]*?)\n<\/environment>/.exec(text)?.[1] ?? text
}

it('the first message contains time and place of the run; the system prompt does not', { tags: 'long' }, async () => {
  const run = await playRun([], {
    files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', '.gitignore': '*.log' },
    prepare: change,
  })
  const body = run.api.requests[0]?.body
  const [task, note] = body.messages[0].content
  expect(task.text).toBe('do it')
  const today = new Date().toISOString().slice(0, 10)
  expect(note.text).toMatch(
    new RegExp(
      `^<environment>\nDate: ${today.slice(0, 8)}\\d\\d \\(UTC\\)\nSystem: ${process.platform} \\S+; commands run in bash\nGit: branch topic, commit [0-9a-f]{40}\nStaged: c\\.txt\nChanged, not staged: b\\.txt\nUntracked: new/d\\.txt\n</environment>\n<policy>\nCommands that may start: `,
    ),
  )
  expect(JSON.stringify(body.system)).not.toContain(today)
})

it('the first message says where nothing is changed, nothing is committed, or no branch is checked out', {
  tags: 'long',
}, async () => {
  expect(await gitLines(commit)).toMatch(/^Git: branch topic, commit [0-9a-f]{40}\nWork tree: clean$/)
  const staged = (project: string) => {
    git(project, 'init', '-q', '-b', 'topic')
    git(project, 'add', 'a.txt')
  }
  expect(await gitLines(staged)).toBe(
    'Git: branch topic, no commit yet\nStaged: a.txt\nChanged, not staged: none\nUntracked: .gitignore, b.txt, c.txt',
  )
  const detached = (project: string) => {
    commit(project)
    git(project, 'checkout', '-q', '--detach')
    git(project, 'rm', '-q', '--cached', 'b.txt')
  }
  expect(await gitLines(detached)).toMatch(
    /^Git: no branch \(detached HEAD\), commit [0-9a-f]{40}\nStaged: b\.txt\nChanged, not staged: none\nUntracked: b\.txt$/,
  )
})

it('the first message says that there is no repository', { tags: 'long' }, async () => {
  const run = await playRun([])
  expect(run.api.requests[0]?.body.messages[0].content[1].text).toMatch(/\nGit: this is not a git repository\n/)
})
