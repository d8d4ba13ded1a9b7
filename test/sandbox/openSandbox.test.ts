import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ClosableCommandAccess, createCommandAccess } from '../../src/sandbox/createCommandAccess.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/openSandbox.ts'
import { surveyWorkspaces } from '../../src/sandbox/surveyWorkspaces.ts'

const PATH = '/usr/local/bin:/usr/bin:/bin'
const never = new AbortController().signal

type Change = Partial<SandboxOptions> & {
  readonly network?: 'none' | 'allowlist' | 'open'
  readonly mode?: 'required' | 'auto' | 'off'
}

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-test-')))
let opened: { sandbox: Sandbox; access: ClosableCommandAccess }[] = []
afterEach(async () => {
  for (const { sandbox, access } of opened) {
    await access.closeAll()
    await sandbox.close()
  }
  opened = []
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function makeWorkspace(name: string): { workspace: string; home: string } {
  const home = join(root, `${name}-home`)
  const workspace = join(root, name)
  for (const folder of [workspace, join(home, '.ssh'), join(home, '.config/gh')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(home, '.ssh/id_ed25519'), 'CANARY-SSH')
  writeFileSync(join(home, '.config/gh/hosts.yml'), 'CANARY-GH')
  writeFileSync(join(home, '.config/plain'), 'plain')
  writeFileSync(join(home, '.npmrc'), 'CANARY-NPM')
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = A\n\temail = a@example.com\n')
  return { workspace, home }
}

async function open(place: { workspace: string; home: string }, change: Change = {}) {
  const { mode = 'auto', network = 'open', ...rest } = change
  const sandbox = await openSandbox({
    settings: { mode, network, allow: [], writable: [] },
    workspaces: [place.workspace],
    survey: surveyWorkspaces([place.workspace]),
    home: place.home,
    path: PATH,
    readOnly: [],
    hidden: [],
    isOpened: () => false,
    onRefusal: () => undefined,
    ...rest,
  })
  const access = createCommandAccess({
    environment: { PATH, HOME: place.home, ...sandbox.environment },
    runId: 'sandbox-test',
    wrap: sandbox.wrap,
    putBlob: () => '/blob',
    defaultTimeoutMs: 20_000,
    maxTimeoutMs: 20_000,
    deadline: performance.now() + 120_000,
  })
  opened.push({ sandbox, access })
  const bash = async (script: string) => {
    const request = { file: 'bash', args: ['-c', script], cwd: place.workspace, timeoutMs: 20_000, signal: never }
    const { exitCode, stdout, stderr } = await access.run(request)
    return { exitCode, stdout: stdout.text, stderr: stderr.text }
  }
  return { sandbox, access, bash }
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

const probe = await openSandbox({
  settings: { mode: 'auto', network: 'none', allow: [], writable: [] },
  ...{
    workspaces: [root],
    survey: surveyWorkspaces([root]),
    home: undefined,
    path: PATH,
    readOnly: [],
    hidden: [],
    isOpened: () => false,
    onRefusal: () => undefined,
  },
})
await probe.close()
const missing = probe.state === 'enforced' ? '' : ` (skipped: ${probe.detail})`
const isReady = probe.state === 'enforced'

describe('openSandbox without a sandbox', () => {
  it('says why there is none, and asks children by proxy variables', async () => {
    const { sandbox, bash } = await open(makeWorkspace('none'), { path: '/no/such/folder', network: 'none' })
    expect(sandbox).toMatchObject({ state: 'off', network: { mode: 'none', state: 'advisory' } })
    expect(sandbox.detail).toContain('bubblewrap')
    expect(sandbox.wrap).toBeUndefined()
    expect((await bash('echo $https_proxy')).stdout).toBe('http://127.0.0.1:9\n')
  })

  it('is off when told, and open means open', async () => {
    const { sandbox } = await open(makeWorkspace('off'), { mode: 'off' })
    expect(sandbox).toMatchObject({ state: 'off', network: { mode: 'open', state: 'off' } })
  })

  it('ends the run where it is required', async () => {
    const place = makeWorkspace('required')
    await expect(open(place, { mode: 'required', path: '/no/such/folder' })).rejects.toMatchObject({
      reason: 'sandbox_unavailable',
    })
  })

  it('names the reason when bwrap itself refuses', async () => {
    const place = makeWorkspace('refused')
    const programs = join(root, 'programs')
    mkdirSync(programs)
    const refusal = '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n'
    writeFileSync(join(programs, 'bwrap'), refusal, { mode: 0o755 })
    const { sandbox } = await open(place, { path: programs })
    expect(sandbox.state).toBe('off')
    expect(sandbox.detail).toContain('setting up uid map: Permission denied')
    expect(readdirSync(place.workspace)).toEqual([])
  })

  it('refuses a host that is none', async () => {
    const settings = { mode: 'auto', network: 'allowlist', allow: ['https://example.com/'], writable: [] } as const
    await expect(open(makeWorkspace('bad-host'), { settings })).rejects.toMatchObject({ reason: 'config' })
  })
})

describe.skipIf(!isReady)(`openSandbox: files${missing}`, () => {
  it('lets children write the workspace and temporary folders of the run, and nothing else', async () => {
    const place = makeWorkspace('write')
    const { bash } = await open(place)
    const script = 'echo a > a; echo t > /tmp/t; echo h > ~/h; mkdir -p ~/.npm ~/.cache; cat a /tmp/t ~/h'
    expect(await bash(script)).toEqual({ exitCode: 0, stdout: 'a\nt\nh\n', stderr: '' })
    expect(readFileSync(join(place.workspace, 'a'), 'utf8')).toBe('a\n')
    expect(existsSync('/tmp/t') || existsSync(join(place.home, 'h'))).toBe(false)
    expect((await bash('cat /tmp/t ~/h')).stdout).toBe('t\nh\n')
    const places = '/etc/x /usr/x /sys/kernel/x /proc/sys/kernel/core_pattern'
    expect((await bash(`for p in ${places}; do echo x > $p && echo wrote $p; done; :`)).stdout).toBe('')
    await bash(`echo x > ${root}/x`)
    expect(existsSync(join(root, 'x'))).toBe(false)
  })

  it.each([
    ['a workflow', '.github/workflows/evil.yml'],
    ['an MCP configuration', '.mcp.json'],
    ['an npm configuration', '.npmrc'],
    ['a git hook', '.git/hooks/pre-commit'],
    ['git’s configuration', '.git/config'],
    ['agent settings', '.claude/settings.json'],
    ['submodules', '.gitmodules'],
  ])('keeps children from %s where it is there', async (_what, path) => {
    const place = makeWorkspace('protect-there')
    execFileSync('git', ['init', '-q', place.workspace])
    mkdirSync(join(place.workspace, path, '..'), { recursive: true })
    writeFileSync(join(place.workspace, path), 'as before')
    const { bash } = await open(place)
    const folder = path.split('/')[0]
    await bash(
      `echo evil > ${path}; echo evil >> ${path}/x; rm -rf ${path} ; mv ${folder} away; mkdir -p $(dirname ${path}); echo evil > ${path}; ln -sf /tmp/x ${path}`,
    )
    await opened.at(-1)?.sandbox.close()
    expect(readFileSync(join(place.workspace, path), 'utf8')).toBe('as before')
    rmSync(place.workspace, { recursive: true })
  })

  it.each(['clone', 'worktree'])('protects a repository inside the workspace too: %s', async (kind) => {
    const place = makeWorkspace(`nested-${kind}`)
    const inner = join(place.workspace, 'packages/inner')
    execFileSync('git', ['init', '-q', place.workspace])
    const by = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
    execFileSync('git', ['-C', place.workspace, ...by, 'commit', '-q', '--allow-empty', '-m', 'zero'])
    if (kind === 'clone') execFileSync('git', ['init', '-q', inner])
    else execFileSync('git', ['-C', place.workspace, 'worktree', 'add', '-q', inner])
    const { bash, sandbox } = await open(place)
    const attack =
      'd=$(git rev-parse --git-dir); for f in config hooks/pre-commit; do echo evil > $d/$f; mv $d/$f x; done; mv .git away; echo evil > .git; :'
    await bash(`cd packages/inner && ${attack}; cd .. && mv inner away; mkdir inner`)
    expect((await bash('cd packages/inner && git commit -q --allow-empty -m one && echo done')).stdout).toBe('done\n')
    await sandbox.close()
    const found = spawnSync('grep', ['-rl', '--exclude=x', 'evil', inner, join(place.workspace, '.git')], {
      encoding: 'utf8',
    })
    expect(found.stdout).toBe('')
  })

  it('hides files of secrets, whether git tracks them or not', async () => {
    const place = makeWorkspace('secret-files')
    execFileSync('git', ['init', '-q', place.workspace])
    const files = {
      '.env': 'CANARY',
      'app/.env.local': 'CANARY',
      'a/b/c/d/e/f/.env.staging': 'CANARY',
      '.envrc': 'CANARY',
      'gha-creds-0f3b.json': 'CANARY',
      'tls/server.pem': 'CANARY',
      '.aws/config': 'CANARY',
      'denied/any/thing.txt': 'CANARY',
      'app/.env': 'shown',
      '.env.example': 'shown',
      'tracked/.env': 'CANARY',
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(place.workspace, path, '..'), { recursive: true })
      writeFileSync(join(place.workspace, path), text)
    }
    execFileSync('git', ['-C', place.workspace, 'add', '-f', 'tracked'])
    const survey = surveyWorkspaces([place.workspace], (path, kind) =>
      kind === 'folder' ? /denied$|\.aws$/.test(path) : /env|creds|pem/.test(path) && !/app\/\.env$|example/.test(path),
    )
    const { bash } = await open(place, { survey })
    const { stdout } = await bash(
      'mv .env x; rm -f .env; mv app away; mv tracked away2; cat $(find . -type f -not -path "./.git/*") 2>/dev/null; ls -A denied .aws/ | grep -v :',
    )
    expect(stdout.replaceAll('\0', '').trim()).toBe('shownshown')
    const fresh = await bash('mkdir new && echo mine > new/.env && cat new/.env')
    expect(fresh.stdout).toBe('mine\n')
    expect(readFileSync(join(place.workspace, '.env'), 'utf8')).toBe('CANARY')
  })

  it('hides the records of a run inside the workspace, and keeps their place', async () => {
    const place = makeWorkspace('records')
    const folder = join(place.workspace, 'out')
    mkdirSync(folder)
    writeFileSync(join(folder, 'run.jsonl'), 'CANARY')
    const hidden = [join(folder, 'run.jsonl'), `${join(folder, 'blobs')}/`]
    const { bash, sandbox } = await open(place, { hidden })
    mkdirSync(join(folder, 'blobs'))
    writeFileSync(join(folder, 'blobs/later'), 'CANARY')
    const { stdout } = await bash(
      'cat out/run.jsonl out/blobs/*; mv out away; mkdir out; rm out/run.jsonl; echo forged > out/run.jsonl; echo x > out/blobs/x; ls',
    )
    expect(stdout).not.toContain('CANARY')
    expect(readFileSync(join(folder, 'run.jsonl'), 'utf8')).toBe('CANARY')
    await sandbox.close()
    expect(readdirSync(join(folder, 'blobs'))).toEqual(['later'])
  })

  it('has attacks that succeed where there is no sandbox', async () => {
    const place = makeWorkspace('protect-none')
    const { bash } = await open(place, { mode: 'off' })
    await bash(
      'mkdir -p .github/workflows; echo evil > .github/workflows/evil.yml; mv .github away; cat ~/.ssh/id_ed25519',
    )
    expect(existsSync(join(place.workspace, 'away/workflows/evil.yml'))).toBe(true)
  })

  it('opens what the policy opens, and closes what it closes', async () => {
    const place = makeWorkspace('opened')
    const policy = join(place.workspace, 'policy.yml')
    const secret = join(place.workspace, 'transcripts')
    const extra = join(root, 'extra/made/for/it')
    mkdirSync(secret)
    writeFileSync(policy, 'version: 1')
    writeFileSync(join(secret, 'run.jsonl'), 'CANARY')
    const settings = { mode: 'auto', network: 'open', allow: [], writable: [extra] } as const
    const { bash } = await open(place, {
      isOpened: (path) => path.endsWith('/.npmrc'),
      readOnly: [policy],
      hidden: [secret],
      settings,
    })
    const { stdout } = await bash(
      `echo x > .npmrc && echo npmrc; echo x > ${policy} && echo policy; cat transcripts/*; echo x > ${extra}/x && echo extra`,
    )
    expect(stdout).toBe('npmrc\nextra\n')
  })

  it('shows git’s configuration without what logs in', async () => {
    const place = makeWorkspace('token')
    execFileSync('git', ['init', '-q', place.workspace])
    const set = (...args: string[]) => execFileSync('git', ['-C', place.workspace, 'config', ...args])
    set('http.https://github.com/.extraheader', 'AUTHORIZATION: basic CANARY')
    set('remote.origin.url', 'https://x-access-token:CANARY@github.com/a/b')
    const user = '[user]\n\tname = Somebody\n[url "https://me:CANARY@github.com/"]\n\tinsteadOf = gh:\n'
    writeFileSync(join(place.home, '.gitconfig'), user)
    const { bash } = await open(place)
    const { stdout } = await bash('git config --list; cat .git/config ~/.gitconfig; git remote -v')
    expect(stdout).toContain('https://github.com/a/b')
    expect(stdout).toContain('user.name=Somebody')
    expect(stdout).not.toContain('CANARY')
  })
})

describe.skipIf(!isReady)(`openSandbox: processes${missing}`, () => {
  it('shows children no process but their own, and no terminal', async () => {
    const { bash } = await open(makeWorkspace('processes'))
    const { stdout } = await bash(
      'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -c vitest -i; kill -9 $PPID; (: </dev/tty) 2>/dev/null || echo no tty',
    )
    expect(stdout).toBe('0\nno tty\n')
  })

  it('ends with its call whatever left the group, the session and the marker', async () => {
    const place = makeWorkspace('flee')
    const { bash } = await open(place)
    await bash(
      "env -i setsid --fork bash -c 'while :; do date +%N > beat; sleep 0.05; done' >/dev/null 2>&1; while ! test -s beat; do sleep 0.02; done",
    )
    const { stdout } = await bash('cat beat; for i in 1 2 3 4 5 6; do sleep 0.05; done; cat beat')
    const [first, second] = stdout.split('\n')
    expect(second).toBe(first)
  })

  it('keeps root from being root', async () => {
    const { bash } = await open(makeWorkspace('root'))
    const { stdout } = await bash(
      'mount -o remount,rw / 2>&1 && echo remounted; mknod /tmp/disk b 8 0 2>/dev/null && echo made; grep CapEff /proc/self/status',
    )
    expect(stdout).not.toMatch(/remounted|made/)
    const [capabilities = ''] = /[0-9a-f]{16}/.exec(stdout) ?? []
    expect(BigInt(`0x${capabilities}`) & ~0xfbn).toBe(0n)
  })
})

describe.skipIf(!isReady)(`openSandbox: the end of its owner${missing}`, () => {
  it('ends every child when the run is killed', async () => {
    const place = makeWorkspace('orphans')
    const child = "setsid --fork env -i bash -c 'while :; do date +%N > beat; sleep 0.05; done'; sleep 300"
    const source = (name: string) => JSON.stringify(join(process.cwd(), 'src/sandbox', name))
    const script = `
      import { openSandbox } from ${source('openSandbox.ts')}
      import { createCommandAccess } from ${source('createCommandAccess.ts')}
      const { workspace, home, path, child } = JSON.parse(process.argv[1])
      const settings = { mode: 'required', network: 'none', allow: [], writable: [] }
      const survey = { repositories: [], secrets: [], leftovers: [] }
      const lists = { survey, readOnly: [], hidden: [], isOpened: () => false, isShown: () => false, onRefusal() {} }
      const sandbox = await openSandbox({ settings, workspaces: [workspace], home, path, ...lists })
      const limits = { defaultTimeoutMs: 60_000, maxTimeoutMs: 60_000, deadline: performance.now() + 60_000 }
      const environment = { PATH: path }
      const access = createCommandAccess({ environment, runId: 'orphans', wrap: sandbox.wrap, putBlob: () => '', ...limits })
      access.start({ file: 'bash', args: ['-c', child], cwd: workspace, command: child })`
    const parameters = JSON.stringify({ ...place, path: PATH, child })
    const args = ['--import', 'tsx', '--input-type=module', '-e', script, parameters]
    const owner = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, TMPDIR: root } })
    const ended = once(owner, 'exit')
    const beat = join(place.workspace, 'beat')
    const read = () => (existsSync(beat) ? readFileSync(beat, 'utf8') : '')
    await expect.poll(read, { timeout: 20_000 }).not.toBe('')
    owner.kill('SIGKILL')
    await ended
    const holders = () => commandLines().filter((command) => command.includes(place.workspace))
    await expect.poll(holders, { timeout: 5_000 }).toEqual([])
  })
})

describe.skipIf(!isReady)(`openSandbox: network${missing}`, () => {
  let server: Server
  let port: number
  beforeAll(async () => {
    server = createServer((request, response) => response.end(`hello ${request.url}`))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())

  const serve = (file: string) =>
    `node -e 'require("http").createServer((q, r) => r.end("from the server")).listen(0, "127.0.0.1", function () { require("fs").writeFileSync("${file}", String(this.address().port)) })'`
  const get = (url: string) => `node -e 'const url = "${url}".replace("PORT", () => require("fs").readFileSync("port"))
    require("http").get(url, (r) => r.pipe(process.stdout)).on("error", (e) => console.log(e.code))'`
  const getByProxy = (url: string) => `node -e 'require("http").get(process.env.http_proxy, { path: "${url}" },
    (r) => r.pipe(process.stdout)).on("error", (e) => console.log(e.code))'`

  it.each(['none', 'open'] as const)('a server of one call answers in the next: %s', async (network) => {
    const place = makeWorkspace(`server-${network}`)
    const { access, bash, sandbox } = await open(place, { network })
    access.start({ file: 'bash', args: ['-c', serve('port')], cwd: place.workspace, command: 'serve' })
    const { stdout } = await bash(`until test -s port; do sleep 0.02; done; ${get('http://127.0.0.1:PORT')}`)
    expect(stdout).toBe('from the server')
    expect(sandbox.network.state).toBe(network === 'none' ? 'enforced' : 'off')
  })

  it('none: nothing of the machine’s network can be reached', async () => {
    const { bash } = await open(makeWorkspace('offline'), { network: 'none' })
    expect((await bash(get(`http://127.0.0.1:${port}`))).stdout).toBe('ECONNREFUSED\n')
    expect((await bash('tail -n +3 /proc/net/dev | cut -d: -f1')).stdout.trim()).toBe('lo')
  })

  it('allowlist: allowed hosts by the proxy, and no way around it', async () => {
    const refusals: string[] = []
    const settings = { mode: 'required', network: 'allowlist', allow: [`localhost:${port}`], writable: [] } as const
    const { bash, sandbox } = await open(makeWorkspace('allowlist'), {
      settings,
      onRefusal: (text) => refusals.push(text),
    })
    expect(sandbox.network.state).toBe('enforced')
    expect((await bash(getByProxy(`http://localhost:${port}/a`))).stdout).toBe('hello /a')
    expect((await bash(get(`http://127.0.0.1:${port}/`))).stdout).toBe('ECONNREFUSED\n')
    expect((await bash(getByProxy(`http://127.0.0.1:${port}/`))).stdout).toContain('sandbox.allow')
    expect(refusals).toEqual([expect.stringContaining(`127.0.0.1:${port}`)])
  })
})

describe.skipIf(!isReady)(`openSandbox: real work${missing}`, () => {
  it('git commit', async () => {
    const place = makeWorkspace('commit')
    execFileSync('git', ['init', '-q', '-b', 'main', place.workspace])
    const { bash } = await open(place)
    const { exitCode, stderr } = await bash(
      'echo a > a && git add -A && git commit -qm one && git switch -qc topic && git commit -q --allow-empty -m two && git log --oneline | wc -l',
    )
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const files = execFileSync('git', ['-C', place.workspace, 'ls-tree', '-r', '--name-only', 'HEAD'])
    expect(files.toString()).toBe('a\n')
  })

  it('git in a checkout that keeps its token beside it, where nobody finds it', async () => {
    const place = makeWorkspace('included')
    execFileSync('git', ['init', '-q', place.workspace])
    const credentials = join(place.home, 'git-credentials.config')
    writeFileSync(credentials, '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic CANARY\n')
    const include = `includeIf.gitdir:${place.workspace}/.git.path`
    execFileSync('git', ['-C', place.workspace, 'config', include, credentials])
    const { bash } = await open(place)
    const { stdout } = await bash(`git commit -q --allow-empty -m one && git config --list; cat ${credentials}`)
    expect(stdout).toContain('user.name=A')
    expect(stdout).not.toContain('CANARY')
  })

  it('git commit in a worktree', async () => {
    const main = join(root, 'main-repository')
    const place = makeWorkspace('worktree')
    rmSync(place.workspace, { recursive: true })
    execFileSync('git', ['init', '-q', main])
    const by = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
    execFileSync('git', ['-C', main, ...by, 'commit', '-q', '--allow-empty', '-m', 'zero'])
    execFileSync('git', ['-C', main, 'worktree', 'add', '-q', place.workspace])
    const { bash } = await open(place)
    expect(await bash('echo a > a && git add a && git commit -qm one')).toMatchObject({ exitCode: 0, stderr: '' })
    await bash(`echo evil > ${main}/.git/hooks/x; echo x > ${main}/x`)
    expect(existsSync(join(main, '.git/hooks/x')) || existsSync(join(main, 'x'))).toBe(false)
  })

  it('git commit in a folder of a repository, which keeps its login and its hooks to itself', async () => {
    const place = makeWorkspace('monorepo/packages/one')
    const top = join(root, 'monorepo')
    execFileSync('git', ['init', '-q', top])
    const set = (...args: string[]) => execFileSync('git', ['-C', top, 'config', ...args])
    set('http.https://github.com/.extraheader', 'AUTHORIZATION: basic CANARY')
    const { bash } = await open(place)
    const work = 'echo a > a && git add a && git commit -qm one && git log --oneline | wc -l'
    expect(await bash(work)).toEqual({ exitCode: 0, stdout: '1\n', stderr: '' })
    const attack = 'cat ../../.git/config; git config --list; echo evil > ../../.git/hooks/pre-commit'
    expect((await bash(`${attack}; echo evil >> ../../.git/config; echo x > ../../x`)).stdout).not.toContain('CANARY')
    const found = spawnSync('grep', ['-rl', 'evil', join(top, '.git')], { encoding: 'utf8' })
    expect(found.stdout).toBe('')
    expect(existsSync(join(top, 'x'))).toBe(false)
  })

  it('npm ci from a local folder, without a network', async () => {
    const place = makeWorkspace('npm')
    const library = join(place.workspace, 'library')
    mkdirSync(library)
    writeFileSync(join(library, 'package.json'), '{"name":"library","version":"1.0.0","bin":{"hi":"hi.js"}}')
    writeFileSync(join(library, 'hi.js'), '#!/usr/bin/env node\nconsole.log("hi")\n', { mode: 0o755 })
    const { bash } = await open(place, { network: 'none' })
    const pack = 'cd library && npm pack --silent >/dev/null && mv library-1.0.0.tgz .. && cd ..'
    writeFileSync(
      join(place.workspace, 'package.json'),
      '{"name":"x","version":"1.0.0","dependencies":{"library":"file:library-1.0.0.tgz"}}',
    )
    const { exitCode, stdout } = await bash(
      `${pack} && npm install --silent --offline --package-lock-only && npm ci --silent --offline && npx --no-install hi`,
    )
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'hi\n' })
  })
})
