import { describe, expect, it } from 'vitest'
import type { AgentInfo, AgentRequest } from '../../src/Tool.ts'
import { AgentTool } from '../../src/tools/AgentTool/AgentTool.ts'
import { SendMessageTool } from '../../src/tools/SendMessageTool/SendMessageTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

const REVIEWER: AgentInfo = { name: 'reviewer', description: 'reviews', prompt: '', tools: '*', source: 'policy' }

function createContext(isError = false) {
  const requests: AgentRequest[] = []
  const context = createToolContext({
    agents: [REVIEWER, { ...REVIEWER, name: 'general-purpose' }],
    runAgent: async (request) => {
      requests.push(request)
      return { agentId: 'agent-1', text: 'All good.', isError, turns: 2 }
    },
  })
  return { context, requests }
}

describe('Agent', () => {
  it('passes the task on and returns the answer with the id', async () => {
    const { context, requests } = createContext()
    const input = { description: 'review it', prompt: 'Review src.', subagent_type: 'reviewer' }
    const { text, isError } = await runTool(AgentTool, input, context)
    expect(requests).toEqual([{ agent: 'reviewer', prompt: 'Review src.', description: 'review it' }])
    expect(text).toBe('All good.\n\n(agentId: agent-1. Continue with this agent through SendMessage.)')
    expect(isError).toBe(false)
  })

  it('is judged by the name of the agent, by default the general one', () => {
    const { context } = createContext()
    expect(AgentTool.subjects({ description: 'x', prompt: 'y', subagent_type: 'reviewer' }, context)).toEqual([
      { kind: 'name', tool: 'Agent', specifier: 'reviewer' },
    ])
    expect(AgentTool.subjects({ description: 'x', prompt: 'y' }, context)).toMatchObject([
      { specifier: 'general-purpose' },
    ])
  })

  it('lists the agents for an unknown name', async () => {
    const { context, requests } = createContext()
    const { text, step } = await runTool(AgentTool, { description: 'x', prompt: 'y', subagent_type: 'nobody' }, context)
    expect(step).toBe('validate')
    expect(text).toBe('There is no agent nobody. There are: reviewer, general-purpose.')
    expect(requests).toEqual([])
  })

  it('reports a failed agent', async () => {
    const { context } = createContext(true)
    expect((await runTool(AgentTool, { description: 'x', prompt: 'y' }, context)).isError).toBe(true)
  })
})

describe('SendMessage', () => {
  it('continues with the agent of that id', async () => {
    const { context, requests } = createContext()
    const { text } = await runTool(SendMessageTool, { to: 'agent-1', message: 'And the tests?' }, context)
    expect(requests).toMatchObject([{ agentId: 'agent-1', prompt: 'And the tests?' }])
    expect(text).toBe('All good.')
  })
})
