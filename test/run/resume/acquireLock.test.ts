import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import type { ProcessIdentity } from '../../../src/contracts/events.ts'
import { ownIdentity, processState } from '../../../src/lib/process/processIdentity.ts'
import { acquireLock } from '../../../src/run/resume/acquireLock.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function lockFolder(): string {
  const base = makeFolder()
  return join(base, 'nightly')
}

/** Takes the lock; the reason where that is refused. */
function take(folder: string, staleMs?: number): string | ReturnType<typeof acquireLock> {
  try {
    return acquireLock(folder, { label: 'lock nightly', staleMs })
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    return `${error.reason}: ${error.message}`
  }
}

function heldBy(folder: string, owner: Partial<ProcessIdentity>, number = 1): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, String(number))
  writeFileSync(file, JSON.stringify({ ...ownIdentity(), ...owner }))
  return file
}

/** A number that no process has. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid
}

describe('a lock', () => {
  it('is held by one owner, released, and taken again', () => {
    const folder = lockFolder()
    const first = acquireLock(folder, { label: 'lock nightly' })
    expect(take(folder)).toMatch(new RegExp(`^locked: lock nightly is held by pid ${process.pid} on `))
    first.release()
    const second = acquireLock(folder, { label: 'lock nightly' })
    second.release()
    expect(readdirSync(folder)).toEqual(['2'])
  })

  it('is released silently if its folder is no longer writable', () => {
    const folder = lockFolder()
    const lock = acquireLock(folder, { label: 'lock nightly' })
    rmSync(folder, { recursive: true })
    expect(() => lock.release()).not.toThrow()
  })

  it.each<[string, Partial<ProcessIdentity>]>([
    ['whose process is gone', { pid: deadPid() }],
    ['whose number belongs to another process now', { started: 1 }],
    ['from before the machine was started', { boot: 'another-boot' }],
  ])('is taken over from an owner %s', (_, owner) => {
    const folder = lockFolder()
    heldBy(folder, owner)
    expect(take(folder)).toMatchObject({ release: expect.any(Function) })
    expect(take(folder)).toMatch(/^locked/)
  })

  it.each<[string, Partial<ProcessIdentity>]>([
    ['of another host', { host: 'elsewhere', pid: deadPid(), boot: 'x' }],
    ['of another container', { namespace: 'pid:[1]', pid: deadPid() }],
  ])('%s is never taken over before it is stale', (_, owner) => {
    const folder = lockFolder()
    const file = heldBy(folder, owner)
    const old = new Date(Date.now() - 3_600_000)
    expect(take(folder)).toMatch(/^locked.*--lock-stale/)
    utimesSync(file, old, old)
    expect(take(folder)).toMatch(/^locked/)
    expect(take(folder, 3_700_000)).toMatch(/^locked/)
    expect(take(folder, 3_500_000)).toMatchObject({ release: expect.any(Function) })
  })

  it('of a live owner on this host is never stale', () => {
    const folder = lockFolder()
    const file = heldBy(folder, {})
    utimesSync(file, new Date(0), new Date(0))
    expect(take(folder, 1)).toMatch(/^locked/)
  })

  it.each(['', '{', '{"pid":"x"}', '[]'])('that reads %j is held: nobody knows by whom', (text) => {
    const folder = lockFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, '1'), text)
    expect(take(folder)).toMatch(/^locked: .*remove it if no run holds it/)
  })

  it('cannot be created in an unwritable folder', () => {
    const folder = lockFolder()
    writeFileSync(folder, 'a file')
    expect(take(folder)).toMatch(/^cannot_create/)
  })
})

describe('processes that start at once', () => {
  const script = `
    import { acquireLock } from '${join(import.meta.dirname, '../../../src/run/resume/acquireLock.ts')}'
    process.stdin.once('data', () => {
      try {
        acquireLock(process.argv[1], { label: 'lock' })
        console.log('held')
        setTimeout(() => {}, 60_000)
      } catch (error) {
        console.log(error.reason)
        process.exit()
      }
    })
    console.log('ready')`

  const hold = (folder: string) => heldBy(folder, { pid: deadPid() }, 7)
  for (const [name, count, prepare, tags] of [
    ['a free lock', 20, () => undefined, ['night']],
    ['the lock of a dead owner', 3, hold, []],
    ['the lock of a dead owner', 20, hold, ['night']],
  ] as const) {
    it(`${name} is taken by exactly one of ${count}`, { timeout: 60_000, tags: [...tags] }, async () => {
      const folder = lockFolder()
      prepare(folder)
      const children = Array.from({ length: count }, () =>
        spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, folder], {
          stdio: ['pipe', 'pipe', 'inherit'],
        }),
      )
      onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')))
      const outputs = children.map((child) => child.stdout.setEncoding('utf8'))
      await Promise.all(outputs.map((output) => once(output, 'data')))
      for (const child of children) child.stdin.write('go')
      const seen = await Promise.all(outputs.map(async (output) => String((await once(output, 'data'))[0]).trim()))
      expect(seen.toSorted()).toEqual(['held', ...Array.from({ length: count - 1 }, () => 'locked')])
      expect(existsSync(folder)).toBe(true)
      expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toHaveLength(1)
      const [winner] = readdirSync(folder)
      expect(JSON.parse(readFileSync(join(folder, winner ?? ''), 'utf8'))).toMatchObject({ pid: expect.any(Number) })
    })
  }
})

it('this process is alive, and an unknown one is not called dead', () => {
  expect(processState(ownIdentity())).toBe('alive')
  expect(processState({ ...ownIdentity(), host: 'elsewhere' })).toBe('unknown')
})
