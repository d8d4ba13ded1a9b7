import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createCommandAccess } from '../../src/sandbox/createCommandAccess.ts'
import { isPlaceholder } from '../../src/sandbox/createPlaceholders.ts'
import { openSandbox } from '../../src/sandbox/openSandbox.ts'
import { surveyWorkspaces } from '../../src/sandbox/surveyWorkspaces.ts'
import { sweepPlaceholders } from '../../src/sandbox/sweepPlaceholders.ts'

const PATH = '/usr/local/bin:/usr/bin:/bin'
const never = new AbortController().signal

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ground-test-')))
let opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened) await close()
  opened = []
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function makeProject(isGit = true): string {
  const project = mkdtempSync(join(root, 'project-'))
  if (isGit) execFileSync('git', ['init', '-q', project])
  return project
}

/** One run in a project. */
async function open(project: string) {
  const sandbox = await openSandbox({
    settings: { mode: 'auto', network: 'open', allow: [], writable: [] },
    workspaces: [project],
    survey: surveyWorkspaces([project]),
    home: undefined,
    path: PATH,
    readOnly: [],
    hidden: [],
    isOpened: () => false,
    isShown: () => false,
    onRefusal: () => undefined,
  })
  const access = createCommandAccess({
    environment: { PATH },
    runId: 'ground-test',
    wrap: sandbox.wrap,
    putBlob: () => '/blob',
    defaultTimeoutMs: 20_000,
    maxTimeoutMs: 20_000,
    deadline: performance.now() + 60_000,
  })
  const close = async () => {
    await access.closeAll()
    await sandbox.close()
  }
  opened.push(close)
  const request = (script: string) => ({ file: 'bash', args: ['-c', script], cwd: project, signal: never })
  return {
    state: sandbox.state,
    close,
    bash: async (script: string) => (await access.run({ ...request(script), timeoutMs: 20_000 })).stdout.text,
    start: (script: string) => access.start({ ...request(script), command: script }),
  }
}

/** All names below a folder. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort()
}

function commandLines(): string[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      return /^\d+$/.test(entry) ? [readFileSync(`/proc/${entry}/cmdline`, 'utf8')] : []
    } catch {
      return []
    }
  })
}

const gitStatus = (project: string) => execFileSync('git', ['-C', project, 'status', '--porcelain']).toString()

const probe = await open(makeProject())
await probe.close()
const missing = probe.state === 'enforced' ? '' : ' (skipped: there is no sandbox here)'

describe.skipIf(probe.state !== 'enforced')(`the checkout of a run with a sandbox${missing}`, () => {
  it.each([
    ['a repository', true],
    ['a plain folder', false],
  ] as const)('is as it was before, between and after commands: %s', async (_what, isGit) => {
    const project = makeProject(isGit)
    mkdirSync(join(project, '.vscode'))
    const before = namesIn(project)
    const run = await open(project)
    expect(namesIn(project)).toEqual(before)
    expect(await run.bash('ls -A; git status --porcelain')).toContain('.mcp.json')
    expect(namesIn(project)).toEqual(before)
    await run.bash('mkdir -p .github; echo a > .github/CODEOWNERS; rm .github/CODEOWNERS; rm -rf .vscode .husky')
    expect(namesIn(project).filter((name) => name !== '.github')).toEqual(before)
    await run.close()
    expect(namesIn(project).filter((name) => name !== '.github')).toEqual(before)
  })

  it('is clean for git while a command runs, and closed to it', async () => {
    const project = makeProject()
    const run = await open(project)
    const server = run.start('echo evil > .mcp.json; touch ready; sleep 60')
    await expect.poll(() => existsSync(join(project, 'ready'))).toBe(true)
    expect(isPlaceholder(join(project, '.mcp.json'))).toBe(true)
    expect(gitStatus(project)).toBe('?? ready\n')
    await run.bash('rmdir .mcp.json; echo evil > .mcp.json')
    expect(isPlaceholder(join(project, '.mcp.json'))).toBe(true)
    await server.kill()
    expect(existsSync(join(project, '.mcp.json'))).toBe(false)
  })

  it('stays closed to what outlives its command', async () => {
    const project = makeProject()
    const run = await open(project)
    const attack = 'while :; do echo evil > .mcp.json; mkdir -p .husky/evil; touch tried; done'
    for (let round = 0; round < 20; round++) {
      rmSync(join(project, 'tried'), { force: true })
      await run.bash(
        `for i in 1 2 3 4; do setsid --fork bash -c '${attack}' >/dev/null 2>&1; done; until test -e tried; do :; done`,
      )
      expect(readdirSync(project).filter((name) => name !== 'tried')).toEqual(['.git'])
    }
  })

  it('is told the end of a command when nothing of it lives any more', async () => {
    const project = makeProject()
    const run = await open(project)
    const orphan = `setsid --fork bash -c 'while :; do touch tried; done # ${project}' >/dev/null 2>&1`
    for (let round = 0; round < 20; round++) {
      rmSync(join(project, 'tried'), { force: true })
      await run.bash(`for i in 1 2 3 4; do ${orphan}; done; until test -e tried; do :; done`)
      expect(commandLines().filter((line) => line.includes(`# ${project}`))).toEqual([])
    }
  })

  it('may hold a loop of links, and a folder that a command locks', async () => {
    const project = makeProject()
    symlinkSync('.husky', join(project, '.husky'))
    symlinkSync('.github', join(project, '.github'))
    mkdirSync(join(project, '.claude'))
    const run = await open(project)
    expect(await run.bash('chmod 000 .vscode .claude; echo one')).toBe('one\n')
    expect(
      await run.bash('echo two; for p in .mcp.json .git/hooks .git/config .vscode; do touch $p/x; echo x >> $p; done'),
    ).toBe('two\n')
    expect(existsSync(join(project, '.git/hooks/x'))).toBe(false)
    expect(readFileSync(join(project, '.git/config'), 'utf8')).not.toContain('x\n')
    await run.close()
    expect(readdirSync(project).filter((name) => name !== '.claude')).toEqual(['.git', '.github', '.husky'])
    sweepPlaceholders([project])
  })

  it('keeps what another run stands on', async () => {
    const project = makeProject()
    const [one, other] = [await open(project), await open(project)]
    const server = other.start(
      'touch ready; until test -e go; do sleep 0.02; done; echo evil > .mcp.json; touch tried; sleep 60',
    )
    await expect.poll(() => existsSync(join(project, 'ready'))).toBe(true)
    await one.bash('true')
    await one.close()
    writeFileSync(join(project, 'go'), '')
    await expect.poll(() => existsSync(join(project, 'tried'))).toBe(true)
    expect(isPlaceholder(join(project, '.mcp.json'))).toBe(true)
    await server.kill()
    expect(existsSync(join(project, '.mcp.json'))).toBe(false)
  })

  it('holds against many runs at once', async () => {
    const project = makeProject()
    const runs = await Promise.all(Array.from({ length: 6 }, () => open(project)))
    const ends = await Promise.all(
      runs.map(async ({ bash }, index) => {
        const told: string[] = []
        for (let round = 0; round < 8; round++) told.push(await bash(`echo x > .mcp.json; echo ${index}`))
        return told.join('')
      }),
    )
    expect(ends).toEqual(runs.map((_run, index) => `${index}\n`.repeat(8)))
    expect(namesIn(project)).not.toContain('.mcp.json')
  })

  it('is swept after a run that was killed, and its folders with it', async () => {
    const project = makeProject(false)
    const temporary = mkdtempSync(join(root, 'tmp-'))
    const source = (name: string) => JSON.stringify(join(process.cwd(), 'src/sandbox', name))
    const script = `
      import { openSandbox } from ${source('openSandbox.ts')}
      import { createCommandAccess } from ${source('createCommandAccess.ts')}
      const [project, PATH] = process.argv.slice(1)
      const settings = { mode: 'required', network: 'open', allow: [], writable: [] }
      const survey = { repositories: [], secrets: [], leftovers: [] }
      const lists = { survey, readOnly: [], hidden: [], isOpened: () => false, isShown: () => false, onRefusal() {} }
      const sandbox = await openSandbox({ settings, workspaces: [project], home: undefined, path: PATH, ...lists })
      const limits = { defaultTimeoutMs: 60_000, maxTimeoutMs: 60_000, deadline: performance.now() + 60_000 }
      const access = createCommandAccess({ environment: { PATH }, runId: 'x', wrap: sandbox.wrap, putBlob: () => '', ...limits })
      const command = 'mkdir -p -m 500 /tmp/locked/inner; touch ready; sleep 60'
      access.start({ file: 'bash', args: ['-c', command], cwd: project, command })`
    const environment = { ...process.env, TMPDIR: temporary }
    const node = (code: string, ...args: string[]) =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code, ...args], {
        stdio: 'ignore',
        env: environment,
      })
    const owner = node(script, project, PATH)
    await expect.poll(() => existsSync(join(project, 'ready')), { timeout: 20_000 }).toBe(true)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(isPlaceholder(join(project, '.mcp.json'))).toBe(true)
    sweepPlaceholders([project])
    expect(namesIn(project)).toEqual(['ready'])
    expect(readdirSync(temporary).join()).toContain('kode-run-sandbox-')
    const next = node(`${script.split('const command')[0]}; await sandbox.close()`, project, PATH)
    await once(next, 'exit')
    expect(readdirSync(temporary).filter((name) => name.startsWith('kode-run-sandbox-'))).toEqual([])
    expect(namesIn(project)).toEqual(['ready'])
    expect(readdirSync(join(temporary, `kode-run-claims-${process.getuid?.()}`))).toEqual([])
  })
})
