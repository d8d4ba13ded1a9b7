import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap, needsBubblewrap } from '../helpers/bubblewrap.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { gitAt } from '../helpers/git.ts'
import { call, serveTurns } from '../helpers/model/serveTurns.ts'
import { CLI_TEST_KEY, runCli } from '../helpers/runs/cliRun.ts'

const FILES = {
  'project/a.txt': 'a\n',
  'project/.env': 'CANARY-ENV\n',
  'project/tls/server.key': 'CANARY-KEY\n',
  'project/denied/plan.md': 'CANARY-DENIED\n',
  'project/tls/opened.pem': 'opened\n',
  'home/.config/pip/pip.conf': '[global]\nCANARY-PIP\n',
  'home/notes.txt': 'CANARY-NOTES\n',
  'sibling/README': 'CANARY-SIBLING\n',
}

function prepare(project: string): void {
  writeFiles(join(project, '..'), FILES)
  const git = gitAt(project)
  git('init', '-q')
  git('add', '-f', 'a.txt', 'tls', 'denied')
  git('commit', '-qm', 'one')
}

async function run(policy: string, command: string, env: Readonly<Record<string, string>> = {}) {
  let asked = 0
  const server = await serveTurns(() => (asked++ === 0 ? call('Bash', { command }) : { say: 'done' }))
  const ended = await runCli(['x'], { server, policy: `version: 1\n${policy}`, prepare, env })
  const [result = ''] = ended.toolResults()
  return { ...ended, result }
}

/** A name that is denied is refused before it runs, so none is spelt. */
const LOOK = "cat $(find . ~ .. -type f -not -path './.git/*')"

describe.skipIf(!hasBubblewrap)(`what the commands of a run see${needsBubblewrap}`, () => {
  it('is the checkout without denied and secret files, and no home', async () => {
    const rules =
      'permissions: { allow: [Bash, "Read(tls/opened.pem)"], deny: ["Read(denied/**)"] }\nsandbox: { mode: required }\n'
    const { result } = await run(rules, LOOK)
    expect(result).toContain('opened')
    expect(result).not.toContain('CANARY')
  })

  it('is the same in a sandbox that was started before the call, with what Write changed since', {
    tags: 'long',
  }, async () => {
    // The first process of such a sandbox has no command in its words, but the shell that waited for one.
    const look =
      'tail -c 3 $(echo /proc/1/cmdline); cat b.txt; env; cat /proc/*/environ; grep -rao CANARY $(echo . ~ ..)'
    const calls = [
      { name: 'Bash', input: { command: 'echo first' } },
      { name: 'Write', input: { file_path: 'b.txt', content: 'written between\n' } },
      { name: 'Bash', input: { command: look } },
    ]
    const server = await serveTurns(...calls.map(({ name, input }) => call(name, input)), { say: 'done' })
    const rules = 'permissions: { allow: [Bash, Read, "Edit(b.txt)"], deny: ["Read(denied/**)"] }\n'
    const policy = `version: 1\n${rules}sandbox: { mode: required }\n`
    const [, , seen = ''] = (await runCli(['x'], { server, policy, prepare })).toolResults()
    expect(seen).toMatch(/^sh\0/)
    expect(seen).toContain('written between')
    expect(seen).not.toMatch(new RegExp(`CANARY|${CLI_TEST_KEY}`))
  })

  it('a preset that allows reading everything does not open the home folder', { tags: 'long' }, async () => {
    const { result } = await run(
      'permissions: { presets: [read-only] }\nsandbox: { mode: required }\n',
      'cat ~/.config/pip/pip.conf',
    )
    expect(result).not.toContain('CANARY')
  })

  it('includes the folders of sandbox.readable', { tags: 'long' }, async () => {
    const rules =
      'permissions: { allow: [Bash] }\nsandbox: { mode: required, readable: ["~/.config/pip/pip.conf", ../sibling] }\n'
    const { result } = await run(rules, LOOK)
    expect(result).toContain('CANARY-PIP')
    expect(result).toContain('CANARY-SIBLING')
    expect(result).not.toMatch(/CANARY-(?:ENV|KEY|NOTES)/)
  })

  it('has no network unless the policy allows it, and says so to a command that needs one', {
    tags: 'long',
  }, async () => {
    const fetch = `node -e 'fetch("http://example.invalid").catch((e) => { console.log(e.cause.code); process.exit(1) })'`
    const { result, records } = await run('permissions: { allow: [Bash] }\nsandbox: { mode: required }\n', fetch)
    expect(result).toMatch(/EAI_AGAIN|ENOTFOUND/)
    expect(result).toContain('sandbox.network')
    expect(records[0]).toMatchObject({ subtype: 'init', network: { mode: 'none', state: 'enforced' } })
  })
})

it('reports once the variables that commands do not get, and the committer', { tags: 'long' }, async () => {
  const env = { UNHEARD_OF: '1', MY_A: '2', GITHUB_ACTOR: 'octo' }
  const rules = 'permissions: { allow: [Bash] }\nenv: { pass: ["MY_*"] }\nsandbox: { mode: off }\n'
  const { result, records } = await run(rules, 'printf "\\033[31m$MY_A $UNHEARD_OF $GIT_AUTHOR_NAME\\033[0m"', env)
  expect(result).toBe('2  octo')
  expect(records[0]).toMatchObject({ env_dropped: expect.arrayContaining(['UNHEARD_OF']) })
  expect(JSON.stringify(records)).not.toMatch(/u001b|"MY_A"/)
})
