import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readJournals } from '../../../src/effects/view/journal.ts'
import { listChanges, readUpper } from '../../../src/effects/view/readUpper.ts'
import { takeOver } from '../../../src/effects/view/takeOver.ts'
import { takeOverSteps } from '../../../src/effects/view/takeOverSteps.ts'
import { gitOrder } from '../../../src/git/places/gitPlace.ts'
import { openTar } from '../../../src/sandbox/mounts/openTar.ts'
import { createView } from '../../../src/sandbox/views/createView.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'take-over-test-')))
const far = existsSync('/dev/shm') ? realpathSync(mkdtempSync('/dev/shm/take-over-test-')) : base
afterAll(() => {
  for (const folder of [base, far]) rmSync(folder, { recursive: true, force: true })
})

/** Which file each name is. */
function stampsOf(root: string): string[] {
  return readdirSync(root).map(
    (name) => `${name} ${lstatSync(join(root, name)).ino} ${lstatSync(join(root, name)).mode}`,
  )
}

type Files = Readonly<Record<string, string>>

/** A checkout, and a view of it in which these files are new or changed. */
function makeView(checkout: Files, view: Files, parent = base) {
  const place = mkdtempSync(join(base, 'place-'))
  const root = join(place, 'checkout')
  mkdirSync(root)
  write(root, checkout)
  const folders = createView(mkdtempSync(join(parent, 'views-')), [root])
  const [layer] = folders.layers
  if (layer === undefined) throw new Error('there is no layer')
  write(layer.upper, view)
  return { root, state: join(place, 'state'), view: folders.folder, layer }
}

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), join(folder, path))
    else writeFileSync(join(folder, path), text)
  }
}

async function take(made: ReturnType<typeof makeView>, onStep?: (index: number) => void, order = (_: string) => 0) {
  const root = await readUpper(made.layer, openTar('/usr/bin/tar', made.layer.upper))
  const options = { state: made.state, view: made.view, by: 'toolu_1', order, onStep }
  return takeOver([root], listChanges(root), () => ({ kind: 'covered' }), options)
}

describe('takeOver', () => {
  it.skipIf(far === base || lstatSync(far).dev === lstatSync(base).dev)(
    'copies from another file system, and renames the file only when it is complete (needs two file systems)',
    async () => {
      const made = makeView(
        { 'a/x': 'old', 'd/e/x': 'old', 'd/l': '-> ../a' },
        { 'a/x': 'new', 'b/c/y': 'y', 'b/l': '-> c', d: 'file' },
        far,
      )
      chmodSync(join(made.layer.upper, 'b/c/y'), 0o750)
      expect(await take(made)).toEqual({ state: 'done' })
      expect(treeOf(made.root)).toEqual({
        a: 'folder',
        'a/x': 'new',
        b: 'folder',
        'b/c': 'folder',
        'b/c/y': 'y',
        'b/l': '-> c',
        d: 'file',
      })
      expect(lstatSync(join(made.root, 'b/c/y')).mode & 0o777).toBe(0o750)
      expect(lstatSync(join(made.root, 'b/c/y')).mtimeMs).toBeCloseTo(
        lstatSync(join(made.layer.upper, 'b/c/y')).mtimeMs,
        -1,
      )
    },
  )

  it('takes one rename for a new folder of any size', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n/${index % 7}/${index}`, 'x']))
    const made = makeView({}, files)
    const steps: number[] = []
    expect(await take(made, (index) => steps.push(index))).toEqual({ state: 'done' })
    expect(steps).toEqual([0, 1])
    expect(Object.keys(treeOf(made.root))).toHaveLength(308)
    expect(existsSync(made.state)).toBe(false)
  })

  it('keeps hard links between files', async () => {
    const made = makeView({}, { 'n/a': 'x' })
    linkSync(join(made.layer.upper, 'n/a'), join(made.layer.upper, 'n/b'))
    await take(made)
    expect(lstatSync(join(made.root, 'n/a')).nlink).toBe(2)
  })

  it('does nothing if somebody changed a path meanwhile', async () => {
    const made = makeView({ a: 'old', b: 'old' }, { a: 'new', b: 'new' })
    const root = await readUpper(made.layer, openTar('/usr/bin/tar', made.layer.upper))
    writeFileSync(join(made.root, 'b'), 'of a person')
    const options = { state: made.state, view: made.view, by: 'toolu_1', order: () => 0 }
    const taken = await takeOver([root], listChanges(root), () => ({ kind: 'covered' }), options)
    expect(taken).toEqual({
      ...{ state: 'refused', path: join(made.root, 'b'), why: 'something else changed it meanwhile' },
    })
    expect(treeOf(made.root)).toEqual({ a: 'old', b: 'of a person' })
  })

  it('says what stays if a step fails and another cannot be undone, and leaves no journal', async () => {
    const made = makeView({ 'a/x': 'old', 'b/x': 'old' }, { 'a/x': 'new', 'b/x': 'new' })
    const outside = join(made.root, '../outside')
    mkdirSync(outside)
    const taken = await take(made, (index) => {
      if (index !== 1) return
      for (const name of ['a', 'b']) {
        rmSync(join(made.root, name), { recursive: true })
        symlinkSync(outside, join(made.root, name))
      }
    })
    expect(taken).toMatchObject({
      state: 'unknown',
      why: expect.stringMatching(/; these stay as the command left them: .*a\/x$/),
    })
    expect(readdirSync(outside)).toEqual([])
    expect(readJournals(made.state)).toEqual([])
  })

  it.each([
    ['of one file system', base],
    ['of two file systems, where nothing is replaced', far],
  ])('puts all back if a step fails: %s', async (_, parent) => {
    const isNear = parent === base
    const old: Files = isNear ? { a: 'old', 'c/x': 'x', run: 'old' } : {}
    const made = makeView(old, { a: 'new', b: 'new', 'd/e/f': 'new', z: 'new' }, parent)
    if (isNear) {
      chmodSync(join(made.root, 'run'), 0o640)
      linkSync(join(made.root, 'run'), join(made.root, '../same'))
    }
    const before = [treeOf(made.root), stampsOf(made.root)]
    for (const failing of [1, 2, 3]) {
      const taken = await take(made, (index) => {
        if (index === failing) throw new Error('no space')
      })
      expect(taken).toMatchObject({ state: 'undone', why: 'it could not be taken over (no space)' })
      expect([treeOf(made.root), stampsOf(made.root)]).toEqual(before)
      expect(readJournals(made.state)).toEqual([])
      // What was moved out of the view is gone with it: each try has a view of its own.
      write(made.layer.upper, { a: 'new', b: 'new', 'd/e/f': 'new', z: 'new' })
    }
  })

  it('leaves a file that a failed step did not replace with its one name', async () => {
    const made = makeView({ a: 'old', b: 'old' }, { a: 'new', b: 'new' })
    const taken = await take(made, (index) => {
      if (index === 1) rmSync(join(made.layer.upper, 'b'))
    })
    expect(taken).toMatchObject({ state: 'undone', why: expect.stringContaining('ENOENT') })
    expect(treeOf(made.root)).toEqual({ a: 'old', b: 'old' })
    expect(['a', 'b'].map((name) => lstatSync(join(made.root, name)).nlink)).toEqual([1, 1])
  })

  it('does nothing, and records nothing, where nothing is to be taken', async () => {
    const made = makeView({ a: 'old' }, { a: 'old' })
    expect(await take(made)).toEqual({ state: 'done' })
    expect(existsSync(made.state)).toBe(false)
  })

  it('does nothing if it cannot be recorded', async () => {
    const made = makeView({ a: 'old', b: 'old' }, { a: 'new', b: 'new' })
    writeFileSync(made.state, 'in the way')
    expect(await take(made)).toMatchObject({ state: 'refused', why: expect.stringContaining('cannot be recorded') })
    expect(treeOf(made.root)).toEqual({ a: 'old', b: 'old' })
  })
})

describe('gitOrder', () => {
  it('moves objects first and refs last', async () => {
    const objects = { '.git/objects/ab/c': 'x', '.git/objects/pack/p.pack': 'x' }
    const names = {
      '.git/HEAD': 'x',
      '.git/index': 'x',
      '.git/refs/heads/main': 'x',
      '.git/logs/HEAD': 'x',
      '.git/packed-refs': 'x',
    }
    const made = makeView(
      { '.git/x': 'x', '.git/objects/pack/o': 'x', '.git/refs/heads/o': 'x' },
      { ...names, a: 'x', ...objects },
    )
    const root = await readUpper(made.layer, openTar('/usr/bin/tar', made.layer.upper))
    const order = (path: string) => gitOrder(path, (each) => each.includes('/.git/'))
    const steps = takeOverSteps(root, () => ({ kind: 'covered' }), order)
    const paths = steps.map(({ path }) => path.slice(made.root.length + 1))
    expect(paths.slice(0, 2).sort()).toEqual(['.git/objects/ab', '.git/objects/pack/p.pack'])
    expect(paths[2]).toBe('a')
    expect(paths.slice(3).sort()).toEqual([
      '.git/HEAD',
      '.git/index',
      '.git/logs',
      '.git/packed-refs',
      '.git/refs/heads/main',
    ])
  })
})
