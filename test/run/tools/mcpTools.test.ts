import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findChromium } from '../../helpers/chromium.ts'
import { listenHere } from '../../helpers/listenHere.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'
import { FINISH, playRun, resultsIn } from '../../helpers/runs/playRun.ts'
import { CLIENT, serveMcp } from '../../helpers/tools/httpMcp.ts'

const EVERYTHING = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js')

describe('resources of MCP servers', () => {
  const policyWith = (rules: string) => `version: 1
permissions: { ${rules} }
mcpServers: { all: { command: node, args: ["${EVERYTHING}", stdio] } }
`
  const list = { name: 'ListMcpResources', input: { server: 'all' } }
  const read = (uri: string) => ({ name: 'ReadMcpResource', input: { server: 'all', uri } })

  it('are listed and read if the tools are allowed', { tags: 'long' }, async () => {
    const run = await playRun([list, read('demo://resource/dynamic/text/1'), read('demo://nowhere')], {
      policy: policyWith('allow: [ListMcpResources, ReadMcpResource]'),
    })
    expect(run.told[0]).toContain('"server":"all"')
    expect(run.told[1]).toMatch(/Resource 1/i)
    expect(run.told[2]).toMatch(/not found|unknown/i)
    expect(run.code).toBe(0)
  })

  it('of a server that a rule denies stay closed', { tags: 'long' }, async () => {
    const run = await playRun([read('demo://resource/dynamic/text/1')], {
      policy: policyWith('allow: [ReadMcpResource], deny: [mcp__all]'),
    })
    expect(run.told[0]).toContain('`mcp__all`')
    expect(run.result().permission_denials).toMatchObject([{ tool_name: 'ReadMcpResource', rule: 'mcp__all' }])
  })

  it('are listed of the servers that rules cover', { tags: 'long' }, async () => {
    const both = policyWith('allow: [mcp__all]').replace(
      'mcpServers: {',
      `$& hid: { command: node, args: ["${EVERYTHING}", stdio] },`,
    )
    const run = await playRun([{ name: 'ListMcpResources', input: {} }, list, { ...list, input: { server: 'hid' } }], {
      policy: both,
    })
    expect(run.told[0]).toContain('"server":"all"')
    expect(run.told[0]).not.toContain('"server":"hid"')
    expect(run.told[0]).toContain('Left out, because no rule allows to list them: hid.')
    expect(run.told[1]).toContain('"server":"all"')
    expect(run.result().permission_denials).toMatchObject([{ tool_input: { server: 'hid' } }])
  })

  it('need their own rule: one for other tools is not enough', { tags: 'long' }, async () => {
    const run = await playRun([read('demo://resource/dynamic/text/1')], {
      policy: policyWith('allow: ["mcp__all__get_*"]'),
    })
    expect(run.result().permission_denials).toHaveLength(1)
  })
})

const chromium = findChromium()
const why = chromium === undefined ? ' (needs chromium)' : ''

describe('WebBrowser', () => {
  /** A page with a form that tells the server what was typed. */
  async function servePage() {
    const log: string[] = []
    const server = createServer((request, response) => {
      log.push(request.url ?? '')
      response.setHeader('content-type', 'text/html')
      response.end(
        '<title>Shop</title><form action="/order"><input name="what" aria-label="What"><button>Order</button></form>',
      )
    })
    return { log, origin: await listenHere(server) }
  }

  it.skipIf(chromium === undefined)(
    `is the playwright server of the example policy: a real page, a real click${why}`,
    { tags: 'long' },
    async () => {
      const page = await servePage()
      const example = readFileSync('examples/policies/browser.yml', 'utf8')
      const policy = example
        .replace('command: npx', `command: ${process.execPath}`)
        .replace('      - --yes\n', '')
        .replace('"@playwright/mcp@0.0.83"', realpathSync('node_modules/@playwright/mcp/cli.js'))
        .replace('/usr/bin/chromium', chromium ?? '')
        .replace('http://localhost:3000', page.origin)
        .replace('/tmp/browser', makeFolder())
        // The sandbox shows nothing of a home folder, where this checkout may be.
        .replace('sandbox: true', 'sandbox: false')
        .replace(/^tests:[\s\S]*/m, '')
      const use = (name: string, input = {}) => call(`mcp__browser__browser_${name}`, input)
      const api = await serveTurns(({ body }) => {
        const told = resultsIn(body.messages)
        const target = (words: RegExp) => words.exec(told.find((text) => words.test(text)) ?? '')?.[1] ?? 'none'
        return (
          [
            call('ToolSearch', { query: 'select:mcp__browser__*', max_results: 50 }),
            use('navigate', { url: 'file:///etc/passwd' }),
            use('navigate', { url: page.origin }),
            use('snapshot'),
            use('type', { element: 'the field', target: target(/textbox "What" \[ref=(\w+)\]/), text: 'a table' }),
            use('click', { element: 'the button', target: target(/button "Order" \[ref=(\w+)\]/) }),
            use('close'),
          ][told.length] ?? FINISH
        )
      })
      const run = await runCli(['order a table'], { server: api, policy })
      expect(run.stderr).toContain('exit 0')
      expect(page.log.filter((path) => path.startsWith('/order'))).toEqual(['/order?what=a+table'])
      expect(run.result().permission_denials).toMatchObject([{ tool_name: 'mcp__browser__browser_navigate' }])
      expect(readdirSync(run.project)).toEqual([])
    },
  )
})

it('a token and a secret stay out of every record', { tags: 'long' }, async () => {
  const server = await serveMcp()
  const oauth = { clientId: CLIENT.id, clientSecret: '${PLAIN}', issuer: server.origin }
  const mcpServers = { tracker: { url: server.url, oauth } }
  const run = await playRun([{ name: 'mcp__tracker__run', input: {} }], {
    policy: { permissions: { allow: ['mcp__tracker__run'] }, mcpServers },
    env: { PLAIN: CLIENT.secret },
  })
  expect(run.code, run.stderr).toBe(0)
  expect(run.told[0]).toBe('run with Bearer [REDACTED:MCP_tracker]')
  for (const text of [JSON.stringify(run.records), run.stderr, run.stdout, JSON.stringify(run.api.requests)])
    for (const secret of ['access-token-1', CLIENT.secret]) expect(text).not.toContain(secret)
})

it('the helper of an .mcp.json in the checkout ends the start', async () => {
  const run = await playRun([], {
    policy: 'version: 1\nprojectMcp: true\n',
    files: { '.mcp.json': JSON.stringify({ mcpServers: { a: { url: 'https://a.example', headersHelper: 'id' } } }) },
  })
  expect([run.code, run.stderr]).toEqual([69, expect.stringContaining('comes from the checkout and is not run')])
})
