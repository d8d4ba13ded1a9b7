import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { acquireLock } from '../../../src/run/resume/acquireLock.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { recordFiles } from '../../helpers/runs/recordFiles.ts'

function lockFolder(): string {
  const base = makeFolder()
  return join(base, 'nightly')
}
const take = (folder: string, staleMs?: number) => acquireLock(folder, { label: 'lock nightly', staleMs })
function refusal(folder: string): string {
  try {
    take(folder)
    return 'taken'
  } catch (error) {
    return error instanceof RunError ? `${error.reason}: ${error.message}` : `a defect: ${error}`
  }
}
const contentOf = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))

/** What the next link to a lock does instead, until the test ends. */
function stubLink(link: (from: string, to: string) => void): void {
  const { linkSync } = fs
  Object.assign(fs, { linkSync: link })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { linkSync })
    syncBuiltinESMExports()
  })
}

describe('a lock', () => {
  it('names its owner, for this user alone, and leaves nothing else', () => {
    const folder = lockFolder()
    take(folder)
    expect(readdirSync(folder)).toEqual(['1'])
    expect(contentOf(folder, '1')).toEqual(ownIdentity())
    expect(statSync(join(folder, '1')).mode & 0o777).toBe(0o600)
  })

  it('is on the disk before anybody can see it, and so is its release', () => {
    const folder = lockFolder()
    const { calls } = recordFiles(folder)
    const lock = take(folder)
    const named = /^(?:open|write|fsync|close) \.\d+\.[0-9a-f]{12}$/
    expect(calls.map((call) => call.replace(/ .*/, ''))).toEqual(['open', 'write', 'fsync', 'close'])
    for (const call of calls) expect(call).toMatch(named)
    lock.release()
    expect(calls.slice(4)).toEqual(['open', 'write', 'fsync', 'close'].map((call) => `${call} .1.released`))
    expect([readdirSync(folder), contentOf(folder, '1')]).toEqual([['1'], null])
  })

  it('says who holds it, and leaves no trace of the refused one', () => {
    const folder = lockFolder()
    take(folder)
    expect(refusal(folder)).toBe(`locked: lock nightly is held by pid ${process.pid} on ${hostname()}.`)
    expect(readdirSync(folder)).toEqual(['1'])
  })

  it('of another host says when it was seen last', () => {
    const folder = lockFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, '1'), JSON.stringify({ ...ownIdentity(), pid: 7, host: 'elsewhere' }))
    const hourAgo = new Date(Date.now() - 3_660_000)
    utimesSync(join(folder, '1'), hourAgo, hourAgo)
    expect(refusal(folder)).toMatch(
      /^locked: lock nightly is held by pid 7 on elsewhere, last seen 1 h \d min ago \(--lock-stale takes it over\)\.$/,
    )
  })

  it.each([
    ['', 'cannot be read'],
    ['{', 'cannot be read'],
    ['{}', 'names no owner'],
    ['{"pid":7}', 'names no owner'],
    ['{"host":"a"}', 'names no owner'],
    ['{"pid":7.5,"host":"a"}', 'names no owner'],
    ['{"pid":7,"host":1}', 'names no owner'],
    ['7', 'names no owner'],
  ])('that reads %j is held, and the file is named', (text, why) => {
    const folder = lockFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, '1'), text)
    expect(refusal(folder)).toBe(`locked: lock nightly: ${join(folder, '1')} ${why}; remove it if no run holds it.`)
  })

  it('counts by number, not by name, and leaves the files of others', () => {
    const folder = lockFolder()
    mkdirSync(folder)
    for (const name of ['2', '9', '10']) writeFileSync(join(folder, name), 'null')
    for (const name of ['12x', 'x13', '1.5']) writeFileSync(join(folder, name), 'of another')
    take(folder)
    expect(readdirSync(folder).toSorted()).toEqual(['1.5', '11', '12x', 'x13'])
  })

  it('a lock that cannot be made is named, with the reason', () => {
    const folder = lockFolder()
    writeFileSync(folder, 'a file')
    expect(refusal(folder)).toMatch(`cannot_create: lock nightly: ${folder}: EEXIST`)
    expect(() => take(folder)).toThrow(expect.objectContaining({ cause: expect.objectContaining({ code: 'EEXIST' }) }))
  })
})

it('a lock that cannot be read has the cause with it', () => {
  const folder = lockFolder()
  mkdirSync(join(folder, '1'), { recursive: true })
  expect(() => take(folder)).toThrow(expect.objectContaining({ cause: expect.objectContaining({ code: 'EISDIR' }) }))
})

describe('two that take a lock at once', () => {
  it('the one whose number is taken gives up, and leaves nothing', () => {
    const folder = lockFolder()
    stubLink((_, to) => {
      writeFileSync(to, JSON.stringify(ownIdentity()))
      throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
    })
    expect(refusal(folder)).toBe('locked: lock nightly is being taken by another run.')
    expect(readdirSync(folder)).toEqual(['1'])
  })

  it('the one that finds a higher number gives up', () => {
    const folder = lockFolder()
    const { linkSync } = fs
    stubLink((from, to) => {
      linkSync(from, to)
      writeFileSync(join(folder, '2'), JSON.stringify(ownIdentity()))
    })
    expect(refusal(folder)).toBe('locked: lock nightly is being taken by another run.')
    expect(readdirSync(folder)).toContain('2')
  })

  it('another error is told as what it is', () => {
    const folder = lockFolder()
    stubLink(() => {
      throw Object.assign(new Error('EPERM: no links here'), { code: 'EPERM' })
    })
    expect(refusal(folder)).toBe(`cannot_create: lock nightly: ${folder}: EPERM: no links here`)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the heartbeat', () => {
  it('comes every 20 seconds, keeps the content, and ends with the release', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = lockFolder()
    const file = join(folder, '1')
    const lock = take(folder)
    const isFresh = () => statSync(file).mtimeMs > 1_000_000
    const beatAfter = (milliseconds: number) => {
      utimesSync(file, 1, 1)
      vi.advanceTimersByTime(milliseconds)
      return isFresh()
    }
    expect([beatAfter(19_999), beatAfter(1), beatAfter(20_000)]).toEqual([false, true, true])
    expect(contentOf(folder, '1')).toEqual(ownIdentity())
    lock.release()
    expect([beatAfter(60_000), contentOf(folder, '1')]).toEqual([false, null])
  })

  it('a file system that is away for a while does not end the run', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = lockFolder()
    const lock = take(folder)
    rmSync(folder, { recursive: true })
    expect(() => vi.advanceTimersByTime(20_000)).not.toThrow()
    lock.release()
    expect(existsSync(folder)).toBe(false)
  })
})
