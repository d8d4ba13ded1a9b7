import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import { commitAll, gitAt } from '../../helpers/git.ts'
import type { CliOptions, CliRun } from '../../helpers/runs/cliRun.ts'
import { bash, type PlayedCall, playRun } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'

/** A repository with one commit of what is there. */
function prepare(project: string): ReturnType<typeof gitAt> {
  writeFileSync(join(project, 'a.txt'), 'a\n')
  return commitAll(project)
}

/** Makes a program that writes what it can see to a place that the sandbox does not have: beside the project. */
function setTrap(path: string): void {
  writeFileSync(path, `#!/bin/sh\nenv > ${path.replace(/\/project\/.*/, '/canary')}\n`, { mode: 0o755 })
}

const POLICY = `version: 1
sandbox: { mode: required, network: none }
permissions: { allow: ["Bash(sh work.sh)", "Edit(**)", EnterWorktree] }
checks: { commands: ["true"] }
`

/** A run whose agent runs `work.sh`, with `$TRAP` for a program that writes the canary. */
function play(work: string, { tools, ...options }: CliOptions & { tools?: PlayedCall[] } = {}) {
  return playRun(tools ?? [bash('sh work.sh')], {
    policy: POLICY,
    ...options,
    prepare(project) {
      setTrap(join(project, 'trap.sh'))
      writeFileSync(join(project, 'work.sh'), `set -e\nTRAP=${join(project, 'trap.sh')}\n${work}\necho worked\n`)
      prepare(project)
      options.prepare?.(project)
    },
  })
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
          const git = gitAt(project)
          git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},sub`)
          mkdirSync(join(project, 'sub'))
          git('commit', '-qm', 'two')
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
          bash('sh work.sh'),
        ],
      })
      expect(run.toolResults().join()).toContain('worked')
      expect(caught(run)).toBeUndefined()
      expect(existsSync(join(run.project, '.kode-worktrees'))).toBe(false)
      expect(gitAt(run.project)('worktree', 'list').split('\n')).toHaveLength(1)
    })
  },
)

describe("kode-run's own git runs nothing that a repository configures", () => {
  it('a program named git in a folder of the checkout on PATH', { tags: 'long' }, async () => {
    const run = await playRun([], {
      args: ['--policy-ref', 'main', '--policy', 'policy.yml'],
      files: { 'policy.yml': 'version: 1\n', 'bin/': '', '../link': '-> project/bin' },
      prepare(project) {
        setTrap(join(project, 'bin/git'))
        prepare(project)
      },
      env: { PATH: `./bin:${process.env['PATH']}` },
    })
    expect([run.code, caught(run)]).toEqual([0, undefined])
  })

  it('the upload program of a remote for a missing object', { tags: 'long' }, async () => {
    const run = await playRun([], {
      args: ['--policy-ref', 'gone', '--policy', 'policy.yml'],
      files: { 'policy.yml': 'version: 1\n' },
      prepare(project) {
        const git = prepare(project)
        const path = join(project, 'trap.sh')
        setTrap(path)
        writeFileSync(join(project, '.git/refs/heads/gone'), `${'1'.repeat(40)}\n`)
        git('config', 'core.repositoryformatversion', '1')
        git('config', 'extensions.partialClone', 'origin')
        for (const [name, value] of Object.entries({ promisor: 'true', url: project, uploadpack: path }))
          git('config', `remote.origin.${name}`, value)
      },
    })
    expect([run.code, caught(run)]).toEqual([78, undefined])
  })
})
