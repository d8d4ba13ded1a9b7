import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { EffectsReport } from '../../src/contracts/effects.ts'
import {
  openTestEffects,
  probeViews,
  type TestEffects,
  type TestEffectsOptions,
} from '../helpers/effects/openTestEffects.ts'

export const base = realpathSync(mkdtempSync(join(tmpdir(), 'effects-test-')))
export let opened: TestEffects[] = []

/** Closes what the tests of a file open, and removes their checkouts. Each test file calls it. */
export function useCheckouts(): void {
  beforeAll(() => void mkdirSync(base, { recursive: true }))
  afterEach(async () => {
    for (const each of opened) await each.close()
    opened = []
  })
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+rwX', base])
    rmSync(base, { recursive: true, force: true })
  })
}

export const { isReady, missing } = await probeViews()

/** A checkout with `src/a`, `src/b`, `docs/x`, `docs/y`, `docs/sub/z`, `README.md` and an ignored `dist/old`. */
export function makeCheckout(name = 'checkout'): string {
  const root = join(mkdtempSync(join(base, 'place-')), name)
  for (const folder of ['src', 'docs/sub', 'dist']) mkdirSync(join(root, folder), { recursive: true })
  for (const path of ['src/a', 'src/b', 'docs/x', 'docs/y', 'docs/sub/z', 'README.md', 'dist/old']) {
    writeFileSync(join(root, path), `${path}\n`)
  }
  return root
}

export async function open(options: TestEffectsOptions): Promise<TestEffects> {
  const one = await openTestEffects(options)
  opened.push(one)
  return one
}

export function namesOf(root: string, report: EffectsReport) {
  const short = (path: string) => path.slice(root.length + 1)
  return {
    kept: report.kept.map(({ kind, path }) => `${kind} ${short(path)}`).sort(),
    leftOut: report.leftOut.map(({ change }) => short(change.path)).sort(),
    undone: report.undone.map(({ change }) => `${change.kind} ${short(change.path)}`).sort(),
    scratch: report.scratch,
  }
}

export const NONE = { kept: [], leftOut: [], undone: [], scratch: {} }
