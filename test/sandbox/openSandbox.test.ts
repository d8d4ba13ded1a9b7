import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { surveyWorkspaces } from '../../src/sandbox/mounts/surveyWorkspaces.ts'
import { type SandboxFault, sandboxAdvice } from '../../src/sandbox/sandboxAdvice.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { commitAll } from '../helpers/git.ts'
import { sampled } from '../helpers/sampled.ts'
import { table } from '../helpers/table.ts'
import { addProgram, STARTS } from './fakePrograms.ts'
import { isReady, makeWorkspace, missing, open, opened, root, useSandboxes } from './openedSandbox.ts'

useSandboxes()

/** A workspace, and a search path with these programs alone. */
function withPrograms(name: string, programs: Readonly<Record<string, string>>) {
  const place = makeWorkspace(name)
  const path = join(place.home, 'programs')
  mkdirSync(path)
  for (const [program, script] of Object.entries(programs)) addProgram(path, program, script)
  return { place, path }
}

describe('openSandbox without a sandbox', () => {
  it('says why there is none, and sets proxy variables for children', async () => {
    const { sandbox, bash } = await open(makeWorkspace('none'), { path: '/no/such/folder', network: 'none' })
    expect(sandbox).toMatchObject({ state: 'off', network: { mode: 'none', state: 'advisory' } })
    expect(sandbox.detail).toContain('bubblewrap')
    expect(sandbox.wrap).toBeUndefined()
    expect((await bash('echo $https_proxy')).stdout).toBe('http://127.0.0.1:9\n')
  })

  it('can be off, and an open network is open', async () => {
    const { sandbox } = await open(makeWorkspace('off'), { mode: 'off' })
    expect(sandbox).toMatchObject({ state: 'off', detail: 'sandbox.mode is off' })
    expect(sandbox.network).toEqual({ mode: 'open', state: 'off', detail: 'open' })
  })

  it('needs Linux', async () => {
    vi.stubGlobal('process', { ...process, platform: 'darwin' })
    const { sandbox } = await open(makeWorkspace('elsewhere')).finally(() => vi.unstubAllGlobals())
    expect(sandbox).toMatchObject({ state: 'off', detail: 'the sandbox needs Linux' })
    expect(sandbox.landlock).toBeUndefined()
  })

  it.each([
    ['open', 'auto', 'off', 'open'],
    ['none', 'auto', 'advisory', 'TCP is held by Landlock, UDP only by proxy variables'],
    ['none', 'required', 'advisory', 'TCP is held by Landlock, UDP only by proxy variables'],
  ] as const)('has Landlock in its place where there is one: network %s, %s', async (mode, need, state, detail) => {
    // It says that the kernel has Landlock, and is never asked for more.
    const { place, path } = withPrograms(`landlock-${mode}-${need}`, { perl: 'echo 6' })
    const { sandbox } = await open(place, { path, mode: need, wall: 'landlock', network: mode })
    const { landlock, network, freshHome } = sandbox
    expect(sandbox).toMatchObject({ state: 'advisory', wrap: undefined, environment: {} })
    expect(sandbox.detail).toMatch(/^landlock 6; not held: UDP, .*; no sandbox: bwrap is missing; to fix it: /)
    expect(network).toEqual({ mode, state, detail })
    expect(landlock?.wrap({ file: 'true', args: [] }).file).toBe(join(path, 'perl'))
    const home = freshHome?.()
    expect(existsSync(home?.environment['HOME'] ?? '')).toBe(true)
    await sandbox.close()
    expect(existsSync(landlock?.environment.HOME ?? '')).toBe(false)
  })

  const faults = table`
    is missing    | #                                              | bwrap is missing | bwrap is missing
    refuses       | echo "bwrap: setting up uid map: Denied" >&2; exit 1 | bwrap: setting up uid map: Denied | it does not start
    finds no room | echo "fork: Resource temporarily unavailable" >&2; exit 1 | fork: Resource | too many processes
  `
  it.each(faults)('names the reason and what mends it where bwrap %s', async (what, bwrap = '', words = '', fault) => {
    const { place, path } = withPrograms(`bwrap ${what}`, { bwrap })
    const advice = sandboxAdvice(fault as SandboxFault)
    const { sandbox } = await open(place, { path })
    expect(sandbox).toMatchObject({ state: 'off', wrap: undefined, freshHome: undefined })
    expect(sandbox.views).toEqual({ state: 'watched', detail: 'there is no sandbox' })
    expect(sandbox.detail.startsWith(words)).toBe(true)
    expect(sandbox.detail).toContain(advice.length === 0 ? words : `; to fix it: ${advice[0]}; no Landlock: `)
    expect(readdirSync(place.workspace)).toEqual([])
    await expect(open(place, { path, mode: 'required' })).rejects.toMatchObject({
      reason: 'sandbox_unavailable',
      message: expect.stringMatching(`^sandbox.mode is required, and it does not start: ${words}`),
    })
  })

  it('is a box without views where only bwrap is there, and then not enough if it is required', async () => {
    const { place, path } = withPrograms('bwrap alone', { bwrap: STARTS })
    const tool = join(place.home, 'own-tool')
    mkdirSync(tool)
    const { sandbox } = await open(place, { path, network: 'none', programs: [tool] })
    expect(sandbox).toMatchObject({ state: 'enforced', detail: 'bubblewrap', environment: { TMPDIR: '/tmp' } })
    expect(sandbox.network.detail).toBe(
      'no network, and none between commands (nsenter is missing: install the package util-linux)',
    )
    const missing = 'unshare is missing: install the packages util-linux and tar'
    expect(sandbox.views).toEqual({ state: 'watched', detail: missing })
    const { args = [] } = sandbox.wrap?.({ file: 'true', args: [] }, '/') ?? {}
    expect(args.join(' ')).toContain(`--ro-bind ${tool} ${tool}`)
    expect(args).toContain('--unshare-net')
    await expect(open(place, { path, mode: 'required' })).rejects.toThrow(
      `sandbox.mode is required, and changes could not be undone: ${missing}`,
    )
  })

  it.each([
    [STARTS, 'no way out', 'nsenter'],
    ['echo refused >&2; exit 1', 'no network, and none between commands (refused)', 'bwrap'],
  ])('has a network for the run where that can be entered, also without views: %s', async (nsenter, detail, first) => {
    const bwrap = `{ echo '{"child-pid": '$$'}' >&3; } 2>/dev/null; exec 3>&-\n${STARTS}`
    const { place, path } = withPrograms(`entered-${first}`, { bwrap, nsenter })
    const { sandbox } = await open(place, { path, network: 'none' })
    expect(sandbox).toMatchObject({ state: 'enforced', views: { state: 'watched' } })
    expect(sandbox.network).toEqual({ mode: 'none', state: 'enforced', detail })
    expect(sandbox.wrap?.({ file: 'true', args: [] }, '/').file).toBe(join(path, first))
  })

  it('is not tried again and again where nothing starts', async () => {
    const others = ['unshare', 'mount', 'sh', 'tar', 'nsenter'].map((name) => [name, 'exit 1'])
    const bwrap = 'echo tried >> "${0%/*}/log"; exit 1'
    const { place, path } = withPrograms('tried-once', { bwrap, ...Object.fromEntries(others) })
    expect((await open(place, { path, network: 'none' })).sandbox.state).toBe('off')
    const tries = readFileSync(join(path, 'log'), 'utf8').trim().split('\n')
    expect(tries.length).toBeLessThanOrEqual(3)
  })

  it('says so where it cannot create its folders', async () => {
    const { place, path } = withPrograms('no room', { bwrap: STARTS })
    vi.stubEnv('TMPDIR', join(place.home, 'none'))
    await expect(open(place, { path }).finally(() => vi.unstubAllEnvs())).rejects.toMatchObject({
      reason: 'io_error',
      message: expect.stringMatching(/^The sandbox cannot create its folders: ENOENT/),
    })
  })

  it('refuses an invalid host', async () => {
    const change = { network: 'allowlist', allow: ['https://example.com/'] } as const
    await expect(open(makeWorkspace('bad-host'), change)).rejects.toMatchObject({ reason: 'config' })
  })
})

describe.skipIf(!isReady)(`openSandbox: files${missing}`, () => {
  it('lets children write only the workspace and temporary folders of the run', async () => {
    const place = makeWorkspace('write')
    const { bash } = await open(place)
    const temporary = `/tmp/kode-run-test-${process.pid}`
    const script = `echo a > a; echo t > ${temporary}; echo h > ~/h; mkdir -p ~/.npm ~/.cache; cat a ${temporary} ~/h`
    expect(await bash(script)).toEqual({ exitCode: 0, stdout: 'a\nt\nh\n', stderr: '' })
    expect(readFileSync(join(place.workspace, 'a'), 'utf8')).toBe('a\n')
    expect(existsSync(temporary) || existsSync(join(place.home, 'h'))).toBe(false)
    expect((await bash(`cat ${temporary} ~/h`)).stdout).toBe('t\nh\n')
    const places = '/etc/x /usr/x /sys/kernel/x /proc/sys/kernel/core_pattern'
    expect((await bash(`for p in ${places}; do echo x > $p && echo wrote $p; done; :`)).stdout).toBe('')
    await bash(`echo x > ${root}/x`)
    expect(existsSync(join(root, 'x'))).toBe(false)
  })

  const places = table`
    a workflow           | .github/workflows/evil.yml
    an MCP configuration | .mcp.json
    an npm configuration | .npmrc
    a git hook           | .git/hooks/pre-commit
    git’s configuration  | .git/config
    agent settings       | .claude/settings.json
    submodules           | .gitmodules
  `
  it.each(sampled(places, 1))('hides %s from children if it exists', async (_what, path = '') => {
    const place = makeWorkspace('protect-there')
    execFileSync('git', ['init', '-q', place.workspace])
    writeFiles(place.workspace, { [path]: 'as before' })
    const { bash } = await open(place)
    const folder = path.split('/')[0]
    await bash(
      `echo evil > ${path}; echo evil >> ${path}/x; rm -rf ${path} ; mv ${folder} away; mkdir -p $(dirname ${path}); echo evil > ${path}; ln -sf /tmp/x ${path}`,
    )
    await opened.at(-1)?.sandbox.close()
    expect(readFileSync(join(place.workspace, path), 'utf8')).toBe('as before')
    rmSync(place.workspace, { recursive: true })
  })

  it.each(sampled(['clone', 'worktree'], 1))('protects a repository inside the workspace too: %s', async (kind) => {
    const place = makeWorkspace(`nested-${kind}`)
    const inner = join(place.workspace, 'packages/inner')
    const git = commitAll(place.workspace)
    git(...(kind === 'clone' ? ['init', '-q', inner] : ['worktree', 'add', '-q', inner]))
    const { bash, sandbox } = await open(place)
    const attack =
      'd=$(git rev-parse --git-dir); for f in config hooks/pre-commit; do echo evil > $d/$f; mv $d/$f x; done; mv .git away; echo evil > .git; :'
    await bash(`cd packages/inner && ${attack}; cd .. && mv inner away; mkdir inner`)
    expect((await bash('cd packages/inner && git commit -q --allow-empty -m one && echo done')).stdout).toBe('done\n')
    await sandbox.close()
    const found = spawnSync('grep', ['-rl', '--exclude=x', 'evil', inner, join(place.workspace, '.git')])
    expect(String(found.stdout)).toBe('')
  })

  it('hides secret files, whether git tracks them or not', async () => {
    const place = makeWorkspace('secret-files')
    execFileSync('git', ['init', '-q', place.workspace])
    const files = {
      ...{ '.env': 'CANARY', 'app/.env.local': 'CANARY', 'a/b/c/d/e/f/.env.staging': 'CANARY', '.envrc': 'CANARY' },
      ...{ 'gha-creds-0f3b.json': 'CANARY', 'tls/server.pem': 'CANARY', '.aws/config': 'CANARY' },
      ...{ 'denied/any/thing.txt': 'CANARY', 'app/.env': 'shown', '.env.example': 'shown', 'tracked/.env': 'CANARY' },
    }
    writeFiles(place.workspace, files)
    execFileSync('git', ['-C', place.workspace, 'add', '-f', 'tracked'])
    const survey = surveyWorkspaces([place.workspace], (path, kind) =>
      kind === 'folder' ? /denied$|\.aws$/.test(path) : /env|creds|pem/.test(path) && !/app\/\.env$|example/.test(path),
    )
    const { bash } = await open(place, { survey })
    const { stdout } = await bash(
      'mv .env x; rm -f .env; mv app away; mv tracked away2; cat $(find . -type f -not -path "./.git/*" | LC_ALL=C sort) 2>/dev/null; ls -A denied .aws/ | grep -v :',
    )
    expect(stdout.replaceAll('\0', '').trim()).toBe('shownshown# This')
    expect(await bash('cat .env')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Permission denied') })
    const fresh = await bash('mkdir new && echo mine > new/.env && cat new/.env')
    expect(fresh.stdout).toBe('mine\n')
    expect(readFileSync(join(place.workspace, '.env'), 'utf8')).toBe('CANARY')
  })

  it('hides the records of a run inside the workspace, and protects their path', async () => {
    const place = makeWorkspace('records')
    const folder = join(place.workspace, 'out')
    writeFiles(folder, { 'run.jsonl': 'CANARY' })
    const hidden = [join(folder, 'run.jsonl'), `${join(folder, 'blobs')}/`]
    const { bash, sandbox } = await open(place, { hidden })
    writeFiles(folder, { 'blobs/later': 'CANARY' })
    const { stdout } = await bash(
      'cat out/run.jsonl out/blobs/*; mv out away; mkdir out; rm out/run.jsonl; echo forged > out/run.jsonl; echo x > out/blobs/x; ls',
    )
    expect(stdout).not.toContain('CANARY')
    expect(readFileSync(join(folder, 'run.jsonl'), 'utf8')).toBe('CANARY')
    await sandbox.close()
    expect(readdirSync(join(folder, 'blobs'))).toEqual(['later'])
  })

  it('is tested with attacks that succeed without a sandbox', async () => {
    const place = makeWorkspace('protect-none')
    const { bash } = await open(place, { mode: 'off' })
    await bash(
      'mkdir -p .github/workflows; echo evil > .github/workflows/evil.yml; mv .github away; cat ~/.ssh/id_ed25519',
    )
    expect(existsSync(join(place.workspace, 'away/workflows/evil.yml'))).toBe(true)
  })

  it('is not tested again where an earlier run has found views', async () => {
    const place = makeWorkspace('remembered')
    const stateFolder = join(place.home, 'state')
    const told: [string, boolean][] = []
    for (const state of [{}, { stateFolder }, { stateFolder }]) {
      const { views } = (await open(place, { ...state, network: 'none' })).sandbox
      told.push([views.state, views.detail.includes('tested in an earlier run')])
    }
    expect(told).toEqual([false, false, true].map((isKnown) => [told[0]?.[0], isKnown && told[0]?.[0] === 'enforced']))
  })
})
