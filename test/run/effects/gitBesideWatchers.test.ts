import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { describeModes } from '../../helpers/bubblewrap.ts'
import { agent, calls, playAgents, say, bash as turnOf } from '../../helpers/runs/agentRuns.ts'
import { bash, FINISH, type PlayedCall, playRun } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'
import { table } from '../../helpers/table.ts'

const PREPARE = `git init -q -b main; git config user.name a; git config user.email a@b; mkdir src docs
  echo a > src/a; echo a > docs/a; git add -A; git commit -qm start; git branch other; echo b > src/a
  git commit -qam second; git tag old; git gc -q`

type Operation = readonly [operation: string, commands: readonly string[], shows: string, state: string]

/** Each operation, its calls, and what shows the state that only it, and nothing of it put back, leads to. */
const OPERATIONS = table`
  commit | echo c > src/a; git commit -qam third | git log --format=%s -1; git reflog -1 --format=%gs | third\\ncommit: third
  add, then commit | echo n > src/n; git add src/n => git commit -qm new | git show --format=%s --name-only HEAD | new\\n\\nsrc/n
  stash, then pop | echo c > src/a; git stash -q => git stash pop -q | cat src/a; git stash list | c
  checkout -b | git checkout -q -b feature | git symbolic-ref --short HEAD; git reflog -1 --format=%gs
    | feature\\ncheckout: moving from main to feature
  tag and branch | git tag v1; git branch b2; git tag -d old | git tag; git branch --list b2 | v1\\n  b2
  reset | git reset -q --hard other | cat src/a; git log --format=%s -1 | a\\nstart
  rebase | git checkout -q other; echo n > src/n; git add src/n; git commit -qm n => git rebase -q main
    | git log --format=%s | n\\nsecond\\nstart
  gc and prune | echo c > src/a; git commit -qam third; git reset -q --hard HEAD~1
      => git reflog expire --expire=now --all; git gc -q --prune=now | git log --format=%s -1 | second
  `.map(
  ([name = '', commands = '', shows = '', state = '']): Operation => [
    name,
    commands.split(' => '),
    shows,
    state.replaceAll('\\n', '\n'),
  ],
)

const prepare = (cwd: string) => void execFileSync('bash', ['-ec', PREPARE], { cwd, stdio: 'pipe' })

/** A server that does nothing but what it is called for. */
const SERVER = readFileSync(join(import.meta.dirname, '../../helpers/stubMcp.mjs'), 'utf8')
const serverOf = (...words: string[]) => ({ command: process.execPath, args: ['server.mjs', ...words] })

const policyOf = (mode: string, ...more: string[]) => ({
  ...{ sandbox: { mode }, permissions: { allow: ['Bash', 'Edit(src/**)', ...more] } },
})

/** Who else works on the checkout meanwhile, and the calls that start it. */
const WATCHERS: readonly (readonly [watcher: string, settings: object, calls: readonly PlayedCall[]])[] = [
  [
    'an idle background command that may not use git',
    { permissions: { allow: ['Bash(sleep *)', 'Bash(git *)', 'Bash(echo *)', 'Edit(src/**)'] } },
    [bash('sleep 300', { run_in_background: true })],
  ],
  [
    'a hook after each call, and a tool of kode-run itself that has written',
    { hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'cat src/a > /dev/null' }] }] } },
    [{ name: 'Write', input: { file_path: 'src/own', content: 'own\n' } }],
  ],
  [
    'a server and a background command',
    { mcpServers: { idle: serverOf() } },
    [bash('sleep 300', { run_in_background: true })],
  ],
]

describeModes('git beside a watched program', (mode) => {
  describe.each(sampled(WATCHERS, 1))('%s', (watcher, settings, calls) => {
    it.each(sampled(OPERATIONS, 1, watcher === WATCHERS[0]?.[0] ? 4 : 2))(
      '%s: nothing is put back that the call did',
      async (_name, commands, shows, state) => {
        const run = await playRun([...calls, ...commands.map((command) => bash(command))], {
          policy: { ...policyOf(mode), run: { backgroundWait: '1s' }, ...settings },
          files: { 'server.mjs': SERVER },
          prepare,
        })
        const said = execFileSync('bash', ['-c', shows], { cwd: run.project, encoding: 'utf8' }).trim()
        expect(said, run.told.join('\n')).toBe(state)
        expect(
          execFileSync('git', ['fsck', '--no-dangling'], { cwd: run.project, encoding: 'utf8', stdio: 'pipe' }),
        ).toBe('')
        expect([run.result().permission_denials, run.code], run.stderr).toEqual([[], 0])
        expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
      },
    )
  })

  it.each(sampled(OPERATIONS, 1, 2))(
    '%s beside two agents that commit in worktrees of their own: nothing is put back',
    { tags: 'long' },
    async (_name, commands, shows, state) => {
      const apart = (name: string) => agent(name, 'go', { isolation: 'worktree', run_in_background: true })
      const commit = (name: string): readonly Turn[] => [
        turnOf(`echo ${name} > src/${name}; git add src; git commit -qm ${name}`),
        turnOf('git log --format=%s -1; git status --short | cat'),
      ]
      const { run } = await playAgents(
        {
          main: (n, _ofMain, request) =>
            [calls(apart('worker'), apart('second')), ...commands.map(turnOf)][n] ??
            (JSON.stringify(request.body.messages).split('<agent-answer ').length < 3 ? say('I wait') : FINISH),
          // Half of its work before the operations, half after them.
          'I am the worker': (n, ofMain) =>
            n > 0 && ofMain < commands.length + 2
              ? turnOf(`echo ${n}; echo ${n} > src/n${n}`)
              : (commit('worker')[n === 0 ? 0 : n] ?? say('done')),
          'I am the second': [...commit('second'), say('done')],
        },
        {
          policy: {
            ...policyOf(mode, 'Agent'),
            agents: {
              worker: { description: 'w', prompt: 'I am the worker', maxTurns: 40 },
              second: { description: 's', prompt: 'I am the second' },
            },
          },
          prepare,
        },
      )
      const said = execFileSync('bash', ['-c', shows], { cwd: run.project, encoding: 'utf8' }).trim()
      expect(said, run.stderr).toBe(state)
      expect([run.result().permission_denials, run.code], run.stderr).toEqual([[], 0])
    },
  )

  it('entering a worktree, a commit in it, and leaving beside a server: nothing is put back', {
    tags: 'long',
  }, async () => {
    const run = await playRun(
      [
        { name: 'EnterWorktree', input: {} },
        bash('echo w > src/w; git add src; git commit -qm apart; pwd'),
        bash('git checkout -q -b f; git rm -q docs/a; git commit -qm other'),
        { name: 'ExitWorktree', input: {} },
        bash('ls -A; git worktree list'),
      ],
      {
        policy: { ...policyOf(mode, 'EnterWorktree', 'ExitWorktree'), mcpServers: { idle: serverOf() } },
        files: { 'server.mjs': SERVER },
        prepare,
      },
    )
    const [, made, other, left, after = ''] = run.told
    expect([made, other, left], run.stderr).toEqual([
      expect.stringMatching(/\/\.kode-worktrees\/work$/),
      expect.stringContaining('docs/a'),
      expect.stringMatching(/^You are back in \S+\. The changes are kept/),
    ])
    expect(after.split('\n')).toEqual(['.git', 'docs', 'server.mjs', 'src', expect.stringMatching(/\[main\]$/)])
    expect(run.result().permission_denials, run.stderr).toMatchObject([{ tool_name: 'Bash' }])
  })

  it.each(
    sampled(
      table`
      a name that it moves | git rev-parse other > .git/refs/heads/main | git log --format=%s -1 | third
      the index | GIT_INDEX_FILE=.git/index git read-tree --empty | git status --short |
      a log | : > .git/logs/HEAD | git reflog -1 --format=%gs | commit: third
      the objects of the commit | rm -rf .git/objects/?? | git show --format=%s --name-only HEAD | third\\n\\nsrc/a
      the settings | git config core.fsmonitor ./x | git config core.fsmonitor |
      `,
      0,
    ),
  )(
    `%s is put back after a server's call, and the commit before it stays`,
    async (_, script = '', shows = '', state = '') => {
      const run = await playRun(
        [bash('echo c > src/a; git commit -qam third'), { name: 'mcp__files__write', input: { script } }],
        {
          policy: { ...policyOf(mode, 'mcp__files'), mcpServers: { files: serverOf('write') } },
          files: { 'server.mjs': SERVER },
          prepare,
        },
      )
      const said = spawnSync('bash', ['-c', `${shows}; :`], { cwd: run.project, encoding: 'utf8' }).stdout.trim()
      expect(said, run.told.join('\n')).toBe(state.replaceAll('\\n', '\n'))
      // In the sandbox the settings cannot be written in the first place.
      const isClosed = mode === 'required' && shows.includes('config')
      // Objects come back from links, without a word.
      const isSilent = script.includes('objects')
      expect(run.result().permission_denials).toMatchObject(
        isClosed || isSilent ? [] : [{ tool_name: 'mcp__files__write' }],
      )
    },
  )
})
