import { RunError } from '../contracts/errors.ts'
import type { ModelClient, Provider } from '../contracts/model.ts'
import { readInputFile } from '../lib/fs/readInputFile.ts'
import type { AnthropicOptions } from './AnthropicOptions.ts'
import type { CanonicalOptions } from './canonicalRequest.ts'
import { createAnthropicClient } from './createAnthropicClient.ts'
import type { Cloud, CloudProvider } from './elsewhere/openCloud.ts'
import { createCassetteReplay } from './replay/createCassetteReplay.ts'
import { createRecorder } from './replay/createRecorder.ts'
import { createScriptReplay } from './replay/createScriptReplay.ts'
import { parseCassette } from './replay/parseCassette.ts'
import { parseReplayScript } from './replay/parseReplayScript.ts'
import type { Replay } from './replay/replayedResponse.ts'
import type { Exchange } from './stream/streamAttempt.ts'

/** Everything that determines which model answers, and how. */
export type ModelOptions = CanonicalOptions & {
  readonly provider: Provider
  /** The key may be missing in a replay, and with a cloud. */
  readonly anthropic: Omit<AnthropicOptions, 'apiKey'> & { readonly apiKey: AnthropicOptions['apiKey'] | undefined }
  /** For a provider other than `anthropic`: opens its SDK. `openCloud` makes one. */
  readonly cloud?: Cloud | undefined
  /** Answers come from a file: a script of turns (`.yml`) or a recording (`.jsonl`). Nothing uses the network. */
  readonly replay?: { readonly file: string; readonly match: 'strict' | 'loose' } | undefined
  /** Every exchange is written to this file, for `replay`. */
  readonly record?: { readonly file: string } | undefined
}

const MAX_REPLAY_BYTES = 200_000_000

/** A placeholder for what a replay never uses. */
const NOWHERE = { apiKey: 'a-replay-needs-no-key', baseURL: 'http://127.0.0.1' }

/**
 * The client of a run. Reads the replay file at once, so that a mistake in it is a `RunError` before any request. A
 * replay neither waits nor sends anything. Its `close` throws if answers are left over.
 */
export async function createModelClient(options: ModelOptions): Promise<ModelClient> {
  const { provider, replay: replayOptions, anthropic } = options
  const replay = replayOptions === undefined ? undefined : await openReplay(replayOptions, options)
  const recorder = options.record === undefined ? undefined : createRecorder(options.record.file, options)
  const exchanges: Exchange[] = [recorder?.exchange, replay?.exchange].filter((exchange) => exchange !== undefined)
  const source = replay === undefined ? { apiKey: anthropic.apiKey ?? '' } : replaySource(replay)
  const cloud = replay === undefined && provider !== 'anthropic' ? cloudOf(provider, options.cloud) : undefined
  const client = createAnthropicClient({ ...anthropic, ...source, exchanges, cloud })
  return {
    ...client,
    ...(replay === undefined ? {} : { name: 'replay', host: null }),
    async close() {
      recorder?.close()
      await client.close()
      replay?.assertDone()
    },
  }
}

function cloudOf(provider: CloudProvider, cloud: Cloud | undefined) {
  if (cloud === undefined) throw new RunError('usage', `provider ${provider} needs the option cloud`)
  return { provider, open: cloud.open }
}

function replaySource({ features }: Replay) {
  const tools = { toolReferences: features.includes('references'), strictTools: features.includes('strict') }
  return { ...NOWHERE, proxy: {}, waitScale: 0, ...tools }
}

type ReplayOptions = NonNullable<ModelOptions['replay']>

async function openReplay({ file, match }: ReplayOptions, canonical: CanonicalOptions): Promise<Replay> {
  const text = await readInputFile(file, { label: '--replay', reason: 'bad_input', maxBytes: MAX_REPLAY_BYTES })
  if (/\.ya?ml$/i.test(file)) return createScriptReplay(parseReplayScript(text, file))
  if (/\.jsonl$/i.test(file)) return createCassetteReplay(parseCassette(text, file), { ...canonical, file, match })
  throw new RunError('usage', `--replay ${file}: neither a script (.yml) nor a recording (.jsonl)`)
}
