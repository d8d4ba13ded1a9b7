import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/config/parseArguments.ts'
import { type RunSurroundings, readRequest, withResumed } from '../../src/entry/readRequest.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'
import { sampleRun, stamp } from '../helpers/runs/events.ts'
import { openTestIo } from '../helpers/testIo.ts'

/** What a run would be handed, started in a folder with a policy and a project below. */
function request(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
  outside: Partial<RunSurroundings> = {},
) {
  const policy = 'version: 1\npermissions: { deny: [WebFetch] }\n'
  const cwd = makeFiles({ 'project/': '', 'policy.yml': policy, ...files })
  const invocation = parseArguments(['--replay=r.yml', '--cwd=project', ...argv, 'do it'])
  if (invocation.show !== undefined) throw new Error('help')
  const { io } = openTestIo(argv, { environment, cwd, home: join(cwd, 'home') })
  const reading = readRequest(io, invocation, { signal: new AbortController().signal, ...outside })
  return reading.then((read) => ({ cwd, ...read }))
}

describe('readRequest', () => {
  it('resolves every path from the current directory; --cwd only sets the project root', async () => {
    const { cwd, config, policy } = await request(['--policy=policy.yml', '--transcript=t.jsonl', '--add-dir=project'])
    const { cwd: root, replay, transcript } = config
    expect([root, replay, transcript]).toEqual(['project', 'r.yml', 't.jsonl'].map((name) => join(cwd, name)))
    expect(policy.untouchable).toContain(join(cwd, 't.jsonl'))
    expect([policy.settings.additionalDirectories, config.addDirs]).toEqual([[config.cwd], [config.cwd]])
  })

  it('reads every flag from the environment too, and names unknown variables', async () => {
    const { policy, config, warnings } = await request([], {
      KODE_RUN_POLICY: 'policy.yml',
      KODE_RUN_DISALLOWED_TOOLS: 'Bash',
      KODE_RUN_ADD_DIR: 'project',
      KODE_RUN_POLICI: 'x',
    })
    expect(policy.rules.map(({ text }) => text)).toEqual(['WebFetch', 'Bash'])
    expect(policy.settings.additionalDirectories).toEqual([config.cwd])
    expect(warnings).toEqual(['KODE_RUN_POLICI in the environment is unknown (did you mean KODE_RUN_POLICY?)'])
  })

  it('accepts --settings as JSON too, and passes on warnings about flags without effect', async () => {
    const settings = '--settings={"permissions":{"deny":["Bash"]}}'
    const { policy, warnings } = await request([settings, '--skip-git-repo-check'])
    expect(policy.rules.map(({ text }) => text)).toContain('Bash')
    expect(policy.files).toEqual(['--settings'])
    expect(policy.untouchable.filter((path) => !path.startsWith('/'))).toEqual([])
    expect(warnings).toEqual(['--skip-git-repo-check has no effect: No repository is needed.'])
    await expect(request(['--settings={"permissions":{"deny":"Bash"}}'])).rejects.toThrow('--settings:1')
  })

  it('says in one line that the project has a policy that was not given', async () => {
    const withPolicy = { 'project/.kode/policy.yml': 'version: 1\n' }
    expect((await request([], {}, withPolicy)).warnings).toEqual([
      '.kode/policy.yml is there, but no policy is named, so a run only reads. --policy .kode/policy.yml uses it.',
    ])
    expect((await request(['--policy=policy.yml'], {}, withPolicy)).warnings).toEqual([])
    expect((await request([])).warnings).toEqual([])
  })

  it('hands on what an event brings, after the words of the operator', async () => {
    const origin = { event: 'issue_comment', config_commit: 'abc' } as never
    const { signal: now } = new AbortController()
    const brought = { origin, now, trust: 'untrusted', dropsPrivileges: true } as const
    const read = await request([], {}, {}, { ...brought, context: 'An issue.', warnings: ['of the event'] })
    expect(read).toMatchObject({ ...brought, prompt: 'do it\n\nAn issue.', warnings: ['of the event'] })
    expect(await request([])).toMatchObject({ prompt: 'do it', dropsPrivileges: false })
  })

  it('refuses a working directory that does not exist', async () => {
    await expect(request(['--add-dir', 'gone'])).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringMatching(/^--add-dir: there is no folder .*\/gone\.$/),
    })
  })
})

const OLD = '11111111-aaaa-4aaa-8aaa-111111111111'
const NEW = '22222222-aaaa-4aaa-8aaa-222222222222'
const OTHER = '33333333-aaaa-4aaa-8aaa-333333333333'

/** Three runs in a state folder, the newest of another project. */
function setUp(policy = '/policies/fix.yml') {
  const base = makeFiles({ 'state/': '', 'project/': '' })
  const [stateFolder, cwd] = [join(base, 'state'), join(base, 'project')]
  const write = (path: string, project: string, seconds: number) => {
    const [init] = stamp(sampleRun())
    writeFileSync(path, `${JSON.stringify({ ...init, cwd: project, policy: { files: [policy], sha256: '' } })}\n`)
    utimesSync(path, seconds, seconds)
  }
  write(join(stateFolder, `${OLD}.jsonl`), cwd, 1000)
  write(join(stateFolder, `${NEW}.jsonl`), cwd, 2000)
  write(join(stateFolder, `${OTHER}.jsonl`), '/elsewhere', 3000)
  write(join(cwd, 'in-checkout.jsonl'), cwd, 1000)
  writeFileSync(join(stateFolder, `${NEW}-outputs.jsonl`), '')
  return { stateFolder, cwd, folder: cwd }
}

describe('--resume', () => {
  it.each([
    ['last', NEW],
    ['latest', NEW],
    [OLD, OLD],
    ['1111111', OLD],
  ])('%s is a run of the state folder, with its policy', async (name, run) => {
    const place = setUp()
    expect(await withResumed({ resume: name }, place)).toEqual({
      resume: join(place.stateFolder, `${run}.jsonl`),
      policy: '/policies/fix.yml',
    })
  })

  it('accepts a path, but no policy from a transcript in the checkout', async () => {
    const place = setUp()
    const resume = join(place.cwd, 'in-checkout.jsonl')
    expect(await withResumed({ resume: 'in-checkout.jsonl' }, place)).toEqual({ resume })
    expect(await withResumed({ resume }, place)).toEqual({ resume })
    expect(await withResumed({ resume: '/nowhere.jsonl' }, place)).toEqual({ resume: '/nowhere.jsonl' })
  })

  it('does not replace a given policy', async () => {
    const place = setUp()
    expect(await withResumed({ resume: 'last', policy: 'mine.yml' }, place)).toMatchObject({ policy: 'mine.yml' })
    expect(await withResumed({ resume: 'last', settings: '{}' }, place)).not.toHaveProperty('policy')
  })

  it('says what is missing', async () => {
    const place = setUp('--settings')
    const why = (resume: string, cwd = place.cwd) => expect(withResumed({ resume }, { ...place, cwd })).rejects
    await why('last').toThrow('had its rules in --settings. Give --settings again.')
    await why('abcdef12').toThrow('there is no run with this id in')
    await why('last', '/nowhere').toThrow('has no run of /nowhere')
  })
})
