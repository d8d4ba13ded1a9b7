import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import { canPlayLandlock, NO_NAMESPACES } from '../../helpers/runs/noNamespaces.ts'
import { bash, type PlayedCall, playRun } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'

const hasPython = spawnSync('python3', ['-c', '']).status === 0

type Checks = Readonly<Record<string, unknown>>

/** A project whose `tool` in an ignored folder fails, which is what the check should find out. */
function play(
  calls: readonly PlayedCall[],
  checks: Checks,
  sandbox: Checks = { mode: 'required' },
  through?: string[],
) {
  const policy = { sandbox, permissions: { allow: ['Bash', 'Edit(src/**)'] }, checks }
  return playRun(calls, {
    ...(through && { through }),
    policy,
    files: { [TOOL]: FAILS, 'src/': '', '.gitignore': 'node_modules\ntarget\n.venv\nvendor/bundle\n' },
    prepare(cwd) {
      chmodSync(join(cwd, TOOL), 0o755)
      spawnSync('git', ['init', '-q'], { cwd })
    },
  })
}

const MAKE =
  'const p=require("os").homedir()+"/"+process.argv[1];const f=require("fs");f.mkdirSync(require("path").dirname(p),{recursive:true});f.writeFileSync(p,"x")'
const FAILS = '#!/bin/sh\nexit 1\n'
const FAKE = "printf '#!/bin/sh\\necho fine\\n' > node_modules/.bin/tool"
const TOOL = 'node_modules/.bin/tool'
const MAKE_TOOL = `mkdir -p node_modules/.bin; printf '#!/bin/sh\\nexit 1\\n' > ${TOOL}; chmod +x ${TOOL}`

describe.skipIf(!hasBubblewrap)('a check in the sandbox stands on what no command of the run wrote', () => {
  it.each(
    sampled(
      [
        ['home', 'echo > ~/green', 'test -e ~/green'],
        ['/tmp', 'echo > /tmp/green; echo > /var/tmp/green', 'test -e /tmp/green || test -e /var/tmp/green'],
        // Programs write there: the words of a line may not.
        ['home of cargo', `node -e '${MAKE}' .cargo/config.toml`, 'test -e ~/.cargo/config.toml'],
        ['cache of pip', `node -e '${MAKE}' .cache/pip/x`, 'test -e ~/.cache/pip/x'],
        ['cache of npm', `node -e '${MAKE}' .npm/x`, 'test -e ~/.npm/x'],
      ],
      1,
      3,
    ),
  )('it sees nothing of the %s', async (_, command, check) => {
    const run = await play([bash(command), bash(check)], { attempts: 1, commands: [check] })
    expect(run.result(), run.told.join('\n')).toMatchObject({ permission_denials: [], exit_reason: 'checks_failed' })
  })

  it.skipIf(!hasPython)('it loads no module that a command put into the home', { tags: 'long' }, async () => {
    const plant =
      'd=$(python3 -m site --user-site); mkdir -p "$d"; echo "import os; os._exit(0)" > "$d/usercustomize.py"'
    const check = 'python3 -c "raise SystemExit(1)"'
    const run = await play([bash(plant), bash(check)], { attempts: 1, commands: [check] })
    expect(run.told[1]).not.toContain('Exit code 1')
    expect(run.result().exit_reason).toBe('checks_failed')
  })

  it('checks of one attempt and what prepares them share a home, which the next attempt does not see', {
    tags: 'long',
  }, async () => {
    const commands = ['test -e ~/made && test ! -e ~/second && echo > ~/second', 'test -e ~/second']
    const run = await play([], {
      attempts: 2,
      prepare: ['test ! -e ~/second && echo > ~/made'],
      commands: [...commands, 'false'],
    })
    expect(run.result().checks).toMatchObject([
      ...['test ! -e ~/second && echo > ~/made', ...commands].map((command) => ({ command, ok: true, attempts: 2 })),
      { command: 'false', ok: false },
    ])
  })
})

describe.skipIf(!hasBubblewrap)('ignored files that commands changed', () => {
  it('are named with the check that may have used them, and the calls that changed them', {
    tags: 'long',
  }, async () => {
    const run = await play([bash(FAKE), bash('mkdir target; touch target/a target/b')], { commands: [TOOL] })
    expect(run.result()).toMatchObject({ exit_reason: 'completed' })
    const [check] = run.result().checks
    expect(check?.leftovers?.map(({ what }) => what)).toEqual(['node_modules (1 file)', 'target (2 files)'])
    expect(check?.leftovers?.map(({ by }) => by.length)).toEqual([1, 1])
    expect(run.stderr).toMatch(
      /Check passed: node_modules.*\n│ +It may have used what commands left: node_modules \(1 file\) by /,
    )
    expect(readFileSync(run.summary, 'utf8')).toContain(
      'It may have used what commands left: node&#95;modules (1 file)',
    )
  })

  it.each(
    sampled(
      [
        ['changed', FAKE, true],
        ['made and removed again', 'echo > node_modules/x; rm node_modules/x', false],
        ['removed', `rm ${TOOL}`, true],
        ['read', `cat ${TOOL}`, false],
        ['not ignored', 'echo > src/a', false],
      ],
      0,
      2,
    ),
  )('fail it where the policy says so: %s', async (_, command, isNamed) => {
    const run = await play([bash(command)], { attempts: 1, leftovers: 'fail', commands: ['true'] })
    expect(run.result().exit_reason).toBe(isNamed ? 'checks_failed' : 'completed')
    expect(run.stderr.includes('`checks.leftovers: fail`')).toBe(isNamed)
  })

  it('are removed before the policy makes them anew, so a fake tool is gone', { tags: 'long' }, async () => {
    const calls = [bash(FAKE), bash('mkdir .venv; touch .venv/x')]
    const run = await play(calls, {
      attempts: 1,
      leftovers: 'fail',
      prepare: [`test ! -e ${TOOL} && test ! -e .venv/x && ${MAKE_TOOL}`],
      commands: [TOOL],
    })
    const [prepared, check] = run.result().checks
    expect(prepared).toMatchObject({ ok: true })
    expect(check).toMatchObject({ ok: false, exit_code: 1 })
    expect(check?.leftovers).toBeUndefined()
  })

  it('no check runs if they cannot be made', { tags: 'long' }, async () => {
    const run = await play([], { attempts: 1, prepare: ['false'], commands: ['true'] })
    expect(run.result().checks.map(({ command, ok }) => [command, ok])).toEqual([['false', false]])
    expect(run.result().exit_reason).toBe('checks_failed')
  })

  it('a background command is named, because nobody sees what it changes', { tags: 'long' }, async () => {
    const run = await play([bash('sleep 1', { run_in_background: true })], { commands: ['true'] })
    expect(run.result().checks[0]?.leftovers).toEqual([{ what: 'what ran in the background: sleep 1', by: ['bash_1'] }])
  })
})

it('without a sandbox nobody sees ignored files, and the check says so', async () => {
  const run = await play([bash(FAKE)], { commands: [TOOL] }, { mode: 'off' })
  expect(run.result().checks[0]?.leftovers?.map(({ what }) => what)).toEqual([
    'ignored files (unseen, as the checkout is only watched)',
  ])
})

it.skipIf(!canPlayLandlock)(
  'behind Landlock a check has a home of its own, too (needs perl and Landlock 6, Linux 6.12)',
  { tags: 'long' },
  async () => {
    const check = `node -e 'require("fs").statSync(require("os").homedir() + "/green")'`
    const calls = [bash(`node -e '${MAKE}' green`), bash(check)]
    const run = await play(
      calls,
      { attempts: 1, commands: [check] },
      { mode: 'required', wall: 'landlock' },
      NO_NAMESPACES,
    )
    expect(run.told[1]).not.toContain('Exit code')
    expect(run.result(), run.told.join('\n')).toMatchObject({ permission_denials: [], exit_reason: 'checks_failed' })
    expect(run.result().checks[0]?.leftovers?.map(({ what }) => what)).toEqual([
      'ignored files (unseen, as the checkout is only watched)',
    ])
  },
)
