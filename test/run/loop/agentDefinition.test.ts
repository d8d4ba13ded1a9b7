import { expect, it } from 'vitest'
import { toolsOf } from '../../../src/run/loop/agentDefinition.ts'
import type { AgentInfo } from '../../../src/Tool.ts'
import { getAllBaseTools } from '../../../src/tools.ts'
import { listOf, table } from '../../helpers/table.ts'

const OFFERED = ['Agent', 'Bash', 'Finish', 'Read', 'SendMessage']
const parents = getAllBaseTools().filter(({ name }) => OFFERED.includes(name))

// Depth of the agent, the tools that its definition names or denies, and what it gets.
it.each(table`
  all tools are those of its parent, but for those of the run | 1 | | Agent, Bash, Read, SendMessage
  a tool that its parent does not have | 1 | Read, Write | Read
  a tool that it must not have, by another name | 2 | not BashTool | Agent, Read, SendMessage
  the third level starts no other | 3 | | Bash, Read
  the one for the whole task always ends the run | 0 | Read | Finish, Read
`)('an agent gets no more: %s', (_, depth, asked = '', names = '') => {
  const [, denied] = /^not (.*)$/.exec(asked) ?? []
  const tools = asked === '' || denied !== undefined ? '*' : listOf(asked)
  const info: AgentInfo = { name: 'a', description: '', prompt: '', source: 'x', tools }
  const given = toolsOf(parents, denied === undefined ? info : { ...info, disallowedTools: [denied] }, Number(depth))
  expect(given.map(({ name }) => name).toSorted()).toEqual(listOf(names))
})
