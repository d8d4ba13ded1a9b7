import { execFile, execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readJournals, writeJournal } from '../../../src/effects/view/journal.ts'
import { recoverTakeOvers } from '../../../src/effects/view/recoverTakeOvers.ts'
import { openTestEffects, probeViews, type TestEffectsOptions } from '../../helpers/effects/openTestEffects.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { everyNth } from '../../helpers/sampled.ts'

const base = makeFolder('recover-test-', afterAll)

const { isReady, missing } = await probeViews()

/** One script whose changes need a step of every kind, and several of some. */
const SCRIPT = [
  'echo new > src/a; rm src/b; mv src/moved src/here; ln -sf a src/l',
  'mkdir src/part; mkfifo src/part/f; echo 1 > src/part/1; mkdir src/whole; echo 1 > src/whole/1; echo 2 > src/whole/2',
  'chmod 755 src/mode; rm src/file; mkdir src/file; echo 1 > src/file/1; rm -r src/folder; echo 1 > src/folder',
  'rm -r src/big; mkdir src/big; for i in $(seq 80); do echo $i > src/big/$i; done; rm -r src/small; mkdir src/small; echo 1 > src/small/1',
].join('\n')

function makeCheckout(): { root: string; state: string } {
  const place = mkdtempSync(join(base, 'place-'))
  const root = join(place, 'checkout')
  for (const folder of ['folder/sub', 'big', 'small']) mkdirSync(join(root, 'src', folder), { recursive: true })
  const files = ['a', 'b', 'moved', 'l', 'mode', 'file', 'folder/sub/x', 'big/old', 'big/1', 'small/old', 'small/1']
  for (const name of files) writeFileSync(join(root, 'src', name), `${name}\n`)
  return { root, state: join(place, 'state') }
}

/** Plays the script in a process of its own, which is killed before that step of the take-over. */
function play(options: TestEffectsOptions & { readonly killAt?: number }): Promise<NodeJS.Signals | null> {
  const file = join(import.meta.dirname, '../../helpers/effects/effectsChild.ts')
  const args = ['--import', 'tsx', file, JSON.stringify({ ...options, scripts: [SCRIPT] })]
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error) => resolve(error?.signal ?? null))
  })
}

const modeOf = (root: string) => lstatSync(join(root, 'src/mode')).mode & 0o777

describe.skipIf(!isReady)(`a take-over that is killed${missing}`, () => {
  it('leaves the checkout in its old or new state, or a journal to finish it, at any moment', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const whole = makeCheckout()
    const before = treeOf(whole.root)
    let steps = 0
    const { run, close } = await openTestEffects({ ...whole, roots: [whole.root], onStep: (index) => (steps = index) })
    expect((await run(SCRIPT)).report.undone).toEqual([])
    await close()
    const after = treeOf(whole.root)
    expect(readJournals(whole.state)).toEqual([])
    expect(steps).toBeGreaterThan(12)

    const kill = async (killAt: number) => {
      const { root, state } = makeCheckout()
      expect(await play({ roots: [root], state, killAt })).toBe('SIGKILL')
      if (killAt === 0) expect(treeOf(root)).toEqual(before)
      if (killAt === steps) expect(treeOf(root)).toEqual(after)
      const [recovered, ...others] = await recoverTakeOvers(state, undefined)
      expect(others).toEqual([])
      expect(recovered).toMatchObject({ by: 'toolu_1', conflicts: [] })
      expect(recovered?.problem).toBeUndefined()
      expect({ killAt, tree: treeOf(root) }).toEqual({ killAt, tree: after })
      expect(modeOf(root)).toBe(0o755)
      expect(readdirSync(state)).toEqual([])
    }
    const all = [
      ...everyNth(
        Array.from({ length: steps }, (_, index) => index),
        4,
      ),
      steps,
    ]
    const next = async (): Promise<void> => {
      const index = all.shift()
      if (index === undefined) return
      await kill(index)
      await next()
    }
    await Promise.all([next(), next(), next()])
  })

  it('leaves alone what somebody has changed since, and says so', { tags: 'long' }, async () => {
    const { root, state } = makeCheckout()
    expect(await play({ roots: [root], state, killAt: 2 })).toBe('SIGKILL')
    writeFileSync(join(root, 'src/a'), 'of a person\n')
    const recovered = await recoverTakeOvers(state, undefined)
    expect(recovered).toMatchObject([{ conflicts: [join(root, 'src/a')] }])
    expect(readFileSync(join(root, 'src/a'), 'utf8')).toBe('of a person\n')
    expect(readFileSync(join(root, 'src/folder'), 'utf8')).toBe('1\n')
  })

  it('is finished once by a later run, and its view is removed', { tags: 'long' }, async () => {
    const { root, state } = makeCheckout()
    expect(await play({ roots: [root], state, killAt: 1 })).toBe('SIGKILL')
    const { sandbox, close } = await openTestEffects({ roots: [root], state })
    expect(await recoverTakeOvers(state, sandbox.views.folder)).toHaveLength(1)
    expect(await recoverTakeOvers(state, sandbox.views.folder)).toEqual([])
    await close()
    expect(readdirSync(join(root, '..')).sort()).toEqual(['checkout', 'state'])
  })
})

describe('recoverTakeOvers', () => {
  it('does nothing without a folder', async () => {
    expect(await recoverTakeOvers(join(base, 'none'), undefined)).toEqual([])
  })

  it('keeps the journal of a running run', async () => {
    const state = join(base, 'alive')
    const path = join(base, 'kept')
    writeFileSync(path, '')
    const step = {
      kind: 'remove',
      path,
      before: { ino: lstatSync(path).ino, size: 0, changed: lstatSync(path).mtimeMs },
    } as const
    writeJournal(state, 'view-1', { by: 'toolu_1', view: join(base, 'view-1'), changes: [], steps: [step] })
    expect(await recoverTakeOvers(state, undefined)).toEqual([])
    expect(lstatSync(path).isFile()).toBe(true)
    expect(readJournals(state)).toHaveLength(1)
  })

  it('reports what is lost if the view is gone, and does not retry', { tags: 'long' }, async () => {
    const { root, state } = makeCheckout()
    if (!isReady) return
    expect(await play({ roots: [root], state, killAt: 1 })).toBe('SIGKILL')
    const view = readJournals(state)[0]?.entry?.view ?? ''
    // The kernel leaves a folder in it that its owner cannot list.
    execFileSync('chmod', ['-R', 'u+rwX', view])
    rmSync(view, { recursive: true })
    const [recovered] = await recoverTakeOvers(state, undefined)
    expect(recovered?.conflicts).toContain(join(root, 'src/whole'))
    expect(await recoverTakeOvers(state, undefined)).toEqual([])
  })
})

describe('a journal that cannot be read', () => {
  it.each([
    ['torn', '{"steps":[{"kind"'],
    ['something else', '[]'],
    ['null', 'null'],
  ])('%s: is reported once, and the others are finished', async (_, text) => {
    const { state } = makeCheckout()
    mkdirSync(state)
    writeFileSync(join(state, 'a.take-over.json'), text)
    const [first, ...others] = await recoverTakeOvers(state, undefined)
    expect(others).toEqual([])
    const problem = `${join(state, 'a.take-over.json')} cannot be read`
    expect(first).toEqual({ by: '', changes: [], conflicts: [], problem })
    expect(await recoverTakeOvers(state, undefined)).toEqual([])
  })
})
