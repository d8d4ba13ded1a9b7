import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXIT_CODES } from '../../../src/contracts/errors.ts'
import type { ResultEvent } from '../../../src/contracts/events.ts'
import { VERSION } from '../../../src/lib/version.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import type { StepFor } from '../../helpers/model/messagesServer.ts'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliOptions, runCli } from '../../helpers/runs/cliRun.ts'

const FLAGS = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '-p']
const POLICY = 'version: 1\npermissions: { allow: [Read] }\nsandbox: { mode: off }\n'

const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null })

type Said = Partial<ResultEvent> & { readonly type: string }

/** A session whose input has all come before the first answer. */
async function play(stepFor: StepFor, messages: readonly object[], flags: string[] = [], options: CliOptions = {}) {
  const server = await serveTurns(stepFor)
  const stdin = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  const run = await runCli([...FLAGS, ...flags], { server, policy: POLICY, stdin, ...options })
  const output = run.stdout.trim().split('\n').filter(Boolean)
  const said: readonly Said[] = output.map((line) => JSON.parse(line))
  return { ...run, server, said, results: said.filter(({ type }) => type === 'result') }
}

const ANSWER: StepFor = ({ index }) => ({ turn: { say: `answer ${index + 1}` } })

it('interrupts the message that waits, where both come at once', async () => {
  const stop = { type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } }
  const { results, server, said } = await play(ANSWER, [user('FIRST'), stop, user('SECOND')])
  expect(results.map(({ exit_reason }) => exit_reason)).toEqual(['aborted', 'completed'])
  expect(server.requests.map(({ text }) => [text.includes('FIRST'), text.includes('SECOND')])).toEqual([[false, true]])
  expect(said).toContainEqual(expect.objectContaining({ type: 'control_response' }))
})

it('adds up what a session costs, also where a message cannot start', async () => {
  const { results, said } = await play(ANSWER, [user('FIRST'), user(' '), user('SECOND')])
  expect(said[0]).toMatchObject({ subtype: 'init', claude_code_version: VERSION })
  const [first, second, third] = results.map(({ exit_reason, total_cost_usd, modelUsage }) => ({
    ...{ exit_reason, cost: total_cost_usd ?? 0 },
    usage: Object.values(modelUsage ?? {})[0],
  }))
  expect(first?.cost).toBeGreaterThan(0)
  expect(first).toMatchObject({ exit_reason: 'completed', usage: { inputTokens: 100, costUSD: first?.cost } })
  expect(second).toEqual({ ...first, exit_reason: 'bad_input' })
  expect(results.map(({ result }) => result)).toEqual(['answer 1', '', 'answer 2'])
  const twice = 2 * (first?.cost ?? 0)
  expect(third).toMatchObject({ exit_reason: 'completed', cost: twice, usage: { inputTokens: 200, costUSD: twice } })
})

it('does not know what a session costs whose model has no price', async () => {
  const { results } = await play(ANSWER, [user('FIRST'), user('SECOND')], ['--model', 'my-model'])
  expect(results.map(({ total_cost_usd }) => total_cost_usd)).toEqual([null, null])
  expect(results[1]?.modelUsage?.['my-model']).toMatchObject({ inputTokens: 200 })
  expect(results[1]?.modelUsage?.['my-model']).not.toHaveProperty('costUSD')
})

it.each([
  ['io_error', { turn: { say: 'done' } }],
  ['auth', { status: 401 }],
] as const)('ends with %s where a file that was asked for cannot be written', async (reason, step) => {
  const place = join(makeFolder(), 'out')
  mkdirSync(place)
  const stepFor = () => {
    rmSync(place, { recursive: true })
    writeFileSync(place, '')
    return step
  }
  const { code, stderr } = await play(stepFor, [user('FIRST')], ['--output-last-message', join(place, 'last.txt')])
  expect([code, stderr]).toEqual([EXIT_CODES[reason].code, expect.stringContaining('--output-last-message')])
})

it('takes a message that is only an image', { tags: 'long' }, async () => {
  const source = { type: 'base64', media_type: 'image/png', data: PIXEL }
  const { results, server, code } = await play(ANSWER, [user([{ type: 'image', source }])])
  expect(results.map(({ exit_reason }) => exit_reason)).toEqual(['completed'])
  expect([server.requests.length, code]).toEqual([1, 0])
})

it('keeps the log of every message in the file of --debug-file', { tags: 'long' }, async () => {
  const folder = makeFolder()
  const log = join(folder, 'debug.log')
  writeFileSync(log, 'of an earlier session\n')
  const { results } = await play(ANSWER, [user('FIRST'), user('SECOND')], ['--debug-file', log])
  expect(results).toHaveLength(2)
  expect(readFileSync(log, 'utf8').match(/answer \d|earlier/g)).toEqual(['answer 1', 'answer 2'])
})

it('reads the last line without its end', { tags: 'long' }, async () => {
  const stdin = JSON.stringify(user('one'))
  const { results } = await play(ANSWER, [], [], { stdin })
  expect(results).toMatchObject([{ result: 'answer 1' }])
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
