import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RecordedRequest } from '../../helpers/model/messagesServer.ts'
import {
  agent,
  bash,
  calls,
  playAgents as play,
  requestsOf,
  say,
  systemOf,
  type TurnFor,
  toolsOf,
} from '../../helpers/runs/agentRuns.ts'
import { resultsIn, write } from '../../helpers/runs/playRun.ts'

/** A definition as Claude Code has it. */
const SECOND = `---
name: second
description: second does it
tools: Bash, Write
model: claude-opus-5-5
---
I am the second
`

it('sub-agents run in parallel, with the context, tools and model of their definitions', async () => {
  const atWork = new Set<string>()
  // Each goes on until the other is at work too: one after the other, neither would end.
  const besideOther =
    (own: string, other: string, file: string): TurnFor =>
    (n) => {
      if (n === 0) return calls(write(file))
      atWork.add(own)
      return atWork.has(other) ? say(`${own} is done`) : bash(`echo ${n}`)
    }
  const { run, api } = await play(
    {
      main: [
        calls(
          agent('first', 'touch and wait'),
          agent('second', 'touch and wait too'),
          agent('third', 'nothing', { model: 'opus' }),
        ),
      ],
      'I am the first': besideOther('first', 'second', 'a'),
      'I am the second': besideOther('second', 'first', 'b'),
      'I am the third': [say('third is done')],
    },
    {
      policy: `version: 1
permissions: { allow: [Bash, Agent, "Edit(./**)"] }
agents:
  first: { description: the policy's, prompt: I am the first, tools: [Bash, Read, Write, Wirte], model: haiku }
`,
      files: { 'AGENTS.md': 'Indent with tabs.', '.claude/agents/second.md': SECOND },
      args: ['--agents', JSON.stringify({ third: { description: 'a flag', prompt: 'I am the third' } })],
    },
  )
  expect([existsSync(join(run.project, 'a')), existsSync(join(run.project, 'b')), run.code]).toEqual([true, true, 0])
  const [main, last] = [api.requests[0], api.requests.at(-1)]
  const answers = resultsIn(last?.body.messages).map((text) => text.split('\n')[0])
  expect(answers).toEqual(['first is done', 'second is done', 'third is done'])
  expect(systemOf(main as RecordedRequest)).toMatch(/^- first: the policy's$[\s\S]*^- second: second does it$/m)
  const [first] = requestsOf(api, 'I am the first')
  const [second] = requestsOf(api, 'I am the second')
  const [third] = requestsOf(api, 'I am the third')
  const models = [first, second, third].map((request) => request?.body.model)
  expect(models).toEqual(['claude-haiku-5-5', 'claude-opus-5-5', 'claude-opus-5-5'])
  expect(run.result().warnings.filter((text) => text.startsWith('Agent '))).toEqual([
    'Agent first: there is no tool Wirte.',
  ])
  expect([first, second].map((request) => toolsOf(request).join(' '))).toEqual(['Bash Read Write', 'Bash Write'])
  expect(toolsOf(third)).toEqual(toolsOf(main).filter((name) => name !== 'Finish'))
  expect(systemOf(first as RecordedRequest)).toContain('A denial is final')
  const [opening] = first?.body.messages ?? []
  expect(opening.content[0].text).toMatch(/Indent with tabs\.[\s\S]*touch and wait$/)
  expect(JSON.stringify(first?.body)).not.toContain('the task of main')
})
