import type { Config } from '../config/resolveConfig.ts'
import { openHelper } from '../hooks/openHelper.ts'
import type { KeyHelper } from '../model/AnthropicOptions.ts'
import { assertApiKey } from '../model/assertApiKey.ts'
import { helperPlace, type RunRequest } from './RunRequest.ts'

/** `run.apiKeyHelper`: a helper of the policy that prints a key. `learn` gets each key before anybody uses it. */
export function openKeyHelper(
  request: RunRequest,
  { command, ttlMs }: NonNullable<Config['apiKeyHelper']>,
  learn: (key: string) => void,
): KeyHelper {
  const helper = openHelper(helperPlace(request), 'run.apiKeyHelper', command)
  let key = ''
  let endsAt = 0
  let asking: Promise<string> | undefined
  const ask = async () => {
    const found = assertApiKey(await helper(request.signal), 'the output of run.apiKeyHelper')
    learn(found)
    key = found
    endsAt = performance.now() + ttlMs
    return key
  }
  return {
    get() {
      if (performance.now() < endsAt) return Promise.resolve(key)
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    refuse() {
      endsAt = 0
    },
    last: () => key,
  }
}
