import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookSettings } from '../../../src/contracts/settings.ts'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import type { CliRun } from '../../helpers/runs/cliRun.ts'
import { bash, playRun } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'

/** Writes what it can see beside the project, which the sandbox does not have; then it lets the call pass. */
const TRAP = '(env > "$CLAUDE_PROJECT_DIR/../canary") 2>/dev/null; true\n'
const NODE_TRAP = `import { writeFileSync } from 'node:fs'
try { writeFileSync(process.env.CLAUDE_PROJECT_DIR + '/../canary', JSON.stringify(process.env)) } catch {}
`

const FILES = {
  'ci/guard.sh': TRAP,
  'ci/words.mjs': NODE_TRAP,
  'ci/guard.mjs': "import './words.mjs'\n",
  'src/settings.sh': TRAP,
  'node_modules/.bin/thing': `#!/bin/sh\n${TRAP}`,
  'package.json': JSON.stringify({ scripts: { guard: 'sh ci/guard.sh' } }),
  Makefile: 'guard:\n\tsh ci/guard.sh\n',
}

function play(hook: HookSettings, sandbox: object = { mode: 'required', network: 'none' }): Promise<CliRun> {
  return playRun([bash('ls')], {
    files: FILES,
    prepare: (project) => chmodSync(join(project, 'node_modules/.bin/thing'), 0o755),
    policy: {
      ...{ permissions: { presets: ['read-only'] }, sandbox },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] },
    },
  })
}

const line = (command: string): HookSettings => ({ type: 'command', command })
const words = (command: string, ...args: string[]): HookSettings => ({ type: 'command', command, args })

function canary({ base }: CliRun): string | undefined {
  return existsSync(join(base, 'canary')) ? readFileSync(join(base, 'canary'), 'utf8') : undefined
}

describe.skipIf(!hasBubblewrap)('a hook that may run something in the checkout is sandboxed (needs bubblewrap)', () => {
  it.each<[string, HookSettings]>(
    sampled(
      [
        ['a script', line('sh ci/guard.sh')],
        ['a script, by the variable of the project', line('sh "$CLAUDE_PROJECT_DIR"/ci/guard.sh')],
        ['a script without a shell', words('sh', '${CLAUDE_PROJECT_DIR}/ci/guard.sh')],
        ['what a script loads', words(process.execPath, 'ci/guard.mjs')],
        ['what is named behind a change of folder', line('cd ci && sh guard.sh')],
        [
          'an interpreter elsewhere that is told to load it',
          words(process.execPath, '--import=./ci/words.mjs', '-e', '0'),
        ],
        ['a program of a package', line('npx --no-install thing')],
        ['a script of the package', line('npm run guard')],
        ['a rule of the Makefile', line('make guard')],
        ['settings that its program reads from the folder it starts in', line('. ./src/settings.sh')],
        ['what only the shell can say', line('sh "$(echo ci/guard.sh)"')],
      ],
      1,
      5,
    ),
  )('%s', async (_name, hook) => {
    const run = await play(hook)
    expect([run.code, canary(run)], run.stderr).toEqual([0, undefined])
  })

  it('and any other hook starts outside, in an empty folder', { tags: 'long' }, async () => {
    // The name is spelt in pieces, as nothing in the checkout could: what names the project counts as of it.
    const run = await play(
      words(
        process.execPath,
        '-e',
        "const k = ['CLAUDE', 'PROJECT_DIR'].join('_'); require('node:fs').writeFileSync(process.env[k] + '/../canary', process.cwd())",
      ),
    )
    const cwd = canary(run) ?? ''
    expect([run.code, cwd.startsWith(run.project), existsSync(cwd)]).toEqual([0, false, false])
  })
})

it('without a sandbox a hook of the checkout runs as written, and the record says so', async () => {
  const run = await play(line('sh ci/guard.sh'), { mode: 'off' })
  expect(run.code).toBe(0)
  expect(canary(run)).toBeDefined()
  expect(run.result().warnings.join()).toContain(
    'no sandbox for hooks that run something in the checkout: sh ci/guard.sh',
  )
})
