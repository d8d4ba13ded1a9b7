import { beforeAll } from 'vitest'
import { type PlayedCheckout, playChanges } from '../../helpers/effects/playChanges.ts'

/** `main`: src/a and docs/a; the branch `other` has another docs/a, the branch `code` another src/a. */
export const START = [
  'git init -q; mkdir src docs; echo a > src/a; echo a > docs/a; git add -A; git commit -qm start',
  'git checkout -qb other; echo o > docs/a; git commit -qam other',
  'git checkout -qb code main; echo c > src/a; git commit -qam code; git checkout -q main',
].join('\n')

export const ALTERNATE = 'git init -q --bare ../more; echo "$(cd ..; pwd)/more/objects" > .git/objects/info/alternates'

let start: PlayedCheckout

/** Makes the checkout from which all tests of a file start. Each test file calls it. */
export function useGitCheckout(): void {
  beforeAll(() => {
    let clean = (): void => undefined
    start = playChanges(/^/, undefined, (end) => {
      clean = end
    })
    start.prepare(START)
    return () => clean()
  })
}

export function checkout(prepare: string): PlayedCheckout {
  const played = playChanges(/^src(?:\/|$)/)
  played.startFrom(start.root)
  if (prepare !== 'true') played.prepare(prepare)
  return played
}

export const row = (why: string, script: string, prepare = 'true') => ({ why, script, prepare })
export const inGit = (verdicts: readonly string[]) => verdicts.filter((line) => line.startsWith('.git/'))
export const badIn = (verdicts: readonly string[]) => verdicts.filter((line) => / (?:refused|never)$/.test(line))
