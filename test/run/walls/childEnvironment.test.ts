import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { CLI_TEST_KEY } from '../../helpers/runs/cliRun.ts'
import { bash, playRun, write } from '../../helpers/runs/playRun.ts'

const STUB = join(import.meta.dirname, '../../helpers/stubMcp.mjs')

/** What the operator's environment holds besides PATH and HOME. */
const GIVEN = {
  ...{ PASSED: 'passed-on', UNNAMED: 'not-named', NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '' },
  ...{ NEEDED_TOKEN: 'needed-token-0123456789', OTHER_TOKEN: 'other-token-0123456789' },
  ...{ COPY: 'holds other-token-0123456789 inside', KEY_COPY: CLI_TEST_KEY },
  ...{ ACTIONS_RUNTIME_URL: 'https://runner.example', RUNNER_TRACKING_ID: 'github_1' },
}

const ENV =
  'env: { pass: [PASSED, COPY, KEY_COPY, ACTIONS_RUNTIME_URL], set: { ADDED: by-the-policy }, secrets: [NEEDED_TOKEN, KEY_COPY] }\n'

const POLICY = `version: 1
permissions: { allow: [Bash, mcp__stub] }
${ENV}sandbox: { mode: "off" }
hooks: { PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "env > out/hook" }] }] }
checks: { commands: ["env > out/check"] }
mcpServers: { stub: { command: node, args: ["${STUB}"], tools: [environment] } }
`

type Variables = Readonly<Record<string, string | undefined>>

function parse(text: string): Variables {
  return Object.fromEntries(text.split('\n').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
}

it('every kind of child gets the variables of the policy, and no other secret', { tags: 'long' }, async () => {
  const run = await playRun([[bash('env > out/bash'), { name: 'mcp__stub__environment', input: {} }]], {
    policy: POLICY,
    env: { ...GIVEN, PATH: `relative:${process.env['PATH']}` },
    files: { 'out/': '', '.gitignore': 'out\n' },
    prepare: (project) => execFileSync('git', ['-C', project, 'init', '-q']),
  })
  expect(run.result(), run.stderr).toMatchObject({ exit_code: 0 })
  const file = (name: string) => parse(readFileSync(join(run.project, 'out', name), 'utf8'))
  const children: Readonly<Record<string, Variables>> = {
    bash: file('bash'),
    hook: file('hook'),
    check: file('check'),
    server: JSON.parse(JSON.parse(run.toolResults()[1] ?? '[]')[0]?.text ?? '{}'),
  }
  for (const [kind, seen] of Object.entries(children)) {
    expect(seen, kind).toMatchObject({ PASSED: 'passed-on', ADDED: 'by-the-policy', RUNNER_TRACKING_ID: 'github_1' })
    expect(seen['NEEDED_TOKEN'], kind).toMatch(kind === 'server' ? /./ : /^needed-token/)
    const names = Object.keys(seen).join()
    expect(names, kind).not.toMatch(
      /\b(UNNAMED|OTHER_TOKEN|COPY|KEY_COPY|NODE_OPTIONS|ACTIONS_RUNTIME_URL|ANTHROPIC_API_KEY)\b/,
    )
    expect(seen['PATH'], kind).not.toContain('relative')
  }
  expect(run.result().warnings.join('\n')).toMatch(/COPY is not passed to child processes.*secret/)
  expect(run.result().warnings.join('\n')).toMatch(/KEY_COPY is not passed to child processes.*credential/)
})

it("kode-run's own git gets PATH and its own settings, but no variables of the policy", { tags: 'long' }, async () => {
  // A git that writes down its environment first.
  const folder = makeFolder()
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nenv > ${folder}/seen\nexec ${git} "$@"\n`, { mode: 0o755 })
  const run = await playRun([write('a')], {
    policy: `version: 1\nsandbox: { mode: "off" }\npermissions: { allow: [Edit(a)] }\n${ENV}`,
    env: { ...GIVEN, PATH: `relative:${folder}:${process.env['PATH']}` },
    prepare: (project) => execFileSync('git', ['-C', project, 'init', '-q']),
  })
  expect(run.result().changes?.map(({ path }) => path)).toContain('a')
  const names = Object.keys(parse(readFileSync(join(folder, 'seen'), 'utf8'))).filter((name) => name !== '')
  expect(names.filter((name) => !/^(?:PATH|PWD|OLDPWD|SHLVL|_|LC_ALL|GIT_\w+|KODE_RUN\w*)$/.test(name))).toEqual([])
})
