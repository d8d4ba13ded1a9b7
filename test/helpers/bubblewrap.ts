import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'
import { isAll } from './sampled.ts'

/** Whether commands can run in a sandbox here. */
export const hasBubblewrap = spawnSync('bwrap', ['--ro-bind', '/', '/', '--proc', '/proc', 'true']).status === 0
/** What the name of a test that needs it ends with. */
export const needsBubblewrap = hasBubblewrap ? '' : ' (needs bubblewrap)'

/**
 * Tests of what a run does with and without a sandbox. The quick suite plays the latter, which starts everywhere and faster.
 * CI, which has run that one, plays the former where there is a sandbox; the night plays both.
 */
export function describeModes(name: string, tests: (mode: 'off' | 'required') => void): void {
  describe(`${name}, sandbox off`, { tags: isAll && hasBubblewrap ? 'night' : [] }, () => tests('off'))
  const required = `${name}, sandbox required${needsBubblewrap}`
  describe.skipIf(!hasBubblewrap)(required, { tags: 'long' }, () => tests('required'))
}
