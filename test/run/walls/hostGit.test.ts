import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import { startMessagesServer } from '../../helpers/model/messagesServer.ts'
import { type CliOptions, type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { sampled } from '../../helpers/sampled.ts'

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  })

/** A repository with one commit of what is there. */
function prepare(project: string): void {
  git(project, 'init', '-q', '-b', 'main')
  writeFileSync(join(project, 'a.txt'), 'a\n')
  git(project, 'add', '-A')
  git(project, 'commit', '-qm', 'one')
}

/** Writes what it can see to a place that the sandbox does not have. */
const trap = (canary: string) => `#!/bin/sh\nenv > ${canary}\n`

const POLICY = `version: 1
sandbox: { mode: required, network: none }
permissions: { allow: ["Bash(sh work.sh)", "Edit(**)", EnterWorktree] }
checks: { commands: ["true"] }
`

/** A run whose agent runs `work.sh`, with `$TRAP` for a program that writes the canary. */
async function play(work: string, { tools, ...options }: CliOptions & { tools?: Turn['tools'] } = {}) {
  const calls = tools ?? [{ name: 'Bash', input: { command: 'sh work.sh' } }]
  const server = await startMessagesServer(({ index }) => {
    const call = calls[index]
    return { turn: call === undefined ? { say: 'done' } : { tools: [call] } }
  })
  onTestFinished(() => server.close())
  const run = await runCli(['go'], {
    server,
    policy: POLICY,
    ...options,
    prepare(project) {
      const canary = join(project, '..', 'canary')
      writeFileSync(join(project, 'trap.sh'), trap(canary))
      chmodSync(join(project, 'trap.sh'), 0o755)
      writeFileSync(join(project, 'work.sh'), `set -e\nTRAP=${join(project, 'trap.sh')}\n${work}\necho worked\n`)
      prepare(project)
      options.prepare?.(project)
    },
  })
  return run
}

/** What a trap that ran outside of the sandbox has written. */
function caught({ base }: CliRun): string | undefined {
  const canary = join(base, 'canary')
  return existsSync(canary) ? readFileSync(canary, 'utf8') : undefined
}

const COMMIT = 'git -c user.name=a -c user.email=a@b.c -c core.fsmonitor=false commit -qm x'

/** Each line makes something in the checkout that makes git start a program when git looks at the checkout. */
const NESTED: readonly (readonly [string, string])[] = [
  [
    'a nested repository with a file system monitor',
    `mkdir -p src/lib; cd src/lib; git init -q; echo x > x; git add x; ${COMMIT}; git config core.fsmonitor "$TRAP"; cd ../..`,
  ],
  [
    'a nested repository with a clean filter',
    `mkdir lib; cd lib; git init -q; echo x > x; git add x; ${COMMIT}; git config filter.x.clean "$TRAP"; echo '* filter=x' > .gitattributes; touch x; echo y > x; cd ..`,
  ],
  [
    'a nested repository whose settings are included',
    `mkdir lib; cd lib; git init -q; echo x > x; git add x; ${COMMIT}; printf '[core]\\nfsmonitor=%s\\n' "$TRAP" > ../more; git config include.path ../../more; cd ..`,
  ],
]

describe.skipIf(!hasBubblewrap)(
  "kode-run's own git runs nothing that a command left in the checkout (needs bubblewrap)",
  () => {
    it.each(sampled(NESTED, 1, 2))('%s, made by the run', async (_name, work) => {
      const run = await play(work)
      expect(run.toolResults().join()).toContain('worked')
      expect(caught(run)).toBeUndefined()
    })

    it.each(sampled(NESTED.toReversed(), 0, 1))('%s, existing at the start', async (_name, work) => {
      const run = await play('echo more >> a.txt', {
        prepare(project) {
          execFileSync('sh', ['-c', work], { cwd: project, env: { ...process.env, TRAP: `${project}/trap.sh` } })
        },
      })
      expect(run.result().changes).toMatchObject([{ path: 'a.txt' }])
      expect([run.code, caught(run)]).toEqual([0, undefined])
    })

    it('a submodule that was not checked out', { tags: 'long' }, async () => {
      const work = `cd sub; git init -q; echo x > x; git add x; ${COMMIT}; git config core.fsmonitor "$TRAP"; cd ..`
      const run = await play(work, {
        prepare(project) {
          const commit = git(project, 'rev-parse', 'HEAD').trim()
          git(project, 'update-index', '--add', '--cacheinfo', `160000,${commit},sub`)
          mkdirSync(join(project, 'sub'))
          git(project, 'commit', '-qm', 'two')
        },
      })
      expect(run.toolResults().join()).toContain('worked')
      expect(caught(run)).toBeUndefined()
    })

    it('a worktree whose `.git` is another repository when the run ends', { tags: 'long' }, async () => {
      const swap =
        'rm .git; git init -q; git config filter.x.clean "$TRAP"; git config core.fsmonitor "$TRAP"; echo "* filter=x" > .gitattributes; echo y > a.txt'
      const run = await play(swap, {
        tools: [
          { name: 'ToolSearch', input: { query: 'select:EnterWorktree' } },
          { name: 'EnterWorktree', input: { name: 'x' } },
          { name: 'Bash', input: { command: 'sh work.sh' } },
        ],
      })
      expect(run.toolResults().join()).toContain('worked')
      expect(caught(run)).toBeUndefined()
      expect(existsSync(join(run.project, '.kode-worktrees'))).toBe(false)
      expect(git(run.project, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
    })
  },
)

describe("kode-run's own git runs nothing that a repository configures", () => {
  it('a program named git in a folder of the checkout on PATH', { tags: 'long' }, async () => {
    const server = await startMessagesServer(() => ({ turn: { say: 'done' } }))
    onTestFinished(() => server.close())
    const run = await runCli(['go', '--policy-ref', 'main', '--policy', 'policy.yml'], {
      server,
      files: { 'policy.yml': 'version: 1\n' },
      prepare(project) {
        mkdirSync(join(project, 'bin'))
        writeFileSync(join(project, 'bin', 'git'), trap(join(project, '..', 'canary')), { mode: 0o755 })
        prepare(project)
        symlinkSync('project/bin', join(project, '..', 'link'))
      },
      env: { PATH: `./bin:${process.env['PATH']}` },
    })
    expect([run.code, caught(run)]).toEqual([0, undefined])
  })

  it('the upload program of a remote for a missing object', { tags: 'long' }, async () => {
    const run = await runCli(['go', '--policy-ref', 'gone', '--policy', 'policy.yml'], {
      files: { 'policy.yml': 'version: 1\n' },
      prepare(project) {
        prepare(project)
        const path = join(project, 'trap.sh')
        writeFileSync(path, trap(join(project, '..', 'canary')), { mode: 0o755 })
        writeFileSync(join(project, '.git/refs/heads/gone'), `${'1'.repeat(40)}\n`)
        git(project, 'config', 'core.repositoryformatversion', '1')
        git(project, 'config', 'extensions.partialClone', 'origin')
        git(project, 'config', 'remote.origin.promisor', 'true')
        git(project, 'config', 'remote.origin.url', project)
        git(project, 'config', 'remote.origin.uploadpack', path)
      },
    })
    expect([run.code, caught(run)]).toEqual([78, undefined])
  })
})
