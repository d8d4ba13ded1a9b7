import { describe, expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import type { RunEvent } from '../../src/contracts/events.ts'
import { createBackgroundAgents } from '../../src/query/createBackgroundAgents.ts'
import { playLoop, text, use } from '../helpers/runs/loopLab.ts'

const WARNING: RunEvent = { type: 'system', subtype: 'warning', code: 'x', message: 'y' } as never

function lab() {
  const seen: RunEvent[] = []
  const reading: Promise<void>[] = []
  const agents = createBackgroundAgents((events) => {
    const read = async () => {
      for await (const event of events) seen.push(event)
    }
    reading.push(read())
  })
  return { agents, seen, reading }
}

describe('agents in the background', () => {
  it('give each answer once; their events are recorded', async () => {
    const { agents, seen, reading } = lab()
    agents.start('a1', async (send) => {
      await send(WARNING)
      return 'one'
    })
    agents.start('a2', async () => 'two')
    expect(agents.running()).toEqual(['a1', 'a2'])
    await agents.settled()
    expect(agents.running()).toEqual([])
    expect(agents.take().toSorted()).toEqual(['one', 'two'])
    expect(agents.take()).toEqual([])
    await Promise.all(reading)
    expect(seen).toEqual([WARNING])
  })

  it('that fail say so; a defect that a person must mend ends the run', async () => {
    const { agents } = lab()
    agents.start('a1', async () => {
      throw new Error('no model')
    })
    await agents.settled()
    expect(agents.take()).toEqual(['a1 failed: no model'])
    agents.start('a1', () => {
      throw new Error('at once')
    })
    await agents.settled()
    expect(agents.take()).toEqual(['a1 failed: at once'])
    agents.start('a2', async () => {
      throw new RunError('io_error', 'full')
    })
    await agents.settled()
    expect(() => agents.take()).toThrow('full')
  })

  it('are waited for even if one starts another', async () => {
    const { agents } = lab()
    agents.start('a1', async () => {
      agents.start('a2', async () => 'two')
      return 'one'
    })
    await agents.settled()
    expect(agents.take().toSorted()).toEqual(['one', 'two'])
  })
})

describe('a loop with agents in the background', () => {
  it('is not done before they are: their answers come together, and send it back', async () => {
    const { agents } = lab()
    agents.start('a1', async () => 'looked')
    agents.start('a2', async () => 'read')
    const run = await playLoop([text('done'), text('now done')], { background: agents })
    expect(run.requests.map(({ said }) => said)).toEqual(['do it', 'looked\n\nread'])
    expect(run.end.result).toBe('now done')
  })

  it('makes Finish void where an answer comes behind it', async () => {
    const { agents } = lab()
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    agents.start('a1', async () => {
      await opened
      return 'looked'
    })
    const finish = { content: [use('f', 'Finish', 'completed')], stop: 'tool_use' }
    const onEvent = (event: RunEvent) => {
      if (event.type === 'user') open()
    }
    const run = await playLoop([finish, text('again')], { background: agents, onEvent })
    expect(run.requests.at(-1)?.said).toMatch(/^This arrived after you called Finish\. /)
    expect(run.end).toMatchObject({ result: 'again', detail: 'The agent ended its turn.' })
  })

  it('ends them with itself, for the same reason', async () => {
    const { agents } = lab()
    const ended: unknown[] = []
    agents.start('a1', (_, signal) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          ended.push(signal.reason)
          resolve('')
        })
      })
    })
    await playLoop([], { background: agents, turns: 0 })
    expect(ended).toEqual([new RunError('max_turns', 'The agent that started this one has ended.')])
    expect(ended[0]).toMatchObject({ reason: 'max_turns' })
  })
})
