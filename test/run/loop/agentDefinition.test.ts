import { expect, it } from 'vitest'
import { toolsOf } from '../../../src/run/loop/agentDefinition.ts'
import type { AgentInfo } from '../../../src/Tool.ts'
import { getAllBaseTools } from '../../../src/tools.ts'

const OFFERED = ['Agent', 'Bash', 'Finish', 'Read', 'SendMessage']
const parents = getAllBaseTools().filter(({ name }) => OFFERED.includes(name))

it.each<[string, Partial<AgentInfo>, number, string[]]>([
  [
    'all tools are those of its parent, but for those of the run',
    { tools: '*' },
    1,
    ['Agent', 'Bash', 'Read', 'SendMessage'],
  ],
  ['a tool that its parent does not have', { tools: ['Read', 'Write'] }, 1, ['Read']],
  [
    'a tool that it must not have, by another name',
    { tools: '*', disallowedTools: ['BashTool'] },
    2,
    ['Agent', 'Read', 'SendMessage'],
  ],
  ['the third level starts no other', { tools: '*' }, 3, ['Bash', 'Read']],
  ['the one for the whole task always ends the run', { tools: ['Read'] }, 0, ['Finish', 'Read']],
])('an agent gets no more: %s', (_, info, depth, names) => {
  const given = toolsOf(parents, { name: 'a', description: '', prompt: '', tools: '*', source: 'x', ...info }, depth)
  expect(given.map(({ name }) => name).toSorted()).toEqual(names)
})
