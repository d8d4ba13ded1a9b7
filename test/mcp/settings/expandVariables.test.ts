import { expect, test } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import { expandVariables } from '../../../src/mcp/settings/expandVariables.ts'

const ENV = { TOKEN: 't-1', EMPTY: '', HOST: 'example.com' }
const expand = (text: string) => expandVariables('github', { command: text }, ENV).command

test.each([
  ['plain', 'plain'],
  ['${TOKEN}', 't-1'],
  ['Bearer ${TOKEN}!', 'Bearer t-1!'],
  ['${HOST}/${TOKEN}', 'example.com/t-1'],
  ['${MISSING:-fallback}', 'fallback'],
  ['${MISSING:-}', ''],
  ['${EMPTY:-fallback}', 'fallback'],
  ['${EMPTY}', ''],
  ['${TOKEN:-fallback}', 't-1'],
  ['${MISSING:-a b/c:d}', 'a b/c:d'],
  ['$TOKEN', '$TOKEN'],
  ['$(id)', '$(id)'],
  ['${1}', '${1}'],
])('%s is %s', (text, expected) => {
  expect(expand(text)).toBe(expected)
})

test('variables are expanded in every field of an entry', () => {
  const settings = {
    command: '${HOST}',
    args: ['a', '${HOST}'],
    env: { A: '${HOST}' },
    cwd: '/${HOST}',
    url: 'https://${HOST}/mcp',
    headers: { authorization: 'Bearer ${TOKEN}' },
    required: false,
  }
  expect(expandVariables('x', settings, ENV)).toEqual({
    command: 'example.com',
    args: ['a', 'example.com'],
    env: { A: 'example.com' },
    cwd: '/example.com',
    url: 'https://example.com/mcp',
    headers: { authorization: 'Bearer t-1' },
    required: false,
  })
})

test('an unset variable is named, with the key that uses it', () => {
  const attempt = () => expandVariables('github', { command: 'x', env: { KEY: '${GITHUB_TOKEN}' } }, ENV)
  expect(attempt).toThrow(RunError)
  expect(attempt).toThrow('mcpServers.github.env.KEY: the variable GITHUB_TOKEN is not set')
})

test('a value is not expanded again', () => {
  expect(expandVariables('x', { command: '${A}' }, { A: '${TOKEN}', TOKEN: 'secret' }).command).toBe('${TOKEN}')
})
