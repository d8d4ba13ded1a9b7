import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { commitAll } from '../helpers/git.ts'
import { portHere } from '../helpers/listenHere.ts'
import { commandLines } from '../helpers/runs/commandLines.ts'
import { sampled } from '../helpers/sampled.ts'
import { isReady, makeWorkspace, missing, open, PATH, root, useSandboxes } from './openedSandbox.ts'

useSandboxes()

const COMMIT = 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one'

describe.skipIf(!isReady)(`openSandbox: processes${missing}`, () => {
  it('shows children only their own processes, and no terminal', async () => {
    const { bash } = await open(makeWorkspace('processes'))
    const { stdout } = await bash(
      'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -c vitest -i; kill -9 $PPID; (: </dev/tty) 2>/dev/null || echo no tty',
    )
    expect(stdout).toBe('0\nno tty\n')
  })

  it('ends all processes with their call, even without group, session and marker', { tags: 'long' }, async () => {
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

it.skipIf(!isReady)(`openSandbox: shows the objects that a clone shares with another${missing}`, async () => {
  const place = makeWorkspace('shares')
  execFileSync('bash', [
    '-c',
    `cd ${root} && git init -q shared && cd shared && ${COMMIT} && git clone -qs . ../shares`,
  ])
  const { bash } = await open(place)
  expect(await bash(`git log --format=%s; ls ${root}/shared`)).toMatchObject({ stdout: 'one\n' })
  // What a command names as shared is not shown.
  await bash(`echo ${place.home}/.ssh > .git/objects/info/alternates`)
  expect((await bash(`ls ${place.home}/.ssh`)).stdout).toBe('')
})

describe.skipIf(!isReady)(`openSandbox: the end of its owner${missing}`, () => {
  it('ends every child when the run is killed', { tags: 'long' }, async () => {
    const place = makeWorkspace('orphans')
    const child = "setsid --fork env -i bash -c 'while :; do date +%N > beat; sleep 0.05; done'; sleep 300"
    const source = (name: string) => JSON.stringify(join(process.cwd(), 'src/sandbox', name))
    const script = `
      import { openSandbox } from ${source('openSandbox.ts')}
      import { createCommandAccess } from ${source('createCommandAccess.ts')}
      const { workspace, home, path, child } = JSON.parse(process.argv[1])
      const settings = { mode: 'required', network: 'none', allow: [], writable: [], readable: [] }
      const survey = { repositories: [], secrets: [], leftovers: [] }
      const lists = { survey, readOnly: [], hidden: [], isOpened: () => false, isShown: () => false, onRefusal() {} }
      const sandbox = await openSandbox({ settings, workspaces: [workspace], home, path, ...lists })
      const limits = { defaultTimeoutMs: 60_000, maxTimeoutMs: 60_000, deadline: performance.now() + 60_000 }
      const environment = { PATH: path }
      const access = createCommandAccess({ environment, runId: 'orphans', wrap: sandbox.wrap, putBlob: () => '', ...limits })
      const signal = new AbortController().signal
      access.prepare({ file: 'true', args: [], cwd: workspace, timeoutMs: 1, signal }, { kind: 'readOnly' })
      access.start({ file: 'bash', args: ['-c', child], cwd: workspace, command: child })`
    const parameters = JSON.stringify({ ...place, path: PATH, child })
    const args = ['--import', 'tsx', '--input-type=module', '-e', script, parameters]
    const owner = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, TMPDIR: root } })
    const ended = once(owner, 'exit')
    const beat = join(place.workspace, 'beat')
    const read = () => (existsSync(beat) ? readFileSync(beat, 'utf8') : '')
    await expect.poll(read, { timeout: 20_000 }).not.toBe('')
    const holders = () => commandLines().filter(({ text }) => text.includes(place.workspace))
    const waiting = () => holders().filter(({ text }) => text.endsWith(' -- sh')).length
    await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThan(0)
    owner.kill('SIGKILL')
    await ended
    await expect.poll(holders, { timeout: 20_000 }).toEqual([])
  })
})

describe.skipIf(!isReady)(`openSandbox: network${missing}`, () => {
  const hello = () => portHere(createServer((request, response) => response.end(`hello ${request.url}`)))
  const serve = (file: string) =>
    `node -e 'require("http").createServer((q, r) => r.end("from the server")).listen(0, "127.0.0.1", function () { require("fs").writeFileSync("${file}", String(this.address().port)) })'`
  const get = (url: string) => `node -e 'const url = "${url}".replace("PORT", () => require("fs").readFileSync("port"))
    require("http").get(url, (r) => r.pipe(process.stdout)).on("error", (e) => console.log(e.code))'`
  const getByProxy = (url: string) => `node -e 'require("http").get(process.env.http_proxy, { path: "${url}" },
    (r) => r.pipe(process.stdout)).on("error", (e) => console.log(e.code))'`

  it.each(sampled(['none', 'open'] as const, 1))('a server of one call answers in the next: %s', async (network) => {
    const place = makeWorkspace(`server-${network}`)
    const { access, bash, sandbox } = await open(place, { network })
    access.start({ file: 'bash', args: ['-c', serve('port')], cwd: place.workspace, command: 'serve' })
    const { stdout } = await bash(`until test -s port; do sleep 0.02; done; ${get('http://127.0.0.1:PORT')}`)
    expect(stdout).toBe('from the server')
    expect(sandbox.network.state).toBe(network === 'none' ? 'enforced' : 'off')
  })

  it('none: the machine’s network cannot be reached', { tags: 'long' }, async () => {
    const { bash } = await open(makeWorkspace('offline'), { network: 'none' })
    expect((await bash(get(`http://127.0.0.1:${await hello()}`))).stdout).toBe('ECONNREFUSED\n')
    expect((await bash('tail -n +3 /proc/net/dev | cut -d: -f1')).stdout.trim()).toBe('lo')
  })

  it('allowlist: allowed hosts through the proxy, which cannot be bypassed', async () => {
    const refusals: string[] = []
    const port = await hello()
    const { bash, sandbox } = await open(makeWorkspace('allowlist'), {
      ...{ mode: 'required', network: 'allowlist', allow: [`localhost:${port}`] },
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

  it('git commit in a worktree', { tags: 'long' }, async () => {
    const main = join(root, 'main-repository')
    const place = makeWorkspace('worktree')
    rmSync(place.workspace, { recursive: true })
    mkdirSync(main)
    commitAll(main)('worktree', 'add', '-q', place.workspace)
    const { bash } = await open(place)
    expect(await bash('echo a > a && git add a && git commit -qm one')).toMatchObject({ exitCode: 0, stderr: '' })
    await bash(`echo evil > ${main}/.git/hooks/x; echo x > ${main}/x`)
    expect(existsSync(join(main, '.git/hooks/x')) || existsSync(join(main, 'x'))).toBe(false)
  })

  it('git commit in a subfolder of a repository, with its credentials and hooks hidden', { tags: 'long' }, async () => {
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

  it('npm ci from a local folder, without a network', { tags: 'long' }, async () => {
    const place = makeWorkspace('npm')
    writeFiles(place.workspace, {
      'package.json': '{"name":"x","version":"1.0.0","dependencies":{"library":"file:library-1.0.0.tgz"}}',
      'library/package.json': '{"name":"library","version":"1.0.0","bin":{"hi":"hi.js"}}',
      'library/hi.js': '#!/usr/bin/env node\nconsole.log("hi")\n',
    })
    const { bash } = await open(place, { network: 'none' })
    const pack = 'cd library && npm pack --silent >/dev/null && mv library-1.0.0.tgz .. && cd ..'
    const { exitCode, stdout } = await bash(
      `${pack} && npm install --silent --offline --package-lock-only && npm ci --silent --offline && npx --no-install hi`,
    )
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'hi\n' })
  })
})
