import { chmodSync, existsSync, linkSync, lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readJournals } from '../../../src/effects/view/journal.ts'
import { listChanges } from '../../../src/effects/view/readUpper.ts'
import { takeOver } from '../../../src/effects/view/takeOver.ts'
import { writeFiles } from '../../helpers/effects/makeFiles.ts'
import { type MadeLayer, makeLayer } from '../../helpers/effects/makeLayer.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

/** A take-over of all that a view changed. `renamed` names a call as `recordCalls` does. */
function lab(made: MadeLayer) {
  const layer = makeLayer(made)
  const { root, state, view, atUpper, at, read } = layer
  const base = dirname(root)
  const renamed = (from: string, to: string) => `rename ${from.slice(base.length + 1)} ${to.slice(base.length + 1)}`
  return {
    ...layer,
    ...recordCalls(base),
    putting: (name: string) => renamed(atUpper(name), at(name)),
    restoring: (step: number, name: string) => renamed(join(view, 'trash', `${step}.old`), at(name)),
    tree: () => treeOf(root),
    async take() {
      const tree = await read()
      const options = { state, view, by: 'toolu_1', order: () => 0 }
      return takeOver([tree], listChanges(tree), () => ({ kind: 'covered' }), options)
    },
  }
}

it('takes one rename for a new folder of any size, which needs no journal', async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n/${index % 7}/${index}`, 'x']))
  const { take, calls, tree, state, putting } = lab({ view: files })
  expect(await take()).toEqual({ state: 'done' })
  expect(calls).toEqual([putting('n')])
  expect(Object.keys(tree())).toHaveLength(308)
  expect(existsSync(state)).toBe(false)
})

it('says what stays if a step fails and another cannot be undone, and leaves no journal', async () => {
  const { take, fail, putting, restoring, tree, state, at } = lab({
    checkout: { a: 'old', b: 'old' },
    view: { a: 'new', b: 'new' },
  })
  fail(putting('b'), 'ENOSPC')
  fail(restoring(0, 'a'), 'EIO')
  const why = `ENOSPC: made to fail; these stay as the command left them: ${at('a')}`
  expect(await take()).toEqual({ state: 'unknown', why })
  expect(tree()).toEqual({ a: 'new', b: 'old' })
  expect(readJournals(state)).toEqual([])
})

it.each(['b', 'd', 'z'])('puts all back if the step for %s fails', async (failing) => {
  const view = { a: 'new', b: 'new', 'd/e/f': 'new', run: 'new', z: 'new' }
  const { take, fail, putting, tree, state, root, at, atUpper } = lab({
    checkout: { a: 'old', 'c/x': 'x', run: 'old' },
    view,
  })
  chmodSync(at('run'), 0o640)
  linkSync(at('run'), join(root, '../same'))
  const stamps = () => readdirSync(root).map((name) => [name, lstatSync(at(name)).ino, lstatSync(at(name)).mode])
  const before = [tree(), stamps()]
  fail(putting(failing), 'ENOSPC')
  const why = 'it could not be taken over (ENOSPC: made to fail)'
  expect(await take()).toEqual({ state: 'undone', path: at(failing), why })
  expect([tree(), stamps()]).toEqual(before)
  expect(readJournals(state)).toEqual([])
  // What was moved out of the view is gone with it: each try has a view of its own.
  writeFiles(atUpper(''), view)
  expect(await take()).toMatchObject({ state: 'undone' })
})

it('leaves a file that a failed step did not replace with its one name', async () => {
  const { take, fail, putting, at } = lab({ checkout: { a: 'old', b: 'old' }, view: { a: 'new', b: 'new' } })
  fail(putting('b'), 'EACCES')
  await take()
  expect(['a', 'b'].map((name) => lstatSync(at(name)).nlink)).toEqual([1, 1])
})

it('does nothing if it cannot be recorded', async () => {
  const { take, tree, state } = lab({ checkout: { a: 'old', b: 'old' }, view: { a: 'new', b: 'new' } })
  writeFileSync(state, 'in the way')
  expect(await take()).toMatchObject({ state: 'refused', why: expect.stringContaining('cannot be recorded') })
  expect(tree()).toEqual({ a: 'old', b: 'old' })
})
