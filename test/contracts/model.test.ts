import { expect, it } from 'vitest'
import { ModelError, modelId } from '../../src/contracts/model.ts'

it.each([
  ['default', 'anthropic', {}, 'claude-sonnet-5-5'],
  ['opus', 'vertex', {}, 'claude-opus-5-5'],
  ['haiku', 'bedrock', {}, 'global.anthropic.claude-haiku-5-5'],
  ['sonnet', 'foundry', { sonnet: 'my-deployment' }, 'my-deployment'],
  ['default', 'foundry', { sonnet: 'my-deployment' }, 'my-deployment'],
  ['toString', 'bedrock', {}, 'toString'],
  ['claude-opus-4', 'bedrock', { opus: 'other' }, 'claude-opus-4'],
] as const)('the name %s is at %s, with %j of the operator, the id %s', (name, provider, own, id) => {
  expect(modelId(name, provider, own)).toBe(id)
})

it('knows the status of a request that failed, if there was an answer', () => {
  expect(new ModelError('overloaded', 'api_unavailable', 'x', { status: 529 }).status).toBe(529)
  expect(new ModelError('connection', 'api_unavailable', 'x').status).toBeNull()
})
