import { describe, expect, it, test } from 'vitest'
import { ModelError } from '../../../src/contracts/model.ts'
import { modelVersion } from '../../../src/model/modelVersion.ts'
import { featuresOf, refusedFeatures } from '../../../src/model/tools/toolFeatures.ts'
import { ask, errorOf, retriesIn, startModel } from '../../helpers/model/modelRun.ts'

const BOTH = ['references', 'strict'] as const
const READ = {
  name: 'Read',
  description: 'Reads.',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
}

test.each([
  ['claude-opus-4-6', 406, 'opus'],
  ['claude-sonnet-4-20250514', 400, 'sonnet'],
  ['claude-3-7-sonnet-20250219', 307, 'sonnet'],
  ['claude-haiku-4-5-20251001', 405, 'haiku'],
  ['claude-sonnet-5', 500, 'sonnet'],
])('the version of %s', (model, number, family) => {
  expect(modelVersion(model)).toEqual({ number, family })
})

test.each([
  ['claude-sonnet-5-5', BOTH],
  ['claude-opus-4-5', BOTH],
  ['claude-sonnet-4-20250514', ['references']],
  ['claude-haiku-4-5', BOTH],
  ['claude-haiku-4', []],
  ['claude-3-7-sonnet-20250219', []],
  ['claude-mythos-preview', BOTH],
  ['gpt-5', []],
])('%s supports %j', (model, features) => {
  expect(featuresOf(model, BOTH)).toEqual(features)
  expect(featuresOf(model, [])).toEqual([])
})

test.each([
  ['tools.0.custom.strict: Extra inputs are not permitted', ['strict']],
  ['Schema is too complex for compilation.', ['strict']],
  ['tools.9.custom.defer_loading: Extra inputs are not permitted', ['references']],
  ["Tool reference 'Think' not found in available tools", ['references']],
  ['Error', BOTH],
])('%s: refuses %j', (message, refused) => {
  expect(refusedFeatures(BOTH, message)).toEqual(refused)
})

describe('an API that refuses a form of tools', () => {
  it('is asked again without it, once, and never with it again', async () => {
    const refusal = { status: 400, errorMessage: 'tools.0.custom.strict: Extra inputs are not permitted' }
    const { client, server } = await startModel([refusal, { turn: { say: 'ok' } }, { turn: { say: 'ok' } }], {
      strictTools: true,
    })
    const first = await ask(client, { tools: [READ] })
    await ask(client, { tools: [READ] })
    expect(server.requests.map(({ body }) => body.tools[0].strict)).toEqual([true, undefined, undefined])
    expect(first.message.content).toEqual([{ type: 'text', text: 'ok' }])
    expect(retriesIn(first.events)).toMatchObject([
      { status: 400, error: 'invalid_request', detail: expect.stringMatching(/; sent again without strict tools$/) },
    ])
  })

  it('and refuses the plain form too, has the last word', async () => {
    const steps = [1, 2, 3].map((n) => ({ status: 400, errorMessage: `no ${n}` }))
    const { client, server } = await startModel(steps, { strictTools: true, toolReferences: true })
    const { error } = await ask(client, { tools: [READ] })
    expect(server.requests).toHaveLength(2)
    expect(errorOf(error)).toBeInstanceOf(ModelError)
    expect(errorOf(error).message).toContain('no 2')
  })
})

test('another address than that of the API gets the plain form, unless the operator decides', async () => {
  const { client, server } = await startModel([{ turn: { say: 'ok' } }])
  await ask(client, { tools: [READ] })
  expect(server.requests[0]?.body.tools[0]).not.toHaveProperty('strict')
})

test('a refusal that is about no form is final at once', async () => {
  const { client, server } = await startModel([{ status: 400, errorMessage: 'bad' }])
  const { error } = await ask(client)
  expect(errorOf(error).message).toContain('bad')
  expect(server.requests).toHaveLength(1)
})
