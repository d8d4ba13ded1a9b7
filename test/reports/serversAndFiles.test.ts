import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'
import { type PlayedCall, playRun } from '../helpers/runs/playRun.ts'
import { bash, killedRun, resume } from '../helpers/runs/resumedRuns.ts'
import { sampled } from '../helpers/sampled.ts'

/** Servers, files and resumed runs that people reported of other agents as lost without a word. */
const serverOf = ({ version = '2025-06-18', capabilities = '{ tools: {} }', delay = 0, list = 'tools' } = {}) => `
import { createInterface } from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const tools = { result: { tools: [{ name: 'go', inputSchema: { type: 'object' } }] } }
const broken = { error: { code: -32603, message: 'broken list' } }
const info = { protocolVersion: '${version}', capabilities: ${capabilities}, serverInfo: { name: 's', version: '1' } }
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') setTimeout(() => send({ id, result: info }), ${delay})
  else if (method === 'tools/list') send({ id, ...${list} })
  else if (method === 'tools/call') send({ id, result: { content: [{ type: 'text', text: 'went' }] } })
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } })
})`

const withServer = (body: string, more: object = {}) => ({
  policy: JSON.stringify({
    version: 1,
    sandbox: { mode: 'off' },
    permissions: { allow: ['Bash(echo *)', 'mcp__s'] },
    mcpServers: { s: { command: process.execPath, args: ['s.mjs'], ...more } },
  }),
  files: { 's.mjs': body },
})

describe('a server', () => {
  it.each(
    sampled(
      [
        ['can1357/oh-my-pi/issues/12188: that is slow', serverOf({ delay: 400 })],
        ['anthropics/claude-code/issues/49133: of an older protocol', serverOf({ version: '2024-11-05' })],
        [
          'continuedev/continue/pull/8655: that lacks what it announces',
          serverOf({ capabilities: '{ tools: {}, prompts: {}, resources: {} }' }),
        ],
      ],
      1,
    ),
  )('github.com/%s: its tools are there from the first request', async (_, body) => {
    const run = await playRun([{ name: 'mcp__s__go', input: {} }], withServer(body))
    expect([run.code, run.told], run.stderr).toEqual([0, ['went']])
  })

  it.each(
    sampled(
      [
        ['anthropics/claude-code/issues/43968', 'console.error("cannot find module x"); process.exit(1)', 'module x'],
        ['anthropics/claude-code/issues/49133', serverOf({ version: '1999-01-01' }), 'not supported: 1999-01-01'],
        ['BaseIntelligence/bounty-challenge/issues/6924', serverOf({ list: 'broken' }), 'broken list'],
      ],
      1,
    ),
  )('github.com/%s: one that does not start ends the run before its first request', async (_, body, why) => {
    const run = await runCli(['x'], withServer(body))
    expect([run.code, run.stderr]).toEqual([69, expect.stringContaining(why)])
    expect(run.stderr).toContain('MCP server s did not start')
  })

  it('github.com/nanocoai/nanoclaw/issues/2968: one that may be missing is named in the result', {
    tags: 'long',
  }, async () => {
    const run = await playRun([bash('echo')], withServer('process.exit(1)', { required: false }))
    expect([run.code, run.warnings().join()]).toEqual([0, expect.stringContaining('s: it ended with exit code 1')])
  })
})

describe('an edit', () => {
  const policy = JSON.stringify({ version: 1, sandbox: { mode: 'off' }, permissions: { allow: ['Edit(./**)'] } })
  const edit = (old_string: string, new_string: string): readonly PlayedCall[] => [
    { name: 'Read', input: { file_path: 'f' } },
    { name: 'Edit', input: { file_path: 'f', old_string, new_string } },
  ]
  const write = (content: string): readonly PlayedCall[] => [
    { name: 'Read', input: { file_path: 'f' } },
    { name: 'Write', input: { file_path: 'f', content } },
  ]

  it.each<[report: string, before: string, answers: readonly PlayedCall[], after: string]>(
    sampled<[report: string, before: string, answers: readonly PlayedCall[], after: string]>(
      [
        ['62713: mixed line ends stay', 'one\r\ntwo\nthree\r\n', edit('two', 'TWO'), 'one\r\nTWO\nthree\r\n'],
        ['13456: CRLF stays', 'one\r\ntwo\r\n', edit('two\n', 'TWO\nNEW\n'), 'one\r\nTWO\r\nNEW\r\n'],
        ['85842: bytes that are not UTF-8 stay', 'one\ncaf\xe9\x99\n', edit('one', 'ONE'), 'ONE\ncaf\xe9\x99\n'],
        ['13363: the byte order mark stays', '\xef\xbb\xbfold\n', write('new\n'), '\xef\xbb\xbfnew\n'],
        ['19181: a new text keeps its line ends', 'x\n', write('#!/bin/sh\necho\n'), '#!/bin/sh\necho\n'],
      ],
      1,
    ),
  )('github.com/anthropics/claude-code/issues/%s', async (_, before, answers, after) => {
    const prepare = (project: string) => writeFileSync(join(project, 'f'), Buffer.from(before, 'latin1'))
    const run = await playRun(answers, { policy, prepare })
    expect(readFileSync(join(run.project, 'f'), 'latin1'), run.stderr).toBe(after)
  })
})

describe('a resumed run', () => {
  it('github.com/anthropics/claude-code/issues/93132 and 15837: knows what a killed one said and did', {
    tags: 'long',
  }, async () => {
    const killed = await killedRun()
    const server = await serveTurns({ say: 'going on' })
    const run = await resume(killed, ['go on'], { server })
    const sent = JSON.stringify(server.requests[0]?.body.messages)
    expect([run.code, sent.includes('write the log'), sent.includes('go on')], run.stderr).toEqual([0, true, true])
  })

  it('github.com/anthropics/claude-code/issues/10063: can be resumed itself, with all before', {
    tags: 'long',
  }, async () => {
    const policy = 'version: 1\npermissions: { presets: [read-only] }\n'
    const first = await playRun([], { policy, last: { say: 'the word is plum' } })
    const second = await resume(first, ['and then?'], { policy, server: await serveTurns({ say: 'then pear' }) })
    const server = await serveTurns({ say: 'both' })
    await resume(second, ['which?'], { policy, server })
    const sent = JSON.stringify(server.requests[0]?.body.messages)
    expect(['do it', 'plum', 'and then?', 'pear', 'which?'].filter((word) => !sent.includes(word))).toEqual([])
  })
})
