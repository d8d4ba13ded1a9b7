import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { McpServerSettings } from '../../src/contracts/settings.ts'
import { serverHelpers } from '../../src/hooks/openHelper.ts'
import type { Secret } from '../../src/lib/secrets/secretForms.ts'
import { checkSettings } from '../../src/mcp/settings/checkSettings.ts'
import { parseMcpConfig } from '../../src/mcp/settings/parseMcpConfig.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { CLIENT, serveMcp } from '../helpers/tools/httpMcp.ts'
import { connectTestServers } from '../helpers/tools/testMcp.ts'

const SECRET = '${MCP_CLIENT}'
const oauthOf = (issuer: string) => ({ clientId: CLIENT.id, clientSecret: SECRET, issuer })
const env = { MCP_CLIENT: CLIENT.secret }

/** One server `a`, and the values that are told to be secret. */
async function connect(entry: McpServerSettings, parts: Parameters<typeof connectTestServers>[1] = {}) {
  const learned: string[] = []
  const learn = (secrets: readonly Secret[]) => void learned.push(...secrets.map(({ value }) => value))
  return { ...(await connectTestServers({ a: entry }, { env, runHelper: helpers.own, learn, ...parts })), learned }
}

test('client credentials get a token, and another one when it expires', async () => {
  const server = await serveMcp()
  const oauth = { ...oauthOf(server.origin), scopes: 'read' }
  const { call, learned } = await connect({ url: server.url, headers: { 'X-Team': 'kode' }, oauth })
  expect((await call('mcp__a__run')).text).toContain('access-token-1')
  expect((await call('mcp__a__run')).text).toContain('access-token-1')
  server.expire()
  expect((await call('mcp__a__run')).text).toContain('access-token-2')
  expect(server.tokens()).toBe(2)
  expect(learned).toEqual(['access-token-1-9f8e7d6c5b4a', 'access-token-2-9f8e7d6c5b4a'])
  expect(server.at('/token').map(({ body }) => new URLSearchParams(body).get('scope'))).toEqual(['read', 'read'])
})

test('the secret goes to its issuer only, and headers of the entry only to the server', async () => {
  const [other, server] = [await serveMcp(), await serveMcp({ issuer: 'http://127.0.0.1:9' })]
  const far = await serveMcp({ issuer: other.origin })
  const entry = { headers: { 'X-Team': 'kode' }, oauth: oauthOf(other.origin) }
  await expect(connect({ url: server.url, ...entry })).rejects.toThrow(/MCP server a/)
  expect([other.tokens(), server.tokens()]).toEqual([0, 0])
  await expect(connect({ url: far.url, ...entry })).rejects.toThrow(/401/)
  expect(other.tokens()).toBe(1)
  expect(other.seen.filter(({ headers }) => headers['x-team'] !== undefined)).toEqual([])
  expect(far.seen.filter(({ headers }) => headers['x-team'] === undefined)).toEqual([])
})

test('a server cannot send the run to an address that is neither its own nor its issuer', async () => {
  const [issuer, inner] = [await serveMcp(), await serveMcp()]
  const server = await serveMcp({ issuer: inner.origin })
  await expect(connect({ url: server.url, oauth: oauthOf(issuer.origin) })).rejects.toThrow(
    `a names ${inner.origin}, which is neither its own address nor that of oauth.issuer`,
  )
  expect(inner.seen).toEqual([])
})

test('a guard of the network holds for the token, too', async () => {
  const server = await serveMcp()
  const guarded = (url: string | URL, init?: RequestInit) =>
    String(url).endsWith('/token') ? Promise.reject(new Error('refused by the guard')) : fetch(url, init)
  const attempt = connect({ url: server.url, oauth: oauthOf(server.origin) }, { fetch: guarded })
  await expect(attempt).rejects.toThrow(/refused by the guard/)
})

/** A program outside the project that prints another token each time. */
function helper(print = `printf '{"Authorization": "Bearer helper-token-%04d-abcdefgh"}' $N`) {
  const folder = makeFolder()
  writeFileSync(join(folder, 'print.sh'), `echo >> ${folder}/calls; N=$(wc -l < ${folder}/calls); ${print}\n`)
  return `bash ${folder}/print.sh`
}

const PROJECT = join(tmpdir(), 'no-project')
const place = { home: tmpdir(), cwd: PROJECT, checkout: [PROJECT], environment: { ...process.env } }
const helpers = serverHelpers(place)

test('headersHelper runs for each connection, and again when its headers are refused', async () => {
  let wanted = 1
  const server = await serveMcp({ mayEnter: (header = '') => header.includes(`token-000${wanted}-`) })
  const { call, learned } = await connect({ url: server.url, headersHelper: helper() })
  expect((await call('mcp__a__run')).text).toContain('helper-token-0001')
  wanted = 2
  expect((await call('mcp__a__run')).text).toContain('helper-token-0002')
  expect(learned).toEqual(['helper-token-0001-abcdefgh', 'helper-token-0002-abcdefgh'])
  wanted = 9
  expect(await call('mcp__a__run')).toMatchObject({ isError: true })
})

test.each([
  ['prints no JSON', 'echo hello', 'must print a JSON object of texts'],
  ['prints numbers', `echo '{"a": 1}'`, 'must print a JSON object of texts'],
  ['prints two lines', `echo '{"a": "b\\nc"}'`, 'must print a JSON object of texts, each of one line'],
  ['fails', 'echo no vault >&2; exit 7', 'mcpServers.a.headersHelper failed (exit code 7): no vault'],
])('a helper that %s is named', async (_, print, words) => {
  await expect(connect({ url: 'http://127.0.0.1:9/mcp', headersHelper: helper(print) })).rejects.toThrow(words)
})

test('a token is known without the line end that a helper leaves behind it', async () => {
  const server = await serveMcp({ mayEnter: (header) => header === 'Bearer token-with-an-end-1234' })
  const print = `echo '{"Authorization": "Bearer token-with-an-end-1234\\n"}'`
  const { learned } = await connect({ url: server.url, headersHelper: helper(print) })
  expect(learned).toEqual(['token-with-an-end-1234'])
})

test('a helper gets the name and the address of its server', async () => {
  const server = await serveMcp({ mayEnter: (header) => header === 'a@/mcp' })
  const print = `echo "{\\"authorization\\": \\"$CLAUDE_CODE_MCP_SERVER_NAME@/\${CLAUDE_CODE_MCP_SERVER_URL##*/}\\"}"`
  const { servers } = await connect({ url: server.url, headersHelper: helper(print) })
  expect(servers.tools).toHaveLength(1)
})

test('a helper of the checkout never runs', async () => {
  const folder = makeFolder()
  const server = { url: 'http://127.0.0.1:9/mcp', headersHelper: helper(`touch ${folder}/ran`) }
  const project = { names: new Set(['a']), env: {}, fetch, runHelper: helpers.ofProject }
  await expect(connect(server, { project })).rejects.toThrow(
    /mcpServers.a.headersHelper comes from the checkout and is not run; name the server in the policy/,
  )
  const inside = { ...server, headersHelper: `touch ${folder}/ran; bash ${PROJECT}/a.sh` }
  await expect(connect(inside)).rejects.toThrow(/mcpServers.a.headersHelper names something in the checkout/)
  expect(readdirSync(folder)).toEqual([])
})

const OAUTH = oauthOf('https://auth.example.com')

test.each<[Partial<McpServerSettings>, string]>([
  [{ oauth: { ...OAUTH, clientSecret: 'written-in-the-file' } }, 'must be written ${VARIABLE}'],
  [{ oauth: { ...OAUTH, issuer: 'http://auth.example.com' } }, 'must be an https address'],
  [{ oauth: { ...OAUTH, issuer: 'http://localhost.evil.example' } }, 'must be an https address'],
  [{ oauth: OAUTH, headers: { authorization: 'Bearer x' } }, 'give one of'],
  [{ oauth: OAUTH, headersHelper: 'print' }, 'give one of'],
])('%j is refused', (settings, words) => {
  expect(() => checkSettings({ a: { url: 'https://a.example', ...settings } })).toThrow(words)
})

test('both are for servers at a URL', () => {
  expect(() => checkSettings({ a: { command: 'a', oauth: OAUTH } })).toThrow('for a server with a url')
  expect(() => checkSettings({ a: { command: 'a', headersHelper: 'b' } })).toThrow('for a server with a url')
})

test("an .mcp.json with Claude Code's login says what is missing here", () => {
  const config = (oauth: object) => JSON.stringify({ mcpServers: { a: { url: 'https://a.example', oauth } } })
  const parse = (oauth: object) => parseMcpConfig(config(oauth), 'm', () => undefined)
  expect(() => parse({ clientId: 'x', callbackPort: 8080 })).toThrow(/nobody is there to log in/)
  expect(parse(OAUTH)['a']?.oauth).toEqual(OAUTH)
})
