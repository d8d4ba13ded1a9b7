import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TranscriptRecord } from '../../../src/contracts/events.ts'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { PNG } from '../../helpers/images.ts'
import { type RecordedRequest, type Step, startMessagesServer } from '../../helpers/model/messagesServer.ts'
import { type CliOptions, runCli } from '../../helpers/runs/cliRun.ts'
import { sampled } from '../../helpers/sampled.ts'

const SMALL =
  'version: 1\npermissions: { presets: [read-only], deny: ["Bash(git push *)"] }\nrun: { contextWindow: 20000 }\n'

/** Answers compactions by `summaries`, all other requests by `steps`. */
async function serve(steps: readonly (Step | Turn)[], summaries: readonly (Step | Turn)[]) {
  const left = { steps: [...steps], summaries: [...summaries] }
  const asStep = (step: Step | Turn): Step =>
    'say' in step || 'tools' in step ? { turn: step as Turn } : (step as Step)
  const server = await startMessagesServer((request) => {
    const next = (isCompaction(request) ? left.summaries : left.steps).shift()
    return asStep(next ?? { status: 400, errorMessage: 'no step left' })
  })
  onTestFinished(() => server.close())
  return { ...server, left }
}

function isCompaction({ body }: RecordedRequest): boolean {
  return JSON.stringify(body.system).includes('summarize the work')
}

const ls = (tokens: number): Turn => ({
  tools: [{ name: 'LS', input: { path: '.' } }],
  usage: { input_tokens: tokens, output_tokens: 10 },
})
/** A conversation that a summary is surely shorter than. */
const read = (tokens: number): Turn => ({
  tools: [{ name: 'Read', input: { file_path: 'b.txt' } }],
  usage: { input_tokens: tokens, output_tokens: 10 },
})
const TOO_LONG: Step = { status: 400, errorMessage: 'prompt is too long: 210000 tokens > 200000 maximum' }
const TOO_LARGE: Step = { status: 413, errorMessage: 'Request exceeds the maximum size' }
const files = { 'a.txt': 'AAA\n', 'b.txt': 'x'.repeat(9_000) }
const summary = { say: 'It is half done.' }

const run = (options: CliOptions) => runCli(['mend the roof'], { policy: SMALL, files, ...options })

function ofSubtype(records: readonly TranscriptRecord[], subtype: string) {
  return records.filter((record) => 'subtype' in record && record.subtype === subtype)
}

describe('a conversation that nearly fills the window', () => {
  it('continues from its summary, with the task, the steps, the files and the denials verbatim', async () => {
    const server = await serve(
      [
        {
          tools: [
            { name: 'TodoWrite', input: { todos: [{ content: 'Find the hole', status: 'in_progress' }] } },
            { name: 'Read', input: { file_path: 'b.txt' } },
            { name: 'Bash', input: { command: 'git push origin main' } },
          ],
        },
        ls(19_500),
        { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'done' } }] },
      ],
      [summary],
    )
    const ended = await run({ server })
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)])
    const messages = server.requests.at(-1)?.body.messages
    expect(messages).toHaveLength(1)
    const text = messages[0].content[0].text
    expect(text).toMatch(/^mend the roof\n/)
    expect(text).toMatch(/\[in_progress\] Find the hole[\s\S]*b\.txt[\s\S]*git push origin main[\s\S]*It is half done/)
    const [boundary] = ofSubtype(ended.records, 'compact_boundary')
    expect(boundary).toMatchObject({ summary: text, compact_metadata: { trigger: 'auto' } })
    expect(ofSubtype(ended.records, 'model_call')).toMatchObject([
      { purpose: 'compaction', answer: 'It is half done.' },
    ])
  })

  it('keeps the first task through a second compaction', { tags: 'long' }, async () => {
    const read = (tokens: number): Turn => ({
      tools: [{ name: 'Read', input: { file_path: 'b.txt' } }],
      usage: { input_tokens: tokens, output_tokens: 10 },
    })
    const server = await serve(
      [read(19_500), read(3_000), read(19_500), { say: 'done' }],
      [summary, { say: 'Nearly done.' }],
    )
    const ended = await run({ server })
    expect(ended.code).toBe(0)
    const text: string = server.requests.at(-1)?.body.messages[0].content[0].text
    expect(text.split('mend the roof')).toHaveLength(2)
    expect(text).toContain('Nearly done.')
    expect(text).not.toContain('half done')
  })

  it.each<[string, readonly (Step | Turn)[]]>(
    sampled(
      [
        ['fails', [{ status: 400 }, { status: 400 }]],
        [
          'refuses',
          [
            { say: 'no', stop: 'refusal' },
            { say: 'no', stop: 'refusal' },
          ],
        ],
        ['is empty', [{ say: ' ' }, { say: ' ' }]],
        ['grows', [{ say: 'long '.repeat(30_000) }, { say: 'long '.repeat(30_000) }]],
      ],
      1,
    ),
  )(
    'goes on as it is where the compaction %s, twice, and ends when the API refuses it',
    { tags: 'long' },
    async (_, summaries) => {
      const server = await serve([ls(19_500), ls(19_600), ls(19_700), TOO_LONG], summaries)
      const ended = await run({ server })
      expect([ended.code, ended.result().exit_reason]).toEqual([5, 'context_exhausted'])
      expect(server.left).toEqual({ steps: [], summaries: [] })
      expect(server.requests.at(-1)?.body.messages).toHaveLength(7)
      const warnings = ofSubtype(ended.records, 'warning').filter((it) => !('code' in it && it.code === 'start'))
      expect(warnings).toMatchObject([{ code: 'not_compacted' }, { code: 'not_compacted' }])
    },
  )
})

describe('a conversation that the API rejects', () => {
  it('is compacted and sent again', async () => {
    const server = await serve([read(100), TOO_LONG, { say: 'done' }], [summary])
    const ended = await run({ server })
    expect([ended.code, ofSubtype(ended.records, 'compact_boundary').length]).toEqual([0, 1])
  })

  it('is compacted twice at most', { tags: 'long' }, async () => {
    const server = await serve([read(100), TOO_LONG, TOO_LONG, TOO_LONG], [summary, { say: 's' }])
    const ended = await run({ server })
    expect(ended.result().exit_reason).toBe('context_exhausted')
    expect(server.left.steps).toEqual([])
  })

  it('discards an answer that fills the window, and runs none of its calls', { tags: 'long' }, async () => {
    const full: Turn = { tools: [{ name: 'LS', input: { path: '.' } }], stop: 'model_context_window_exceeded' }
    const server = await serve([full, { say: 'done' }], [{ say: 's' }])
    const ended = await run({ server, files: { 'x.txt': 'x' } })
    expect(ofSubtype(ended.records, 'turn_discarded')).toMatchObject([{ message_id: expect.any(String) }])
    expect(ended.toolResults()).toEqual([])
    expect(ended.code).toBe(5)
  })

  it('loses its oldest images first if it is too large', { tags: 'long' }, async () => {
    const server = await serve(
      [
        { tools: [1, 2].map((number) => ({ name: 'Read', input: { file_path: `${number}.png` } })) },
        TOO_LARGE,
        { say: 'done' },
      ],
      [],
    )
    const ended = await run({
      server,
      prepare: (project) => {
        for (const number of [1, 2]) writeFileSync(join(project, `${number}.png`), PNG)
      },
    })
    expect(ended.code).toBe(0)
    const [first, second] = server.requests.slice(-2).map((request) => JSON.stringify(request.body.messages.at(-1)))
    expect([first?.split('"image"').length, second?.split('"image"').length]).toEqual([3, 2])
    expect(second).toMatch(/left out: the request was too large.*"image"/)
  })
})

describe('hooks', () => {
  const policy = (command: string, event = 'PreCompact') =>
    `${SMALL}hooks: { ${event}: [{ hooks: [{ type: command, command: ${JSON.stringify(command)} }] }] }\n`

  it('PreCompact forbids it; PostCompact sees the summary', { tags: 'long' }, async () => {
    const forbidden = await serve([ls(19_500), { say: 'done' }], [])
    const kept = await run({ server: forbidden, policy: policy('echo not now >&2; exit 2') })
    expect([kept.code, forbidden.requests.length]).toEqual([0, 2])
    const seen = await serve([read(19_500), { say: 'done' }], [summary])
    const after = await run({ server: seen, policy: policy('cat >&2; exit 1', 'PostCompact') })
    expect(JSON.stringify(after.records)).toMatch(/"event":"PostCompact"[^}]*It is half done\./)
  })
})
