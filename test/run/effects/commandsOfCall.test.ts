import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commandsOfCall, withVariables } from '../../../src/run/effects/commandsOfCall.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'
import { playRun } from '../../helpers/runs/playRun.ts'

const PREPARE = `git init -q; mkdir src docs; echo a > src/a; echo a > docs/a; git add -A
  git -c user.name=a -c user.email=a@b commit -qm start`
const COMMIT = 'echo b >> src/a; git commit -qam more'

const textOf = (allow: readonly string[]) => JSON.stringify({ version: 1, permissions: { allow } })

async function play(command: string, allow: readonly string[]) {
  const run = await playRun([{ name: 'Bash', input: { command } }], {
    policy: textOf(allow),
    files: { 'release.sh': COMMIT, 'wide.sh': `echo b > docs/a; ${COMMIT}` },
    prepare: (cwd) => void execFileSync('sh', ['-ec', PREPARE], { cwd, stdio: 'pipe' }),
  })
  const subjects = execFileSync('git', ['log', '--format=%s'], { cwd: run.project, encoding: 'utf8' })
  return { ...run, commits: subjects.trim().split('\n') }
}

describe('the commands of a call', () => {
  const REPORT = { state: 'enforced', kept: [], scratch: {}, leftOut: [], undone: [] } as const
  const ended = { exitCode: 0, effects: REPORT }

  async function ask(allow: readonly string[], result: object, effects?: object) {
    const asked: unknown[] = []
    const told: unknown[] = []
    const commands = {
      run: async (request: unknown) => {
        asked.push(request)
        return result
      },
      start: (request: unknown) => void asked.push(request),
    }
    const policy = await policyOf({ allow })
    const ofCall = commandsOfCall(commands as never, { onEffects: (report) => void told.push(report) }, policy)
    const request = effects === undefined ? { file: 'a' } : { file: 'a', effects }
    const given = await ofCall.run(request as never)
    ofCall.start(request as never)
    return { asked, told, given }
  }

  it('report what they changed, with what commands may change', async () => {
    const { given, told } = await ask(['Bash(a *)', 'Edit(src/**)'], ended)
    const effects = { ...REPORT, allowed: ['src/**'] }
    expect([given, told]).toEqual([{ exitCode: 0, effects }, [effects]])
  })

  it('that cannot change anything report nothing', async () => {
    const result = { exitCode: 0 }
    const { given, told } = await ask([], result)
    expect(given).toBe(result)
    expect(told).toEqual([])
  })

  it('may change git under bare Bash alone, and if they are judged at all', async () => {
    const own = { access: 'view', mayChangeGit: false }
    const git = { access: 'view', mayChangeGit: true }
    const effectsAsked = async (allow: readonly string[], effects?: object) =>
      (await ask(allow, ended, effects)).asked.map((request) => (request as { effects?: object }).effects)
    expect(await effectsAsked(['Bash'], own)).toEqual([git, git])
    expect(await effectsAsked(['Bash(a *)'], own)).toEqual([own, own])
    expect(await effectsAsked(['Bash'])).toEqual([undefined, undefined])
  })
})

describe('a commit', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    ['by git itself is kept where its paths are covered', COMMIT, ['Bash(git *)', 'Bash(echo *)'], ['more', 'start']],
    // `npm version` commits too: under bare `Bash` any command may be git.
    ['by a script is kept under bare Bash', 'sh release.sh', ['Bash'], ['more', 'start']],
    ['by a script is not kept where the rules do not let git start', 'sh release.sh', ['Bash(sh *)'], ['start']],
    ['with an uncovered path is not kept', 'sh wide.sh', ['Bash'], ['start']],
  ])('%s', { tags: 'long' }, async (_name, command, allow, commits) => {
    const run = await play(command, [...allow, 'Edit(src/**)'])
    expect(run.commits, run.told[0]).toEqual(commits)
    const isKept = commits.length === 2
    expect(run.result().changes.map(({ path }) => path)).toEqual(isKept ? ['src/a'] : [])
    expect(run.told[0]?.includes('Nothing that this command changed was kept')).toBe(!isKept)
    expect(run.told[0]?.includes('Commands may change src/** and files that git ignores.')).toBe(!isKept)
  })
})

describe('the variables of hooks', () => {
  it('are set behind the wall, but those that the policy names as secrets; not for our own readers', async () => {
    const policy = { settings: { env: { secrets: ['B'] } } } as never
    const request = { file: 'bash', args: ['-c', 'x'], env: { C: '3' } }
    const variables = { A: '1 2', B: 'secret' }
    expect(withVariables(request, variables, policy)).toEqual({
      ...{ file: 'env', args: ['A=1 2', 'bash', '-c', 'x'], env: { C: '3', B: 'secret' } },
    })
    expect(withVariables(request, {}, policy)).toBe(request)
    const reader = { ...request, isOwnReader: true } as const
    expect(withVariables(reader, variables, policy)).toBe(reader)
  })
})
