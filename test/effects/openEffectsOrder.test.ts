import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { CommandRequest, CommandResult } from '../../src/contracts/commands.ts'
import type { CommandEffects, EffectsReport } from '../../src/contracts/effects.ts'
import { type EffectsOptions, openEffects } from '../../src/effects/openEffects.ts'
import { openTar } from '../../src/sandbox/mounts/openTar.ts'
import type { WaitingSandbox } from '../../src/sandbox/startWaiting.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const base = makeFolder('order-test-')

const viewsIn = (folder: string) => ({ folder, tar: openTar('/usr/bin/tar', folder) })
const VIEWS = { views: viewsIn(base) }
const NOTHING = { text: '', bytes: 0, isTruncated: false }
const DONE: CommandResult = {
  ...{ exitCode: 0, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1, durationMs: 1 },
  ...{ stdout: NOTHING, stderr: NOTHING },
}
const WATCHED: EffectsReport = { state: 'watched', kept: [], scratch: {}, leftOut: [], undone: [] }

/** A sandbox that waits, and fits every command or none. */
function waitingSandbox(name: string, log: string[], fits: boolean): WaitingSandbox {
  return {
    ...{ file: name, args: [], ended: async () => undefined },
    fits: () => fits,
    give: () => Promise.reject(new Error('it is not started here')),
    end: async () => void log.push(`end ${name}`),
  }
}

/** Transactions whose commands do nothing; what happens is in `log`. Their watches report what `reports` says, then nothing. */
function open(change: Partial<EffectsOptions> = {}, reports: EffectsReport[] = []) {
  const log: string[] = []
  const root = mkdtempSync(join(base, 'checkout-'))
  mkdirSync(join(root, 'src'))
  const report = async (what: string, by: string) => {
    log.push(`${what} ${by}`)
    return reports.shift() ?? WATCHED
  }
  const effects = openEffects({
    ...{ roots: [root], views: undefined, isReadOnlyEnforced: false },
    state: join(base, 'state'),
    start: async ({ file }, checkout, waiting) => {
      log.push(`${file} on ${checkout.kind}${waiting === undefined ? '' : ` in ${waiting.file}`}`)
      return DONE
    },
    judge: () => Promise.reject(new Error('there is nothing to judge')),
    account: { before: () => undefined, after: () => undefined },
    watch: async ({ by }) => {
      log.push(`watch ${by}`)
      return { look: () => report('look', by), settle: () => report('settle', by) }
    },
    directFolders: () => [],
    ...change,
  })
  const run = (file: string, access?: CommandEffects['access'], more: Partial<CommandRequest> = {}) => {
    const allowed = { ...more, ...(access && { effects: { access, mayChangeGit: false, by: file } }) }
    const request = { file, args: [], cwd: root, timeoutMs: 1, signal: new AbortController().signal, ...allowed }
    return effects.run(request satisfies CommandRequest)
  }
  return { run, log, effects, root }
}

describe('openEffects: what a command works on', () => {
  it.each([
    ['write', undefined, ['watch x', 'x on direct', 'settle x']],
    ['scratch', undefined, ['watch x', 'x on direct', 'settle x']],
    ['direct', undefined, ['watch x', 'x on direct', 'settle x']],
    ['read', undefined, ['watch x', 'x on direct', 'settle x']],
    ['read', { isReadOnlyEnforced: true }, ['x on readOnly']],
    [undefined, { isReadOnlyEnforced: true }, ['x on readOnly']],
    ['write', VIEWS, ['x on view']],
    ['direct', VIEWS, ['watch x', 'x on direct', 'settle x']],
  ] as const)('%s, with %j: %j', async (access, change, expected) => {
    const { run, log } = open(change)
    await run('x', access)
    expect(log).toEqual(expected)
  })

  it('returns the report of the watch, and none if nothing could change', async () => {
    expect((await open().run('x', 'write')).effects).toEqual(WATCHED)
    expect((await open({ isReadOnlyEnforced: true }).run('x', 'read')).effects).toBeUndefined()
  })

  it('settles one command before the next starts, even after a failure', async () => {
    let count = 0
    const { run, log } = open({
      watch: async ({ by }) => {
        if (count++ === 0) throw new Error('the disk is gone')
        return { look: async () => WATCHED, settle: async () => ({ ...WATCHED, unknown: by }) }
      },
    })
    const results = await Promise.all([run('first', 'write'), run('second', 'write')])
    const ends = results.map(({ startError, effects }) => startError ?? effects?.unknown)
    expect(ends).toEqual(['the disk is gone', 'second'])
    expect(log).toEqual(['second on direct'])
  })

  it('reports that the view could not be created, unless the command was aborted before', async () => {
    const ending = (end: Partial<CommandResult>) =>
      open({ ...VIEWS, start: async () => ({ ...DONE, ...end }) }).run('x', 'write')
    const stderr = { ...NOTHING, text: 'mount: no\n' }
    const { startError } = await ending({ exitCode: 32, stderr })
    expect(startError).toBe('the view of the checkout could not be created: mount: no')
    expect(await ending({ isAborted: true })).toMatchObject({ isAborted: true, effects: { kept: [], undone: [] } })
    expect((await ending({ startError: 'no bwrap' })).startError).toBe('no bwrap')
  })

  it('does not start a command without a place for its view', async () => {
    const { run, log } = open({ views: viewsIn(join(base, 'gone')) })
    expect((await run('x', 'write')).startError).toContain('ENOENT')
    expect(log).toEqual([])
  })

  it('closes after all commands are settled', async () => {
    const { run, log, effects } = open()
    void run('x', 'write')
    await effects.close()
    expect(log.at(-1)).toBe('settle x')
  })
})

describe('openEffects: sandboxes that wait for the next command', () => {
  function openReady({ fits = true, readyCount = 1 } = {}) {
    let made = 0
    const log: string[] = []
    const folder = mkdtempSync(join(base, 'views-'))
    const opened = open({
      views: viewsIn(folder),
      isReadOnlyEnforced: true,
      readyCount,
      prepare: (_, { kind }) => waitingSandbox(`${kind} ${++made}`, log, fits),
    })
    const runs = async (...names: readonly string[]) => {
      for (const name of names) {
        await opened.run(name, name === 'reader' ? 'read' : 'write')
        await setImmediate()
      }
    }
    return { ...opened, runs, ends: log, folder, count: () => made }
  }

  it('gets each command one of its own, made after the command before it', async () => {
    const { runs, log, ends, effects } = openReady()
    await runs('reader', 'reader', 'writer', 'writer', 'reader')
    expect(log).toEqual([
      ...['reader on readOnly', 'reader on readOnly in readOnly 1', 'writer on view in view 2'],
      ...['writer on view in view 4', 'reader on readOnly in readOnly 3'],
    ])
    expect(ends).toEqual([])
    await effects.close()
    expect(ends).toEqual(['end readOnly 6', 'end view 5'])
  })

  it('starts a new one where what waits does not fit, and ends that', async () => {
    const { runs, log, ends, effects, folder } = openReady({ fits: false })
    await runs('reader', 'writer')
    expect(log).toEqual(['reader on readOnly', 'writer on view'])
    await effects.close()
    expect(ends.toSorted()).toEqual(['end readOnly 1', 'end view 2', 'end view 3'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('has three of each kind when no command has run for a moment, for the commands of one message', async () => {
    const { run, log, ends, effects, count } = openReady({ readyCount: 3 })
    await run('first', 'read')
    await expect.poll(count).toBe(6)
    for (const name of ['a', 'b', 'c']) await run(name, 'read')
    for (const name of ['d', 'e', 'f']) await run(name, 'write')
    const given = log.slice(1).map((line) => line.replace(/ \d$/, ''))
    expect(given).toEqual([
      ...['a', 'b', 'c'].map((name) => `${name} on readOnly in readOnly`),
      ...['d', 'e', 'f'].map((name) => `${name} on view in view`),
    ])
    expect(ends).toEqual([])
    await effects.close()
    expect(ends).toHaveLength(count() - 6)
  })

  it('prepares none after a command with input, nor for a writer while another one writes', async () => {
    const made: string[] = []
    const { run, effects } = open({
      ...VIEWS,
      isReadOnlyEnforced: true,
      prepare: (_, { kind }) => {
        made.push(kind)
        return waitingSandbox(kind, [], true)
      },
      start: async ({ file }) => {
        await setImmediate()
        await setImmediate()
        made.push(`${file} ends`)
        return DONE
      },
    })
    await run('hook', 'read', { input: 'text' })
    await Promise.all([run('first', 'write'), run('second', 'write')])
    await setImmediate()
    expect(made).toEqual(['hook ends', 'first ends', 'readOnly', 'second ends', 'view'])
    await effects.close()
  })
})

const change = { path: '/p/a', kind: 'modified', entry: 'file' } as const
const DIRECT: CommandEffects = { access: 'direct', mayChangeGit: false, by: 'bash_1' }

/** A promise that ends when it is told to. */
function gate() {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ended, end: () => end() }
}

describe('a program that outlives its call', () => {
  it('is watched from before its start until it ends, and its answer is passed on', async () => {
    const { effects, log } = open()
    const answer = effects.watch('bash_1', DIRECT, async () => {
      log.push('start')
      return 'answer'
    })
    expect(await answer).toBe('answer')
    expect(log).toEqual(['watch bash_1', 'start', 'settle bash_1'])
    await effects.close()
  })

  it('is looked at while it runs; what it changed is told once, under its name', async () => {
    const undone = { ...WATCHED, undone: [{ change, why: 'no rule' }] }
    const { effects, log } = open({}, [undone, WATCHED, { ...WATCHED, kept: [change] }])
    const { ended, end } = gate()
    const outlived = effects.watch('bash_1', DIRECT, () => ended)
    await setImmediate()
    expect(await effects.look()).toEqual([{ ...undone, of: 'bash_1' }])
    expect(await effects.look()).toEqual([])
    end()
    await outlived
    expect(await effects.look()).toEqual([{ ...WATCHED, kept: [change], of: 'bash_1' }])
    expect(await effects.look()).toEqual([])
    expect(log).toEqual(['watch bash_1', 'look bash_1', 'look bash_1', 'settle bash_1'])
    await effects.close()
  })

  it.each<[string, Partial<EffectsReport>]>([
    ['what was left out', { leftOut: [{ change, why: 'no rule' }] }],
    ['what is unknown', { unknown: 'no space' }],
  ])('is told of for %s', async (_, report) => {
    const { effects } = open({}, [{ ...WATCHED, ...report }])
    await effects.watch('bash_1', DIRECT, async () => undefined)
    expect(await effects.look()).toEqual([{ ...WATCHED, ...report, of: 'bash_1' }])
    await effects.close()
  })

  it('is settled although its start fails, and the failure is passed on', async () => {
    const { effects, log } = open()
    const started = effects.watch('bash_1', DIRECT, () => Promise.reject(new Error('no program')))
    await expect(started).rejects.toThrow('no program')
    expect(log).toEqual(['watch bash_1', 'settle bash_1'])
    await effects.close()
  })

  it('starts and settles only between commands, and not in the middle of one', async () => {
    const { effects, log, run } = open()
    const outlived = effects.watch('bash_1', DIRECT, async () => undefined)
    const other = run('x', 'write')
    await Promise.all([outlived, other])
    expect(log).toEqual(['watch bash_1', 'watch x', 'x on direct', 'settle x', 'settle bash_1'])
    await effects.close()
  })

  it('is waited for at the end', async () => {
    const { effects, log } = open()
    const { ended, end } = gate()
    void effects.watch('bash_1', DIRECT, () => ended)
    const closed = effects.close().then(() => log.push('closed'))
    await setImmediate()
    end()
    await closed
    expect(log).toEqual(['watch bash_1', 'settle bash_1', 'closed'])
  })
})

describe('a command in a view', () => {
  /** A view in which the command does `work`. */
  function openView(work: (upper: string) => CommandResult) {
    const folder = mkdtempSync(join(base, 'views-'))
    const opened = open({
      views: viewsIn(folder),
      start: async (_, checkout) => {
        if (checkout.kind !== 'view') return DONE
        writeFileSync(join(checkout.folder, 'init'), '{ "child-pid": 1 }')
        return work(checkout.layers[0]?.upper ?? '')
      },
      judge: async (changes) => changes.map((each) => ({ change: each, verdict: { kind: 'covered' } })),
    })
    return { ...opened, folder }
  }

  it('has what it changed judged and taken over, and its view removed', async () => {
    const { run, root, effects, folder } = openView((upper) => {
      writeFileSync(join(upper, 'new'), 'n')
      return DONE
    })
    const { effects: report, startError } = await run('x', 'write')
    expect([startError, report?.kept.map(({ path }) => path)]).toEqual([undefined, [join(root, 'new')]])
    expect(readFileSync(join(root, 'new'), 'utf8')).toBe('n')
    await effects.close()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is told why a folder of the project could not be renamed', async () => {
    const stderr = { ...NOTHING, text: 'Invalid cross-device link\n' }
    const { effects, run } = openView(() => ({ ...DONE, stderr }))
    expect((await run('x', 'write')).stderr.text).toContain('cannot be renamed in one step')
    await effects.close()
  })
})
