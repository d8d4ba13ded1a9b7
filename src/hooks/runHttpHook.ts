import { innerMessageOf } from '../contracts/errors.ts'
import type { HookSettings } from '../contracts/settings.ts'
import { endWithin, type HookEnding, type HookLimits } from './HookReply.ts'
import type { HookOptions } from './Hooks.ts'
import { OUTPUT_LIMIT } from './runCommandHook.ts'

type HttpHook = Extract<HookSettings, { type: 'http' }>

/** Posts the event to an `http` hook. A 2xx body is parsed like a command's output; anything else is a failure. */
export async function runHttpHook(
  hook: HttpHook,
  input: string,
  limits: HookLimits,
  options: Pick<HookOptions, 'fetch' | 'env'>,
): Promise<HookEnding> {
  const ask = async (signal: AbortSignal): Promise<HookEnding> => {
    const response = await options.fetch(hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...fillHeaders(hook, options.env) },
      body: input,
      redirect: 'error',
      signal,
    })
    const text = await readBody(response)
    if (text === undefined) return { kind: 'failed', detail: 'the answer has more than 1 MiB' }
    return response.ok ? { kind: 'answered', text } : { kind: 'failed', detail: `HTTP status ${response.status}` }
  }
  return endWithin(limits, ask, (error) => `the request failed: ${innerMessageOf(error)}`)
}

/** Header values with `$NAME` and `${NAME}` filled in, only for the names in `allowedEnvVars`; others become empty. */
function fillHeaders(hook: HttpHook, env: HookOptions['env']): Record<string, string> {
  const allowed = new Set(hook.allowedEnvVars)
  const lookUp = (name: string) => (allowed.has(name) ? (env[name] ?? '') : '')
  return Object.fromEntries(
    Object.entries(hook.headers ?? {}).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_, braced, bare) => lookUp(braced ?? bare)),
    ]),
  )
}

async function readBody(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > OUTPUT_LIMIT) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
