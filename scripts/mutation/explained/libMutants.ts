import type { Explained } from '../explained.ts'

/** Of `src/lib`, and of `src/report`. */
export const libMutants: readonly Explained[] = [
  {
    file: 'src/lib/net/createNetworkAccess.ts',
    why: 'Nobody asks how much of a plain body was received.',
    mutants: [
      `if (decoder !== undefined) raw.on('data', (chunk: Buffer) => (received += chunk.length)) | decoder !== undefined => true`,
    ],
  },
  {
    file: 'src/lib/net/createDispatcher.ts',
    why: 'The limits of undici itself: ten seconds to connect as here, and five minutes, which no test waits for.',
    mutants: [
      'return new ProxyAgent({ ...NO_LIMITS, uri: guard.proxy, proxyTls: { timeout: CONNECT_MS } … | { timeout: CONNECT_MS } => {}',
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
  {
    file: 'src/report/transcript/blobStore.ts',
    why: 'A copy has the same bytes.',
    mutants: [
      `const { bytes } = redactBytes(typeof content === 'string' ? Buffer.from(content) : content… | typeof content === 'string' => true`,
    ],
  },
  {
    file: 'src/lib/fs/ownedFolder.ts',
    why: 'Windows alone has no user numbers.',
    mutants: [
      'if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false | process.getuid?.() => process.getuid()',
    ],
  },
  {
    file: 'src/lib/fs/ownedFolder.ts',
    why: 'The moment itself counts for nothing; nothing is `undefined` too; no mark of a machine is `undefined`.',
    mutants: [
      'return owner === undefined ? Date.now() - stat.mtimeMs > NAMELESS_MS : processState(owner)… | Date.now() - stat.mtimeMs > NAMELESS_MS => Date.now() - stat.mtimeMs >= NAMELESS_MS',
      `} catch { | { // Another user's, or gone in the meantime. return false } => {}`,
      'const [, pid, machine] = /^(\\d+)_([0-9a-f]+)_/.exec(mark) ?? [] | [] => ["Stryker was here"]',
    ],
  },
  {
    file: 'src/lib/fs/readInputFile.ts',
    why: 'It has no second part.',
    mutants: [
      'const [, number] = /^\\/(?:dev|proc\\/self)\\/fd\\/(\\d{1,6})$/.exec(path) ?? [] | [] => ["Stryker was here"]',
    ],
  },
  {
    file: 'src/report/transcript/readLines.ts',
    why: 'Saves memory alone: a line that is too long comes without its bytes.',
    mutants: [
      'if (length > longestLine) parts = [] | length > longestLine => false',
      'if (length > longestLine) parts = [] | [] => ["Stryker was here"]',
    ],
  },
  {
    file: 'src/lib/fs/readRegular.ts',
    why: 'No path can be opened either, and nothing is `undefined` too.',
    mutants: ['if (path === undefined) return undefined | path === undefined => false'],
  },
  {
    file: 'src/lib/secrets/compilePatterns.ts',
    why: 'An invalid pattern ends all of it, the moment itself counts for nothing, and no pattern needs no engine.',
    mutants: [
      'return [] | [] => ["Stryker was here"]',
      `if (performance.now() > end) throw new Error('the search takes too long') | performance.now() > end => performance.now() >= end`,
      'if (sources.length === 0) return [] | sources.length === 0 => false',
    ],
  },
  {
    file: 'src/lib/secrets/pieceIndex.ts',
    why: 'The table saves time alone, and has room for more marks than it needs: a place that is marked twice, or for nothing.',
    mutants: [
      'marked = start + STEP | start + STEP => start - STEP',
      'const table = new Uint8Array(2 ** Math.min(22, Math.max(12, Math.ceil(Math.log2(length * 1… | Math.min(22, Math.max(12, Math.ceil(Math.log2(length * 16)))) => Math.max(22, Math.max(12, Math.ceil(Math.log2(length * 16))))',
    ],
  },
  {
    file: 'src/lib/secrets/pieceIndex.ts',
    why: 'No piece is found where there is none, or behind the end, and one hash is as good as another.',
    mutants: [
      'for (let probe = 0; probe + GRAM <= text.length; probe += STEP) { | probe + GRAM => probe - GRAM',
      'for (let index = at; index < at + GRAM; index++) hash = (Math.imul(hash, 31) + text.charCo… | Math.imul(hash, 31) + text.charCodeAt(index) => Math.imul(hash, 31) - text.charCodeAt(index)',
    ],
  },
  {
    file: 'src/lib/secrets/redact.ts',
    why: 'UTF-8 is the form of a text without another word, and nothing is `undefined` too.',
    mutants: [
      `return { bytes: Buffer.from(after, isText ? 'utf8' : 'latin1'), isText, isChanged: true } | 'utf8' => ""`,
    ],
  },
  {
    file: 'src/lib/secrets/redact.ts',
    why: 'A secret that begins at the cut is behind it already.',
    mutants: [
      'for (const span of spans) if (span.start < end && span.end > end) end = span.start | span.start < end => span.start <= end',
    ],
  },
  {
    file: 'src/lib/fs/ownedFolder.ts',
    why: 'It is there, unless another process takes it away between two calls of the system.',
    mutants: [
      'const remove = (name: string): void => rmSync(join(folder, name), { recursive: true, force… | true => false',
      'rmSync(folder, { recursive: true, force: true }) | true => false',
    ],
  },
]
