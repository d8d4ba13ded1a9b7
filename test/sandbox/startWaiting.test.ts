import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
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

  it('does not fit when another folder is to be written directly', async () => {
    const { prepare, requestOf, cwd } = await openWaiting('direct', 'view')
    const { waiting, checkout } = prepare()
    if (checkout.kind !== 'view') throw new Error('it is no view')
    expect(waiting.fits(requestOf('true'), checkout)).toBe(true)
    expect(waiting.fits(requestOf('true'), { ...checkout, direct: [join(cwd, 'docs')] })).toBe(false)
    await waiting.end()
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

function stateOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat[stat.lastIndexOf(')') + 2] ?? ''
  } catch {
    return ''
  }
}
