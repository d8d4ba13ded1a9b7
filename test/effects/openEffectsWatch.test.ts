import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/contracts/commands.ts'
import type { CommandEffects, EffectsReport } from '../../src/contracts/effects.ts'
import { openEffects } from '../../src/effects/openEffects.ts'
import { openTar } from '../../src/sandbox/mounts/openTar.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'
import { treeOf } from '../helpers/runs/treeOf.ts'

const STREAM = { text: '', bytes: 0, isTruncated: false }
const DONE: CommandResult = {
  ...{ exitCode: 0, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1, durationMs: 1 },
  ...{ stdout: STREAM, stderr: STREAM },
}
const NOTHING: EffectsReport = { state: 'watched', kept: [], scratch: {}, leftOut: [], undone: [] }
const change = { path: '/p/a', kind: 'modified', entry: 'file' } as const
const DIRECT: CommandEffects = { access: 'direct', mayChangeGit: false, by: 'bash_1' }

/** Transactions whose watches report what `reports` says, in that order, and then nothing. */
function open({ reports = [], onView }: { reports?: EffectsReport[]; onView?: (upper: string) => CommandResult } = {}) {
  const folder = makeFiles({ 'p/src/a': 'old', 'views/': '' })
  const log: string[] = []
  const report = async (what: string, by: string) => {
    log.push(`${what} ${by}`)
    return reports.shift() ?? NOTHING
  }
  const effects = openEffects({
    ...{ roots: [join(folder, 'p')], isReadOnlyEnforced: true, state: join(folder, 'state'), directFolders: () => [] },
    views: onView && { folder: join(folder, 'views'), tar: openTar('/usr/bin/tar', join(folder, 'views')) },
    start: async (_, checkout) => {
      if (checkout.kind !== 'view' || onView === undefined) return DONE
      writeFileSync(join(checkout.folder, 'init'), '{ "child-pid": 1 }')
      return onView(checkout.layers[0]?.upper ?? '')
    },
    judge: async (changes) => changes.map((each) => ({ change: each, verdict: { kind: 'covered' } })),
    account: { before: () => undefined, after: () => undefined },
    watch: async ({ by }) => {
      log.push(`watch ${by}`)
      return { look: () => report('look', by), settle: () => report('settle', by) }
    },
  })
  const run = (effect: CommandEffects = { access: 'write', mayChangeGit: false, by: 'toolu_1' }) =>
    effects.run({
      ...{ file: 'x', args: [], cwd: join(folder, 'p'), timeoutMs: 1, effects: effect },
      signal: new AbortController().signal,
    })
  return { effects, log, run, folder, tree: () => treeOf(join(folder, 'p')) }
}

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
    const undone = { ...NOTHING, undone: [{ change, why: 'no rule' }] }
    const { effects, log } = open({ reports: [undone, NOTHING, { ...NOTHING, kept: [change] }] })
    const { ended, end } = gate()
    const outlived = effects.watch('bash_1', DIRECT, () => ended)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await effects.look()).toEqual([{ ...undone, of: 'bash_1' }])
    expect(await effects.look()).toEqual([])
    end()
    await outlived
    expect(await effects.look()).toEqual([{ ...NOTHING, kept: [change], of: 'bash_1' }])
    expect(await effects.look()).toEqual([])
    expect(log).toEqual(['watch bash_1', 'look bash_1', 'look bash_1', 'settle bash_1'])
    await effects.close()
  })

  it.each<[string, Partial<EffectsReport>]>([
    ['what was left out', { leftOut: [{ change, why: 'no rule' }] }],
    ['what is unknown', { unknown: 'no space' }],
  ])('is told of for %s', async (_, report) => {
    const { effects } = open({ reports: [{ ...NOTHING, ...report }] })
    await effects.watch('bash_1', DIRECT, async () => undefined)
    expect(await effects.look()).toEqual([{ ...NOTHING, ...report, of: 'bash_1' }])
    await effects.close()
  })

  it('is settled although its start fails, and the failure is passed on', async () => {
    const { effects, log } = open()
    await expect(effects.watch('bash_1', DIRECT, () => Promise.reject(new Error('no program')))).rejects.toThrow(
      'no program',
    )
    expect(log).toEqual(['watch bash_1', 'settle bash_1'])
    await effects.close()
  })

  it('starts and settles only between commands, and not in the middle of one', async () => {
    const { effects, log, run } = open()
    const outlived = effects.watch('bash_1', DIRECT, async () => undefined)
    const other = run()
    await Promise.all([outlived, other])
    expect(log).toEqual(['watch bash_1', 'watch toolu_1', 'settle toolu_1', 'settle bash_1'])
    await effects.close()
  })

  it('is waited for at the end', async () => {
    const { effects, log } = open()
    const { ended, end } = gate()
    void effects.watch('bash_1', DIRECT, () => ended)
    const closed = effects.close().then(() => log.push('closed'))
    await new Promise((resolve) => setImmediate(resolve))
    end()
    await closed
    expect(log).toEqual(['watch bash_1', 'settle bash_1', 'closed'])
  })
})

describe('a command in a view', () => {
  it('has what it changed judged and taken over, and its view removed', async () => {
    const onView = (upper: string) => {
      writeFileSync(join(upper, 'new'), 'n')
      return DONE
    }
    const { effects, run, tree, folder } = open({ onView })
    const { effects: report, startError } = await run()
    expect([startError, report?.kept.map(({ path }) => path)]).toEqual([undefined, [join(folder, 'p/new')]])
    expect(tree()['new']).toBe('n')
    await effects.close()
    expect(treeOf(join(folder, 'views'))).toEqual({})
  })

  it('is told why a folder of the project could not be renamed', async () => {
    const stderr = { ...STREAM, text: 'Invalid cross-device link\n' }
    const { effects, run } = open({ onView: () => ({ ...DONE, stderr }) })
    expect((await run()).stderr.text).toContain('cannot be renamed in one step')
    await effects.close()
  })
})
