import { expect, test } from 'vitest'
import { chooseTools, parseTools } from '../../../src/mcp/tools/chooseTools.ts'

const schema = { type: 'object' as const }

function choose(names: readonly string[], patterns?: readonly string[], inputSchema: { type: 'object' } = schema) {
  const warnings: string[] = []
  const tools = names.map((name) => ({ name, inputSchema }))
  const chosen = chooseTools('srv', tools, patterns, (message) => warnings.push(message))
  return { shown: chosen.map((one) => one.shownName), warnings }
}

test.each([
  ['read_file', 'mcp__srv__read_file'],
  ['get-it', 'mcp__srv__get-it'],
  ['Bash', 'mcp__srv__Bash'],
  ['a__b', 'mcp__srv__a__b'],
  ['repo.get/one', 'mcp__srv__repo_get_one'],
  ['two words', 'mcp__srv__two_words'],
  ['x'.repeat(54), `mcp__srv__${'x'.repeat(54)}`],
])('%s is offered as %s', (name, shown) => {
  expect(choose([name])).toEqual({ shown: [shown], warnings: [] })
})

test.each([
  ['a look-alike', 'Bаsh', /beyond printable ASCII/],
  ['a newline', 'read\nfile', /beyond printable ASCII/],
  ['a direction mark', 'read\u202efile', /beyond printable ASCII/],
  ['300 characters', 'x'.repeat(300), /has 310 characters, the API takes 64/],
  ['one character too many', 'x'.repeat(55), /has 65 characters/],
])('%s is left out', (_, name, reason) => {
  const { shown, warnings } = choose([name, 'good'])
  expect(shown).toEqual(['mcp__srv__good'])
  expect(warnings).toEqual([expect.stringMatching(reason)])
})

test('tools with the same name are all left out', () => {
  const { shown, warnings } = choose(['get.it', 'get_it', 'other'])
  expect(shown).toEqual(['mcp__srv__other'])
  expect(warnings).toEqual([
    'the tool "get.it" is left out: its name mcp__srv__get_it is taken twice',
    'the tool "get_it" is left out: its name mcp__srv__get_it is taken twice',
  ])
  expect(choose(['same', 'same']).shown).toEqual([])
})

test("patterns match the server's own tool names", () => {
  const names = ['get_file', 'get_repo', 'delete_file', 'repo/get']
  expect(choose(names, ['get_*', 'repo/*']).shown).toEqual([
    'mcp__srv__get_file',
    'mcp__srv__get_repo',
    'mcp__srv__repo_get',
  ])
  expect(choose(names, []).shown).toEqual([])
  expect(choose(names, ['get_*', 'typo_*']).warnings).toEqual(['no tool matches "typo_*", which `tools` names'])
  expect(choose(names, ['!get_*']).shown).toEqual([])
})

test.each([
  ['a property with hidden letters', { properties: { 'path\u{E0041}': {} } }],
  ['a hidden value', { properties: { mode: { enum: ['fast\u202e'] } } }],
  ['no end', { $comment: 'x'.repeat(100_001) }],
])('a schema with %s is left out', (_, more) => {
  const { shown, warnings } = choose(['tool'], undefined, { ...schema, ...more })
  expect(shown).toEqual([])
  expect(warnings).toHaveLength(1)
})

test('hidden characters in texts are allowed: the texts are cleaned', () => {
  const more = { properties: { path: { type: 'string', description: 'a\u200bb' }, description: { type: 'string' } } }
  expect(choose(['tool'], undefined, { ...schema, ...more }).shown).toEqual(['mcp__srv__tool'])
})

test('a malformed tool does not affect the others', () => {
  const warnings: string[] = []
  const listed = [
    { name: 'a', inputSchema: schema },
    { name: 'b' },
    7,
    { inputSchema: schema },
    { name: 'c', inputSchema: { type: 'array' } },
  ]
  expect(parseTools(listed, (message) => warnings.push(message)).map((tool) => tool.name)).toEqual(['a'])
  expect(warnings).toHaveLength(4)
  expect(warnings[0]).toContain('the tool "b" is left out')
})
