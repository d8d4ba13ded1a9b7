import { Worker } from 'node:worker_threads'
import { orElse } from '../../lib/orElse.ts'
import { MAX_LINE_CHARS, type SearchQuery } from './SearchQuery.ts'

/** First and last line of a match, counted from 0, the matching texts if requested, and the first one of a long line. */
export type LineRange = readonly [first: number, last: number, texts?: readonly string[]]

const MAX_MATCHES = 20_000

/** Text, so that no file beside the program is needed. Goes line by line, or, if multiline, over the whole text. */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const { source, flags, isMultiline, isOnlyMatching } = workerData
const pattern = new RegExp(source, flags)
const every = new RegExp(source, flags.includes('g') ? flags : flags + 'g')
const textsIn = (line) => {
  if (isOnlyMatching) return [Array.from(line.matchAll(every), (match) => match[0])]
  return line.length > ${MAX_LINE_CHARS} ? [[pattern.exec(line)?.[0] ?? '']] : []
}
parentPort.on('message', (text) => {
  const ranges = []
  if (!isMultiline) {
    const lines = text.split('\\n')
    if (lines.at(-1) === '') lines.pop()
    lines.forEach((line, index) => {
      const own = line.replace(/\\r$/, '')
      if (ranges.length < ${MAX_MATCHES} && pattern.test(own)) ranges.push([index, index, ...textsIn(own)])
    })
    return parentPort.postMessage(ranges)
  }
  let line = 0
  let at = 0
  const lineOf = (offset) => {
    for (let end = text.indexOf('\\n', at); end !== -1 && end < offset; end = text.indexOf('\\n', at)) {
      line += 1
      at = end + 1
    }
    return line
  }
  for (const match of text.matchAll(pattern)) {
    if (ranges.length === ${MAX_MATCHES}) break
    ranges.push([lineOf(match.index), lineOf(match.index + Math.max(match[0].length - 1, 0)), [match[0]]])
  }
  parentPort.postMessage(ranges)
})
`

/**
 * A matcher that can be stopped. A JavaScript expression may run forever, so it runs in a worker thread that ends with
 * the signal. Throws if the pattern is not valid in JavaScript.
 */
export function createLineMatcher(query: SearchQuery, signal: AbortSignal) {
  const { source, flags } = toExpression(query)
  const worker = new Worker(WORKER, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { source, flags, isMultiline: query.isMultiline, isOnlyMatching: query.isOnlyMatching },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  let pending: { resolve(ranges: readonly LineRange[]): void; reject(error: unknown): void } | undefined
  worker.on('message', (ranges: readonly LineRange[]) => pending?.resolve(ranges))
  worker.on('error', (error) => pending?.reject(error))
  worker.on('exit', () => pending?.reject(signal.reason ?? new Error('the search ended by itself')))
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  return {
    /** One text at a time. */
    match: (text: string) =>
      new Promise<readonly LineRange[]>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        pending = { resolve, reject }
        worker.postMessage(text)
      }),
    async close() {
      signal.removeEventListener('abort', end)
      await worker.terminate()
    },
  }
}

/** Moves flags from inside a ripgrep pattern to JavaScript's flags. Uses Unicode mode if the pattern allows it. */
function toExpression({ pattern, isCaseIgnored, isMultiline }: SearchQuery): { source: string; flags: string } {
  const inline = /^\(\?([ims]+)\)/.exec(pattern)
  const source = pattern.slice(inline?.[0].length ?? 0)
  const wanted = `${isCaseIgnored ? 'i' : ''}${isMultiline ? 'gms' : ''}${inline?.[1] ?? ''}`
  const flags = [...new Set(wanted)].join('')
  const expression = orElse(undefined, () => new RegExp(source, `${flags}u`)) ?? new RegExp(source, flags)
  return { source, flags: expression.flags }
}
