import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstProcess } from '../../src/sandbox/views/waitForViewEnd.ts'
import { isReady, makeCheckout, missing, open, useCheckouts } from './checkoutEffects.ts'

useCheckouts()

/** A checkout whose next commands have their sandboxes ready. */
async function openReady() {
  const root = makeCheckout()
  writeFileSync(join(root, '.env'), 'CANARY=1\n')
  const one = await open({ roots: [root] })
  const views = one.sandbox.views.folder ?? ''
  const waiting = () => readdirSync(views).filter((name) => firstProcess(join(views, name)) !== undefined)
  const ready = () => expect.poll(() => waiting().length, { timeout: 30_000 }).toBe(3)
  await one.run('true')
  await ready()
  return { ...one, root, waiting, ready }
}

describe.skipIf(!isReady)(`sandboxes that wait for the commands of one message${missing}`, () => {
  it('show each command what the one before it changed, and what a tool changed', async () => {
    const { run, root, waiting } = await openReady()
    const before = waiting()
    await run('echo 1 >> src/a; mv src/b src/c; rm -r dist; mkdir src/n; echo n > src/n/n')
    appendFileSync(join(root, 'src/a'), 'tool\n')
    const second = await run('cat src/a src/n/n; ls; ls src; rm -r src/n; mkdir src/n; echo 2 >> src/a')
    expect(second.stdout.text).toBe('src/a\n1\ntool\nn\nREADME.md\ndocs\nsrc\na\nc\nn\n')
    const third = await run('ls src/n; echo 3 >> src/a', {})
    expect(third.stdout.text).toBe('')
    expect(readFileSync(join(root, 'src/a'), 'utf8')).toBe('src/a\n1\ntool\n2\n3\n')
    await expect.poll(() => waiting().filter((name) => before.includes(name))).toEqual([])
  })

  it('are dropped, all of them, when a hidden file was replaced', { tags: 'long' }, async () => {
    const { run, root, ready } = await openReady()
    writeFileSync(join(root, 'new'), 'CANARY=2\n')
    renameSync(join(root, 'new'), join(root, '.env'))
    for (const access of ['read', 'write', 'read', 'write', 'read', 'write'] as const) {
      expect((await run('cat .env; echo end', { access })).stdout.text).toBe('end\n')
    }
    await ready()
  })

  it('are dropped, all of them, when a folder of their mounts was made again', { tags: 'long' }, async () => {
    const { run, root } = await openReady()
    renameSync(root, `${root}.old`)
    mkdirSync(join(root, 'src'), { recursive: true })
    for (const access of ['read', 'write', 'read', 'write'] as const) {
      expect((await run('ls', { access })).stdout.text).toBe('src\n')
    }
    rmSync(`${root}.old`, { recursive: true })
  })

  it('leave no process and no view behind', { tags: 'long' }, async () => {
    const { sandbox, close } = await openReady()
    const views = sandbox.views.folder ?? ''
    const pids = readdirSync(views).flatMap((name) => firstProcess(join(views, name)) ?? [])
    await close()
    const alive = pids.filter((pid) => /^State:\s+[^ZX]/m.test(statusOf(pid)))
    expect(alive).toEqual([])
  })
})

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
