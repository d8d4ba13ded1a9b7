import { expect, it } from 'vitest'
import { messageOf } from '../../../src/contracts/errors.ts'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import { openNetwork } from '../../../src/run/start/openNetwork.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'

const WAYS = ['fetchOwn', 'fetchForProject', 'access'] as const
const ALL = [...WAYS]

/** Which ways of a run lead to an address: all end at a proxy where nothing listens, unless the address is refused. */
async function waysTo(address: string, allow: string[]) {
  const request = { environment: { HTTP_PROXY: 'http://127.0.0.1:1' }, policy: await policyOf({ allow }) }
  const network = openNetwork(request as never, createRedactor({ secrets: [] }))
  const fetches = { ...network, access: network.access.fetch }
  const init = { maxBytes: 1, timeoutMs: 20_000, signal: AbortSignal.timeout(20_000) }
  const why = await Promise.all(WAYS.map((way) => fetches[way](address, init).then(String, causeOf)))
  return WAYS.filter((_, index) => why[index]?.includes('ECONNREFUSED'))
}

function causeOf(error: Error): string {
  return `${messageOf(error)} ${messageOf(error.cause)}`
}

it.each<[string, string, string[], readonly string[]]>([
  ['another host', 'http://example.com/', [], ALL],
  ['an internal address', 'http://10.1.2.3/', [], ['fetchOwn']],
  ['one that a rule names', 'http://10.1.2.3/', ['WebFetch(domain:10.1.2.3)'], ALL],
  ['one that a rule covers', 'http://a.localhost/', ['WebFetch(domain:*.localhost)'], ['fetchOwn']],
  ['this machine', 'http://127.0.0.1/', [], ['fetchOwn', 'fetchForProject']],
])('%s is reached by what may reach it', async (_, address, allow, ways) => {
  expect(await waysTo(address, allow)).toEqual(ways)
})
