import { expect, it } from 'vitest'
import { loadAgents } from '../../src/context/loadAgents.ts'
import { type SystemPromptParts, systemPrompt } from '../../src/context/systemPrompt.ts'

const PARTS: SystemPromptParts = {
  cwd: '/home/runner/work/project/project',
  additionalDirectories: [],
  platform: 'linux',
  agents: [],
  skills: [],
}

const SPECIAL: Readonly<Record<string, Partial<SystemPromptParts>>> = {
  'of a run, and what it may always start': {
    agents: (await loadAgents({ folders: [], policy: {}, flag: undefined })).agents,
  },
  'of the agent that does the task': { agentPrompt: ' You review.\n', isMain: true },
  'of an agent for another': { agentPrompt: 'You review.', systemPrompt: 'Not said.' },
  'of their own': {
    systemPrompt: 'Be a poet.',
    additionalDirectories: ['/data', '/docs'],
    agents: [{ name: 'reviewer', description: `reads\n${'x'.repeat(500)}`, prompt: '', tools: '*', source: '' }],
    skills: [{ name: 'pdf', description: 'fills', path: '/s' }],
    outputSchema: { type: 'object' },
    appendSystemPrompt: ' Rhyme.\n',
  },
}

// Read it as the model does: `npx vitest run test/context/systemPrompt.test.ts -u` writes it.
it('is what the model needs to know', async () => {
  const told = Object.entries(SPECIAL).map(([name, parts]) => `== ${name}\n${systemPrompt({ ...PARTS, ...parts })}\n`)
  const builtIn = SPECIAL['of a run, and what it may always start']?.agents ?? []
  told.push('== of the agents that are always there', ...builtIn.map((agent) => JSON.stringify(agent)))
  await expect(told.join('\n')).toMatchFileSnapshot('golden/systemPrompts.txt')
})

it('is small, and identical for identical parts', () => {
  expect(systemPrompt(PARTS).length).toBeLessThan(2700)
  expect(systemPrompt({ ...PARTS })).toBe(systemPrompt(PARTS))
})
