import type { InitEvent, RefChange } from '../contracts/events.ts'

/** `1 min 5 s`, `4.2 s`, `12 ms`: a duration for people. */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 10_000) return `${(milliseconds / 1_000).toFixed(1).replace('.0', '')} s`
  const seconds = Math.round(milliseconds / 1_000)
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).slice(0, 2)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** `$0.0042`, `$1.25`, `at least $1.25`; `unknown` if a used model has no price. */
export function formatCost(dollars: number | null, isWhole = true): string {
  if (dollars === null) return 'unknown'
  return `${isWhole ? '' : 'at least '}$${dollars.toFixed(dollars > 0 && dollars < 0.1 ? 4 : 2)}`
}

/** `1,234,567`, for a whole number. `Intl` would take 15 ms for its first one. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 call`, `2 calls`: a number and its noun. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The text on one line, cut with an ellipsis after `most` characters; no character is split. */
export function oneLine(text: string, most: number): string {
  const flat = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim()
  if (flat.length <= most) return flat
  return `${flat.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

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

/** A path as a word of a command line that people copy. */
export function quotedPath(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
