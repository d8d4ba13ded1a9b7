import type { Explained } from '../explained.ts'

/** Of `src/lib`. */
export const libMutants: readonly Explained[] = [
  {
    file: 'src/lib/net/parseUrl.ts',
    why: 'Nothing is `undefined` too.',
    mutants: ['} catch { | { return undefined } => {}'],
  },
  {
    file: 'src/lib/net/readBody.ts',
    why: 'Nobody asks how much of a plain body was received.',
    mutants: [
      `if (decoder !== undefined) raw.on('data', (chunk: Buffer) => (received += chunk.length)) | decoder !== undefined => true`,
    ],
  },
  {
    file: 'src/lib/net/createDispatcher.ts',
    why: 'The limits of undici itself: ten seconds to connect as here, and five minutes, which no test waits for.',
    mutants: [
      'return new ProxyAgent({ ...NO_LIMITS, uri: guard.proxy, proxyTls: { timeout: CONNECT_MS } }) | { timeout: CONNECT_MS } => {}',
      'const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 } | { headersTimeout: 0, bodyTimeout: 0 } => {}',
    ],
  },
  {
    file: 'src/lib/net/createNetworkAccess.ts',
    why: 'A header that came has a value, undici takes no method for GET, and no secret has this text.',
    mutants: [
      `Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].f… | '' => "Stryker was here!"`,
      `function checkSecrets({ containsSecret }: NetworkGuard, address: string, { headers = {}, b… | '' => "Stryker was here!"`,
      `method: request.method ?? 'GET', | 'GET' => ""`,
    ],
  },
]
