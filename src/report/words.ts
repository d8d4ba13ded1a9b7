import type { InitEvent, RefChange } from '../contracts/events.ts'
import { oneLine } from '../lib/text/words.ts'

/** `network none (enforced)`, `network: unrestricted`: an open network enforces nothing, so it has no state. */
export function networkWords({ mode, state }: InitEvent['network']): string {
  return mode === 'open' ? 'network: unrestricted' : `network ${mode} (${state})`
}

/** What is in force, in one phrase, with the reason where there is no sandbox and how to find out more. */
export function wallWords({ sandbox, effects, network }: InitEvent): string {
  const { mode, state, detail } = sandbox
  const why =
    state === 'enforced' ? '' : mode === 'off' ? ' by the policy' : ` (${oneLine(detail, 200)}; see kode-run doctor)`
  const wall = detail.startsWith('landlock') ? 'landlock' : state
  return `sandbox ${wall}${why}${effects === undefined ? '' : `, changes ${effects.state}`}, ${networkWords(network)}`
}

/** `new at 1a2b3c4`, `removed`, `refs/heads/main → refs/heads/work`: what happened to a name of git's. */
export function refWords({ before, now }: RefChange): string {
  const short = (word: string) => (word.startsWith('refs/') ? word : word.slice(0, 7))
  if (now === null) return 'removed'
  return before === null ? `new at ${short(now)}` : `${short(before)} → ${short(now)}`
}
