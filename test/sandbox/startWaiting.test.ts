import { appendFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isLive, processStat } from '../../src/lib/process/processIdentity.ts'
import { type CheckoutMode, READ_ONLY } from '../../src/sandbox/views/checkoutMode.ts'
import { firstProcess } from '../../src/sandbox/views/waitForViewEnd.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { gitAt } from '../helpers/git.ts'
import { sampled } from '../helpers/sampled.ts'
import { isReady, makeWorkspace, missing, open, useSandboxes } from './openedSandbox.ts'

useSandboxes()

/** A workspace with files, and a way to run a script there in a sandbox that waited or in a new one. */
async function openWaiting(name: string, kind: 'readOnly' | 'view', change?: Parameters<typeof open>[1]) {
  const place = makeWorkspace(name)
  const cwd = place.workspace
  const files = ['src/a', 'src/deep/b', 'docs/c'].map((file) => [file, `${file}\n`])
  writeFiles(cwd, { ...Object.fromEntries(files), '.env': 'CANARY=1\n' })
  gitAt(cwd)('init', '-q')
  // With a password, it is covered by a copy without it.
  appendFileSync(join(cwd, '.git/config'), '[remote "o"]\n\turl = https://user:CANARY@example.com/x\n')
  const { access, requestOf, modeOf } = await open(place, change)
  const prepare = () => {
    const checkout = modeOf(kind)
    const waiting = access.prepare(requestOf(''), checkout)
    if (waiting === undefined) throw new Error('nothing waits')
    const run = async (script: string) => {
      const request = requestOf(script)
      expect(waiting.fits(request, checkout)).toBe(true)
      return access.runOn(request, checkout, waiting)
    }
    return { waiting, run, checkout }
  }
  const runFresh = (script: string) => access.runOn(requestOf(script), modeOf(kind))
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
    writeFiles(cwd, { 'src/new': 'replaced\n', top: 'top\n', 'made/folder/file': 'made\n', link: '-> top' })
    renameSync(join(cwd, 'src/new'), join(cwd, 'src/deep/b'))
    rmSync(join(cwd, 'docs'), { recursive: true })
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
    expect(isLive(processStat(pid))).toBe(false)
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
