import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJournals, writeJournal } from '../../../src/effects/view/journal.ts'
import { recoverTakeOvers } from '../../../src/effects/view/recoverTakeOvers.ts'
import { openTestEffects, probeViews } from '../../helpers/effects/openTestEffects.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const base = makeFolder('recover-test-')

const { isReady, missing } = await probeViews()

const SCRIPT = 'for name in a b c; do echo new > src/$name; done; mkdir src/whole; echo 1 > src/whole/1; rm src/gone'

function makeCheckout(): { root: string; state: string } {
  const place = mkdtempSync(join(base, 'place-'))
  const root = join(place, 'checkout')
  mkdirSync(join(root, 'src'), { recursive: true })
  for (const name of ['a', 'b', 'c', 'gone']) writeFileSync(join(root, 'src', name), `${name}\n`)
  return { root, state: join(place, 'state') }
}

/** Plays the script in a process of its own, which is killed in the middle of the take-over. */
async function playKilled() {
  const { root, state } = makeCheckout()
  const file = join(import.meta.dirname, '../../helpers/effects/effectsChild.ts')
  const play = { roots: [root], state, scripts: [SCRIPT], killAt: 1 }
  const signal = await new Promise((resolve) => {
    const args = ['--import', 'tsx', file, JSON.stringify(play)]
    execFile(process.execPath, args, (error) => resolve(error?.signal))
  })
  expect(signal).toBe('SIGKILL')
  return { root, state }
}

describe.skipIf(!isReady)(`a take-over that is killed${missing}`, () => {
  it('is finished once by a later run, but for what somebody has changed since, and its view is removed', {
    tags: 'long',
  }, async () => {
    const { root, state } = await playKilled()
    writeFileSync(join(root, 'src/b'), 'of a person\n')
    const { sandbox, close } = await openTestEffects({ roots: [root], state })
    const [recovered, ...others] = await recoverTakeOvers(state, sandbox.views.folder)
    expect([recovered?.by, recovered?.conflicts, others]).toEqual(['toolu_1', [join(root, 'src/b')], []])
    expect(await recoverTakeOvers(state, sandbox.views.folder)).toEqual([])
    await close()
    expect(readdirSync(join(root, 'src'))).toEqual(['a', 'b', 'c', 'whole'])
    const texts = ['a', 'b', 'c', 'whole/1'].map((name) => readFileSync(join(root, 'src', name), 'utf8'))
    expect(texts).toEqual(['new\n', 'of a person\n', 'new\n', '1\n'])
    expect(readdirSync(join(root, '..')).sort()).toEqual(['checkout', 'state'])
  })
})

describe('recoverTakeOvers', () => {
  it('does nothing without a folder', async () => {
    expect(await recoverTakeOvers(join(base, 'none'), undefined)).toEqual([])
  })

  it('keeps the journal of a running run', async () => {
    const { root, state } = makeCheckout()
    const path = join(root, 'src/a')
    const { ino, size, mtimeMs: changed } = lstatSync(path)
    const step = { kind: 'remove', path, before: { ino, size, changed } } as const
    writeJournal(state, 'view-1', { by: 'toolu_1', view: join(base, 'view-1'), changes: [], steps: [step] })
    expect(await recoverTakeOvers(state, undefined)).toEqual([])
    expect(lstatSync(path).isFile()).toBe(true)
    expect(readJournals(state)).toHaveLength(1)
  })

  it('reports a journal that cannot be read once', async () => {
    const { state } = makeCheckout()
    mkdirSync(state)
    writeFileSync(join(state, 'a.take-over.json'), '{"steps":[{"kind"')
    const problem = `${join(state, 'a.take-over.json')} cannot be read`
    expect(await recoverTakeOvers(state, undefined)).toEqual([{ by: '', changes: [], conflicts: [], problem }])
    expect(await recoverTakeOvers(state, undefined)).toEqual([])
  })
})
