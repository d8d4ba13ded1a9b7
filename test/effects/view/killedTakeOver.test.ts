import { chmodSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJournals, writeJournal } from '../../../src/effects/view/journal.ts'
import { listChanges } from '../../../src/effects/view/readUpper.ts'
import { recoverTakeOvers } from '../../../src/effects/view/recoverTakeOvers.ts'
import { takeOver } from '../../../src/effects/view/takeOver.ts'
import { gitOrder } from '../../../src/git/places/gitPlace.ts'
import { hasWhiteouts, type MadeLayer, makeLayer, withoutWhiteouts } from '../../helpers/effects/makeLayer.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { isAll } from '../../helpers/sampled.ts'

/** Needs a step of every kind, and several of some. */
const CHANGES: MadeLayer = {
  checkout: {
    ...{ a: 'a', b: 'b', 'folder/sub/x': 'x', file: 'file', mode: 'mode', l: '-> b' },
    ...{ 'stays/a': 'a', 'locked/a': 'a' },
  },
  view: {
    ...{ a: 'new', folder: 'a file now', 'file/x': 'a folder now', mode: 'mode', l: '-> a', 'stays/n': 'n' },
    ...{ 'part/kept': '1', 'part/out': '2', 'whole/deep/x': '3', 'locked/n': 'n' },
    ...{ '.git/objects/ab/c': 'object', '.git/refs/heads/x': 'ref', '.git/HEAD': 'HEAD' },
  },
  gone: ['b', 'stays/a'],
}
const MODES = {
  ...{ mode: 0o755, 'part/kept': 0o640, part: 0o2750, 'whole/deep': 0o500, whole: 0, locked: 0o555, file: 0o711 },
}

async function makeTakeOver() {
  const made = makeLayer(CHANGES)
  for (const [path, mode] of Object.entries(MODES)) chmodSync(made.atUpper(path), mode)
  const tree = await made.read()
  const isOut = (path: string) => path.endsWith('/out')
  const options = {
    ...{ state: made.state, view: made.view, by: 'toolu_1' },
    order: (path: string) => gitOrder(path, (each) => each.includes('/.git/')),
  }
  const changes = listChanges(tree)
  const run = () =>
    takeOver(
      [tree],
      changes,
      ({ path }) => (isOut(path) ? { kind: 'refused', why: 'x' } : { kind: 'covered' }),
      options,
    )
  return { ...made, changes, run }
}

/** Content and modes of a checkout; what is locked is opened for it. */
function stateOf(root: string): Record<string, string> {
  const modes: Record<string, string> = {}
  const visit = (folder: string) => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      const stat = lstatSync(path)
      modes[path.slice(root.length + 1)] = stat.isSymbolicLink() ? 'link' : (stat.mode & 0o7777).toString(8)
      if (!stat.isDirectory()) continue
      chmodSync(path, 0o700)
      visit(path)
    }
  }
  visit(root)
  return Object.fromEntries(Object.entries(treeOf(root)).map(([path, text]) => [path, `${modes[path]} ${text}`]))
}

/** As if the process that wrote the journals had ended long ago. */
function endOwner(state: string): void {
  for (const { file } of readJournals(state)) {
    const entry = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...entry, owner: { ...entry.owner, boot: 'an earlier one' } }))
  }
}

describe.skipIf(!hasWhiteouts)(`a take-over of many steps${withoutWhiteouts}`, () => {
  it('is recorded before the first step and until the last; objects of git come first, its names last', async () => {
    const { root, run, view } = await makeTakeOver()
    const recorded = recordCalls(join(root, '..'))
    expect(await run()).toEqual({ state: 'done' })
    const name = view.slice(join(root, '../').length)
    const calls = recorded.calls.map((call) => call.replaceAll(`${name}/0/upper`, 'view').replaceAll(name, 'NAME'))
    const at = (call: string) => calls.findIndex((each) => each.includes(call))
    expect(calls.filter((call) => call.includes('state') && !call.startsWith('unlink'))).toEqual([
      ...['mkdir state', 'open state/new', 'write state/new', 'fsync state/new'],
      ...[expect.stringMatching(/^rename state\/new state\/.*\.take-over\.json$/), 'fsync state'],
      expect.stringMatching(/^rm state\/.*\.take-over\.json$/),
    ])
    expect(at('fsync state')).toBeLessThan(at('checkout'))
    expect(calls.slice(at('rm state')).filter((call) => !call.includes('state'))).toEqual([])
    const puts = calls.filter((call) => call.startsWith('rename view/'))
    expect(puts[0]).toContain('.git')
    expect(calls.filter((call) => !call.includes(' view/') && call.startsWith('rename checkout'))).not.toEqual([])
  })

  it('leaves the checkout as before, as after, or with a journal that a later run finishes, wherever it is killed', async () => {
    const whole = await makeTakeOver()
    const before = stateOf((await makeTakeOver()).root)
    const counted = recordCalls(join(whole.root, '..'))
    expect(await whole.run()).toEqual({ state: 'done' })
    const count = counted.calls.length
    const after = stateOf(whole.root)
    expect(count).toBeGreaterThan(30)
    for (let killedAt = 0; killedAt < count; killedAt += isAll ? 1 : 5) {
      const { root, state, view, run, changes } = await makeTakeOver()
      const recorded = recordCalls(join(root, '..'))
      recorded.killAt(killedAt)
      await run().catch(() => undefined)
      recorded.revive()
      endOwner(state)
      const journals = readJournals(state).length
      const recovered = await recoverTakeOvers(state, undefined)
      expect(recovered).toEqual(journals === 0 ? [] : [{ by: 'toolu_1', changes, conflicts: [] }])
      expect({ killedAt, call: recorded.calls[killedAt], tree: stateOf(root) }).toEqual({
        ...{ killedAt, call: recorded.calls[killedAt] },
        tree: journals === 0 && killedAt < count - 1 ? before : after,
      })
      expect(readJournals(state)).toEqual([])
      expect(readdirSync(join(view, '..'))).toEqual(journals === 0 ? [view.split('/').at(-1)] : [])
    }
  })
})

it('says why a killed take-over cannot be finished, once', async () => {
  const { at, state, view } = makeLayer({})
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const step = { kind: 'folder', path: at('none/d'), mode: 0o755, ...owner } as const
  writeJournal(state, 'view-1', { by: 'toolu_1', view, changes: [], steps: [step] })
  endOwner(state)
  const problem = expect.stringContaining('ENOENT')
  expect(await recoverTakeOvers(state, undefined)).toEqual([{ by: 'toolu_1', changes: [], conflicts: [], problem }])
  expect(await recoverTakeOvers(state, undefined)).toEqual([])
})
