import { parseArgs } from 'node:util'
import type { Sample } from './sample.ts'

/** What `npm run mutate` is asked for. */
export type Words = {
  readonly isAgain: boolean
  readonly sample: Sample | undefined
  /** One of so many parts of the targets, counted from 1. */
  readonly shard: { readonly part: number; readonly of: number }
  /** Files and folders; none means all. */
  readonly names: readonly string[]
}

const WHOLE = /^[0-9]+$/

/** The words of a command line. Throws where one would measure something else than was asked for. */
export function readWords(argv: readonly string[]): Words {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      again: { type: 'boolean', default: false },
      sample: { type: 'string' },
      seed: { type: 'string' },
      shard: { type: 'string', default: '1/1' },
    },
  })
  const { again: isAgain, sample, seed } = values
  if (seed !== undefined && sample === undefined) throw new Error('--seed chooses a sample: give --sample N too.')
  if (isAgain && sample !== undefined) throw new Error('--again keeps what a whole run found: not with --sample.')
  const [part = Number.NaN, of = Number.NaN] = values.shard.split('/').map((word) => number('--shard', word, 1))
  if (!(part <= of)) throw new Error(`--shard takes PART/PARTS, such as 1/4: ${values.shard}`)
  return {
    isAgain,
    sample:
      sample === undefined
        ? undefined
        : { size: number('--sample', sample, 1), seed: seed === undefined ? 1 : number('--seed', seed, 0) },
    shard: { part, of },
    names: positionals,
  }
}

function number(option: string, word: string, least: number): number {
  const value = WHOLE.test(word) ? Number(word) : -1
  if (value < least) throw new Error(`${option} takes whole numbers from ${least}: ${word}`)
  return value
}
