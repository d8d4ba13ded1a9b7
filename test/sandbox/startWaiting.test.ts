import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandRequest } from '../../src/contracts/commands.ts'
import { type CheckoutMode, READ_ONLY } from '../../src/sandbox/views/checkoutMode.ts'
import { createView } from '../../src/sandbox/views/createView.ts'
import { firstProcess } from '../../src/sandbox/views/waitForViewEnd.ts'
import { sampled } from '../helpers/sampled.ts'
import { isReady, makeWorkspace, missing, never, open, useSandboxes } from './openedSandbox.ts'

useSandboxes()

type Change = Parameters<typeof open>[1]

/** A workspace with files, and a way to run a script there in a sandbox that waited or in a new one. */
async function openWaiting(name: string, kind: 'readOnly' | 'view', change?: Change) {
  const place = makeWorkspace(name)
  const cwd = place.workspace
  for (const folder of ['src/deep', 'docs']) mkdirSync(join(cwd, folder), { recursive: true })
  for (const file of ['src/a', 'src/deep/b', 'docs/c']) writeFileSync(join(cwd, file), `${file}\n`)
  execFileSync('git', ['init', '-q', cwd])
  // With a password, it is covered by a copy without it.
  appendFileSync(join(cwd, '.git/config'), '[remote "o"]\n\turl = https://user:CANARY@example.com/x\n')
  writeFileSync(join(cwd, '.env'), 'CANARY=1\n')
  const { access, sandbox } = await open(place, change)
  const { views, roots } = sandbox
  const modeOf = (): CheckoutMode =>
    kind === 'readOnly' ? READ_ONLY : { kind, direct: [], ...createView(views.folder ?? '', roots) }
  const requestOf = (script: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
    ...{ file: 'bash', args: ['-c', script], cwd, timeoutMs: 20_000, signal: never },
    ...more,
  })
  const prepare = () => {
    const checkout = modeOf()
    const waiting = access.prepare(requestOf(''), checkout)
    if (waiting === undefined) throw new Error('nothing waits')
    const run = async (script: string, more?: Partial<CommandRequest>) => {
      const request = requestOf(script, more)
      expect(waiting.fits(request, checkout)).toBe(true)
      return access.runOn(request, checkout, waiting)
    }
    return { waiting, run, checkout }
  }
  const runFresh = (script: string) => access.runOn(requestOf(script), modeOf())
  return { cwd, access, prepare, runFresh, requestOf }
}

/** All that a program can find out about where it runs; without the numbers of pipes, mounts, devices and processes. */
const LOOK = `env | sort; pwd; umask; id; ulimit -a; echo "$0 $$ $PPID $SHLVL"; ls -laR --time-style=+ . | sort
  echo /proc/[0-9]*; for f in 0 1 2; do readlink /proc/self/fd/$f; grep flags /proc/self/fdinfo/$f; done | sed 's|[[][0-9]*|[|; s|[^/]*/[0-9]* ||'
  ls /proc/self/fd; cat /proc/self/cgroup; grep -E '^(Cap|Sig[^Q]|Shd|NoNew|Seccomp|Uid|Gid|Groups)' /proc/self/status
  cut -d ' ' -f 4- /proc/self/mountinfo | sed 's|/kode-run-[^ ]*||; s|view-[^ /]*||'; ls -lan --time-style=+ / /tmp /dev | grep -v ' proc$' | tr -s ' '; cat .env .git/config; ls /sys/class/net`

describe.skipIf(!isReady)(`startWaiting${missing}`, () => {
  it.each(sampled(['readOnly', 'view'] as const, 1))(
    'shows a command what a new sandbox shows it (%s)',
    async (kind) => {
      const { prepare, runFresh } = await openWaiting(`same-${kind}`, kind, { network: 'none' })
      const waited = await prepare().run(LOOK)
      const fresh = await runFresh(LOOK)
      expect(waited.stdout.text).toContain('NoNewPrivs')
      expect(waited.stdout.text).not.toContain('CANARY')
      expect(waited.stdout.text).toBe(fresh.stdout.text)
      expect(waited.exitCode).toBe(fresh.exitCode)
    },
  )

  it.each(['readOnly', 'view'] as const)('shows what changed in the checkout while it waited (%s)', async (kind) => {
    const { cwd, prepare } = await openWaiting(`changed-${kind}`, kind)
    const { run } = prepare()
    appendFileSync(join(cwd, 'src/a'), 'more\n')
    writeFileSync(join(cwd, 'src/new'), 'replaced\n')
    renameSync(join(cwd, 'src/new'), join(cwd, 'src/deep/b'))
    writeFileSync(join(cwd, 'top'), 'top\n')
    rmSync(join(cwd, 'docs'), { recursive: true })
    mkdirSync(join(cwd, 'made/folder'), { recursive: true })
    writeFileSync(join(cwd, 'made/folder/file'), 'made\n')
    symlinkSync('top', join(cwd, 'link'))
    const { stdout } = await run('cat src/a src/deep/b top made/folder/file link; ls; ls src')
    expect(stdout.text).toBe('src/a\nmore\nreplaced\ntop\nmade\ntop\nlink\nmade\nsrc\ntop\na\ndeep\n')
  })

  it.each(
    sampled(
      [
        ['a word', "it's"],
        ['all signs', '\' " \\ $HOME `id` $(id) ; & | > < * ? [a] {b,c} ~ # ! %s \t -'],
        ['lines', '\na\n\n b\n'],
        ['nothing', ''],
        ['letters', 'ä€😀\u0081\u0088\ufffd'],
        ['much', 'x'.repeat(20_000)],
      ],
      1,
    ),
  )('hands over %s as it is', async (name, word) => {
    const { prepare } = await openWaiting(`words-${name.replace(' ', '-')}`, 'readOnly')
    const { stdout } = await prepare().run('', { file: '/usr/bin/printf', args: ['[%s]', word, '--'] })
    expect(stdout.text).toBe(`[${word}][--]`)
  })

  it('keeps the streams apart or together, gives exit codes, and ends at the time limit', {
    tags: 'long',
  }, async () => {
    const { prepare } = await openWaiting('streams', 'readOnly')
    const script = 'echo 1; echo 2 >&2; echo 3; exit 7'
    expect(await prepare().run(script)).toMatchObject({
      exitCode: 7,
      stdout: { text: '1\n3\n' },
      stderr: { text: '2\n' },
    })
    expect(await prepare().run(script, { isJoined: true })).toMatchObject({ stdout: { text: '1\n2\n3\n' } })
    expect(await prepare().run('echo before; sleep 100', { timeoutMs: 300 })).toMatchObject({
      isTimedOut: true,
      stdout: { text: 'before\n' },
    })
  })

  it('fits only a request that it would have been started for', { tags: 'long' }, async () => {
    const { prepare, requestOf, cwd } = await openWaiting('requests', 'readOnly')
    const { waiting } = prepare()
    const fits = (more: Partial<CommandRequest>) => waiting.fits(requestOf('true', more), READ_ONLY)
    expect(fits({})).toBe(true)
    expect(fits({ isJoined: true, file: 'ls', timeoutMs: 1 })).toBe(true)
    expect(fits({ cwd: join(cwd, 'src') })).toBe(false)
    expect(fits({ env: { A: '1' } })).toBe(false)
    expect(fits({ input: 'text' })).toBe(false)
    expect(fits({ args: ['-c', 'x'.repeat(200_000)] })).toBe(false)
    expect(fits({ args: ['a\0b'] })).toBe(false)
    // The request of a call that has ended is aborted. It is what the next one is compared with.
    expect(fits({ signal: AbortSignal.abort() })).toBe(true)
    await waiting.end()
    expect(fits({})).toBe(false)
  })

  it.each<[string, (cwd: string) => void]>([
    ['a hidden file was replaced', (cwd) => replace(join(cwd, '.env'))],
    ['a hidden file got its name back', (cwd) => relink(join(cwd, '.env'))],
    ['a hidden file is gone', (cwd) => rmSync(join(cwd, '.env'))],
    ['the folder of a mount was made again', (cwd) => remake(join(cwd, '.git'))],
    ['the working folder was made again', remake],
    ['the working folder has another mode', (cwd) => chmodSync(cwd, 0o711)],
  ])('does not fit when %s', { tags: 'long' }, async (what, change) => {
    const { prepare, requestOf, cwd } = await openWaiting(`places-${what.replaceAll(' ', '-')}`, 'readOnly')
    const { waiting, checkout } = prepare()
    change(cwd)
    expect(waiting.fits(requestOf('true'), checkout)).toBe(false)
    await waiting.end()
  })

  it('does not fit when the working folder is a link, and its target was made again', { tags: 'long' }, async () => {
    const { access, requestOf, cwd } = await openWaiting('linked', 'readOnly')
    symlinkSync('src', join(cwd, 'link'))
    const request = requestOf('true', { cwd: join(cwd, 'link') })
    const waiting = access.prepare(request, READ_ONLY)
    expect(waiting?.fits(request, READ_ONLY)).toBe(true)
    remake(join(cwd, 'src'))
    expect(waiting?.fits(request, READ_ONLY)).toBe(false)
    await waiting?.end()
  })

  it('does not fit when another folder is to be written directly', async () => {
    const { prepare, requestOf, cwd } = await openWaiting('direct', 'view')
    const { waiting, checkout } = prepare()
    if (checkout.kind !== 'view') throw new Error('it is no view')
    expect(waiting.fits(requestOf('true'), checkout)).toBe(true)
    expect(waiting.fits(requestOf('true'), { ...checkout, direct: [join(cwd, 'docs')] })).toBe(false)
    await waiting.end()
  })

  it('is not started where a shell would change the environment, or load files that it names', {
    tags: 'long',
  }, async () => {
    const { access, requestOf } = await openWaiting('environment', 'readOnly')
    for (const name of ['A-B', 'BASH_FUNC_x%%', 'LD_PRELOAD', 'OPTIND', 'PPID', 'IFS', 'SHELLOPTS']) {
      expect(access.prepare(requestOf('', { env: { [name]: '1' } }), READ_ONLY)).toBeUndefined()
    }
  })

  it('gives a command whose sandbox died an end', { tags: 'long' }, async () => {
    const { access, prepare, requestOf } = await openWaiting('died', 'view')
    const { waiting, checkout } = prepare()
    process.kill(await firstProcessOf(checkout), 'SIGKILL')
    await expect.poll(() => waiting.fits(requestOf('true'), checkout)).toBe(false)
    const result = await access.runOn(requestOf('echo never'), checkout, waiting)
    expect(result).toMatchObject({ exitCode: 137, stdout: { text: '' } })
  })

  it('leaves no process behind that got no command, and fits nothing when it was killed', {
    tags: 'long',
  }, async () => {
    const { prepare, requestOf } = await openWaiting('ended', 'view')
    const { waiting, checkout } = prepare()
    const pid = await firstProcessOf(checkout)
    expect(readdirSync('/proc')).toContain(String(pid))
    await waiting.end()
    expect(stateOf(pid)).toMatch(/^[ZX]?$/)
    expect(waiting.fits(requestOf('true'), checkout)).toBe(false)
  })

  it('starts nothing after the end of the run', { tags: 'long' }, async () => {
    const { access, requestOf } = await openWaiting('closed', 'readOnly')
    await access.closeAll()
    expect(access.prepare(requestOf('true'), READ_ONLY)).toBeUndefined()
  })

  it('gives no command to a sandbox that waited until the end of the run', { tags: 'long' }, async () => {
    const { access, prepare, requestOf } = await openWaiting('given', 'view')
    const { waiting, checkout } = prepare()
    await firstProcessOf(checkout)
    await access.closeAll()
    const touch = requestOf('', { file: '/usr/bin/touch', args: ['made'] })
    expect(await access.runOn(touch, checkout, waiting)).toMatchObject({ isAborted: true })
    expect(madeIn(checkout)).toEqual([])
  })

  it('starts no command of a request that was aborted before', { tags: 'long' }, async () => {
    const { access, prepare, requestOf } = await openWaiting('aborted', 'view')
    const { waiting, checkout } = prepare()
    const signal = AbortSignal.abort()
    const touch = requestOf('', { file: '/usr/bin/touch', args: ['made'], signal })
    expect(await access.runOn(touch, checkout, waiting)).toMatchObject({ isAborted: true })
    expect(madeIn(checkout)).toEqual([])
  })
})

async function firstProcessOf(checkout: CheckoutMode): Promise<number> {
  const folder = checkout.kind === 'view' ? checkout.folder : ''
  await expect.poll(() => firstProcess(folder), { timeout: 20_000 }).toBeDefined()
  return firstProcess(folder) ?? 0
}

/** The layers in which there is a file `made`. */
function madeIn(checkout: CheckoutMode): unknown[] {
  if (checkout.kind !== 'view') throw new Error('it is no view')
  return checkout.layers.filter(({ upper }) => existsSync(join(upper, 'made')))
}

function replace(path: string): void {
  writeFileSync(`${path}.new`, 'CANARY=2\n')
  renameSync(`${path}.new`, path)
}

/** The same file, but not the same entry: the kernel drops what was mounted on an entry that is removed. */
function relink(path: string): void {
  linkSync(path, `${path}.kept`)
  rmSync(path)
  linkSync(`${path}.kept`, path)
}

/** The same content in another folder. */
function remake(path: string): void {
  execFileSync('cp', ['-a', path, `${path}.copy`])
  renameSync(path, `${path}.old`)
  renameSync(`${path}.copy`, path)
}

function stateOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat[stat.lastIndexOf(')') + 2] ?? ''
  } catch {
    return ''
  }
}
