import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { IntegrityEvent } from '../../../src/contracts/events.ts'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import { commitAll } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliOptions, type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { eventsOf } from '../../helpers/runs/hookRuns.ts'
import { bash, type PlayedCall, write } from '../../helpers/runs/playRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const OFF = 'sandbox: { mode: off }\n'
const run = bash('bash work.sh')
const script = (text: string) => ({ 'work.sh': text })

/** A repository with one commit, and folders for what is protected in it. */
function prepare(project: string): void {
  writeFileSync(join(project, 'a.txt'), 'a\n')
  commitAll(project)
}

type Play = CliOptions & { readonly onRequest?: () => void }

async function play(
  tools: readonly PlayedCall[],
  { onRequest, ...options }: Play,
): Promise<CliRun & { integrity: IntegrityEvent }> {
  const server = await serveTurns(({ index }) => {
    if (index === 1) onRequest?.()
    return index === 0 ? { tools } : { say: 'done' }
  })
  const run = await runCli(['go'], { prepare, server, ...options })
  const [integrity] = eventsOf(run, 'integrity')
  if (integrity === undefined) throw new Error(`no integrity record:\n${run.stderr}`)
  return { ...run, integrity }
}

const policy = (allow: string, more = OFF) => `version: 1\npermissions: { allow: [${allow}] }\n${more}`

describe('the integrity report', () => {
  it('is empty for a run that did only what its calls named', { tags: 'long' }, async () => {
    const ended = await play([write('new/b.txt'), write('.npmrc')], {
      policy: policy('"Edit(new/**)", "Edit(.npmrc)"'),
    })
    expect(ended.integrity).toMatchObject({
      unaccounted_files: [],
      command_files_touched: [],
      processes_left: 0,
      sandbox: 'off',
      network: { mode: 'open', state: 'off' },
    })
    expect(readFileSync(join(ended.project, '.npmrc'), 'utf8')).toBe('x')
    expect(ended.result()).toMatchObject({ exit_code: 0, sandbox: 'off', network: { mode: 'open', state: 'off' } })
  })

  it('is empty for a restored checkout, and names changes outside it', { tags: 'long' }, async () => {
    // In the checkout: settings of git and npm, a workflow, a repository, a protected place behind a link, and the link.
    const inside = `echo evil > .git/hooks/post-commit; git config core.fsmonitor evil; echo /tmp/evil > .git/commondir
mkdir -p .github/workflows; echo evil > .github/workflows/a.yml; mkdir b; echo evil > b/.npmrc
git init -q inner; echo evil > linked/settings.json; rm .claude && mkdir .claude`
    const outside = ['../home/.bashrc', '../policy.yml']
    let before = {}
    const ended = await play([run], {
      files: {
        ...script(`${inside}\necho evil >> ~/.bashrc; echo "#" >> ../policy.yml`),
        'linked/': '',
        '.claude': '-> linked',
      },
      policy: policy('Bash'),
      prepare(project) {
        prepare(project)
        before = treeOf(project)
      },
    })
    expect(treeOf(ended.project)).toEqual(before)
    expect(ended.integrity.unaccounted_files).toEqual(outside.map((path) => join(ended.project, path)))
    expect(readFileSync(ended.summary, 'utf8')).toContain('Changed by no known call')
    expect(ended.result().permission_denials).toHaveLength(1)
  })

  it('names a program that was added to PATH', { tags: 'long' }, async () => {
    const folder = makeFolder()
    const env = { PATH: `${process.env['PATH']}:${folder}` }
    const ended = await play([run], { files: script(`echo evil > ${folder}/git`), policy: policy('Bash'), env })
    expect(ended.integrity.unaccounted_files).toEqual([join(folder, 'git')])
  })

  it('attributes the change of a file to a command, and to nobody if no command ran', { tags: 'long' }, async () => {
    const command = await play([run], { files: script('echo b >> a.txt'), policy: policy('Bash, "Edit(./a.txt)"') })
    expect(command.result().changes.map(({ path }) => path)).toEqual(['a.txt'])
    expect(command.integrity.unaccounted_files).toEqual([])
    let project = ''
    const tool = await play([write('b.txt')], {
      policy: policy('"Edit(b.txt)"'),
      prepare(folder) {
        prepare(folder)
        project = folder
      },
      onRequest: () => appendFileSync(join(project, 'a.txt'), 'by somebody else\n'),
    })
    expect(tool.integrity.unaccounted_files).toEqual([join(project, 'a.txt')])
  })

  it('ends with tampering if a child wrote to the runner’s command files', async () => {
    const folder = makeFolder()
    const names = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY']
    const env = Object.fromEntries(names.map((name) => [name, join(folder, name)]))
    for (const file of Object.values(env)) writeFileSync(file, 'BEFORE=1\n')
    const files = script(`env | grep -c GITHUB_; for f in ${folder}/*; do echo LD_PRELOAD=/tmp/x >> $f; done`)
    const ended = await play([run], { files, policy: policy('Bash'), env })
    expect(ended.toolResults()[0]).toBe('0')
    expect(ended.integrity.command_files_touched).toEqual(Object.values(env))
    expect(ended.code).toBe(3)
    expect(ended.result()).toMatchObject({ exit_reason: 'tampering', is_error: true })
    expect(ended.result().detail).toContain(env['GITHUB_ENV'])
    expect(readFileSync(ended.summary, 'utf8')).toContain('Runner command file touched')
  })

  it.skipIf(!hasBubblewrap)(
    'is empty if the sandbox prevented the change (needs bubblewrap)',
    { tags: 'long' },
    async () => {
      const attack =
        'echo evil > .git/hooks/x; echo evil > .npmrc; echo evil >> ~/.bashrc; mkdir -p .github/workflows; echo a >> a.txt'
      const ended = await play([run], {
        files: script(attack),
        policy: policy('Bash, "Edit(./a.txt)"', 'sandbox: { mode: required, network: none }\n'),
      })
      expect(ended.toolResults()[0]).toMatch(
        /Not kept: .*\.git\/hooks\/x.*\.npmrc.*Everything else that it changed was kept/s,
      )
      expect(ended.integrity).toMatchObject({
        unaccounted_files: [],
        sandbox: 'enforced',
        network: { mode: 'none', state: 'enforced' },
      })
      expect(ended.result().changes.map(({ path }) => path)).toEqual(['a.txt'])
      expect(existsSync(join(ended.project, '.npmrc'))).toBe(false)
      const [init] = ended.records
      expect(init).toMatchObject({ sandbox: { state: 'enforced' }, network: { mode: 'none', state: 'enforced' } })
      expect(readFileSync(ended.summary, 'utf8')).toMatch(/sandbox enforced, .*network none \(enforced\)/)
    },
  )
})
