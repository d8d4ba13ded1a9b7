import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/config/parseArguments.ts'
import { resolveConfig } from '../../src/config/resolveConfig.ts'

it.each([
  ['tols', 'tools'],
  ['reprot', 'report'],
  ['polcy', 'policy'],
  ['explain', 'policy explain'],
  ['fix', 'init fix'],
])('refuses %s as a mistyped command: %s', (word, meant) => {
  expect(() => parseArguments([word])).toThrow(`There is no command ${word}. Did you mean kode-run ${meant}?`)
  expect(parseArguments(['run', word])).toMatchObject({ command: 'run', positionals: [word] })
})

it('does not take a bare first word as a prompt unless it is marked as one', () => {
  expect(() => parseArguments(['refactor'])).toThrow(
    'There is no command refactor. See kode-run help. As a prompt: kode-run --prompt',
  )
  expect(() => parseArguments(['--max-turns', '3', 'doctr'])).toThrow('Did you mean kode-run doctor?')
  expect(() => parseArguments(['--quiet', 'tools', 'x'])).toThrow('tools must come before all flags.')
  for (const argv of [
    ['--', 'lint'],
    ['--prompt', 'lint'],
    ['run', 'lint'],
    ['-p', 'lint'],
    ['exec', 'lint'],
  ])
    expect(parseArguments(argv)).toMatchObject({ command: 'run', positionals: ['lint'] })
})

it.each(['Explain', 'do it', 'the tests fail', 'x'])('%s is a prompt', (prompt) => {
  expect(parseArguments([prompt])).toMatchObject({ command: 'run', positionals: [prompt] })
})

function configOf(argv: readonly string[], environment = {}, policy = {}) {
  const invocation = parseArguments(argv)
  if (invocation.show !== undefined) throw new Error('help')
  return resolveConfig(invocation.flags, environment, policy, '/srv/project', '/home/me')
}

describe('who answers', () => {
  const policy = { baseUrl: 'https://gateway.example/v1', modelIds: { opus: 'big', sonnet: 'middle' } }

  it('is told by the policy, and by variables that beat it', () => {
    expect(configOf([], {}, policy)).toMatchObject({ provider: 'anthropic', baseUrl: policy.baseUrl, model: 'middle' })
    const environment = { ANTHROPIC_BASE_URL: 'https://other.example', ANTHROPIC_DEFAULT_OPUS_MODEL: 'bigger' }
    expect(configOf(['--model', 'opus'], environment, policy)).toMatchObject({
      ...{ baseUrl: 'https://other.example', model: 'bigger', expertModel: 'bigger' },
      modelIds: { opus: 'bigger', sonnet: 'middle' },
    })
    expect(configOf([], { CLAUDE_CODE_USE_BEDROCK: '1' }, { provider: 'vertex' }).provider).toBe('bedrock')
  })

  it('is one cloud at most', () => {
    const both = { CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: '1' }
    expect(() => configOf([], both)).toThrow('CLAUDE_CODE_USE_BEDROCK and CLAUDE_CODE_USE_VERTEX are both set')
  })
})

describe('resolveConfig', () => {
  it('prefers flags to the environment to the policy to defaults', () => {
    const environment = { KODE_RUN_MAX_TURNS: '8', KODE_RUN_MAX_DENIALS: '6' }
    const policy = { maxTurns: 9, maxDenials: 9, maxToolCalls: 4 }
    expect(configOf(['--max-turns', '7'], environment, policy).limits).toMatchObject({
      ...{ turns: 7, denials: 6, toolCalls: 4, budgetUsd: 5, timeoutMs: 1_800_000 },
    })
  })

  it.each(['max-turns', 'max-tool-calls', 'max-denials', 'max-tokens-total', 'max-budget-usd'])(
    'refuses --%s 0, like a policy: the run would end before its first request',
    (name) => {
      expect(() => configOf([`--${name}`, '0'])).toThrow(`--${name} must be more than 0.`)
      expect(() => configOf([], { [`KODE_RUN_${name.toUpperCase().replaceAll('-', '_')}`]: '0' })).toThrow(
        'more than 0',
      )
    },
  )

  it('resolves the paths of all flags from the current directory, not from --cwd', () => {
    const files = ['transcript', 'record', 'replay', 'summary', 'output-last-message', 'resume', 'api-key-file']
    const flags = [...files, 'add-dir', 'mcp-config', 'json-schema', 'agents', 'system-prompt-file']
    const config = configOf([
      ...flags.flatMap((name) => [`--${name}`, `x/${name}`]),
      '--append-system-prompt-file=/abs',
    ])
    expect(config).toMatchObject({
      cwd: '/srv/project',
      transcript: '/home/me/x/transcript',
      record: '/home/me/x/record',
      replay: '/home/me/x/replay',
      summaryFile: '/home/me/x/summary',
      lastMessageFile: '/home/me/x/output-last-message',
      resume: '/home/me/x/resume',
      apiKeyFile: '/home/me/x/api-key-file',
      addDirs: ['/home/me/x/add-dir'],
      mcpConfigs: ['/home/me/x/mcp-config'],
      jsonSchema: '/home/me/x/json-schema',
      agents: '/home/me/x/agents',
      systemPrompt: { file: '/home/me/x/system-prompt-file' },
      appendSystemPrompt: { file: '/abs' },
    })
    expect(configOf(['--json-schema', ' {"type":"object"}', '--agents', '{"a":{}}'])).toMatchObject({
      jsonSchema: ' {"type":"object"}',
      agents: '{"a":{}}',
    })
  })

  it.each([
    ['a flag', ['--model', 'opus', '--fallback-model', 'sonnet,haiku'], {}, {}],
    ['the environment', [], { ANTHROPIC_MODEL: 'opus', KODE_RUN_FALLBACK_MODEL: 'sonnet,haiku' }, {}],
    ['the policy', [], {}, { model: 'opus', fallbackModel: ['sonnet', 'haiku'] }],
  ])('knows the short names of models from %s', (_, argv, environment, policy) => {
    expect(configOf(argv, environment, policy)).toMatchObject({
      model: 'claude-opus-5-5',
      fallbackModels: ['claude-sonnet-5-5', 'claude-haiku-5-5'],
    })
  })

  it('reads a value that starts with a brace as JSON', () => {
    const json = '{"mcpServers":{}}'
    expect(configOf(['--mcp-config', json, 'more.json']).mcpConfigs).toEqual([json, '/home/me/more.json'])
  })
})
