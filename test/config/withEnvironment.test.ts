import { describe, expect, it } from 'vitest'
import { unknownVariables, withEnvironment } from '../../src/config/withEnvironment.ts'

describe('withEnvironment', () => {
  it('fills in what the command line leaves out, each value by its kind', () => {
    const environment = {
      KODE_RUN_POLICY: 'ci/policy.yml',
      KODE_RUN_MAX_TURNS: '7',
      KODE_RUN_QUIET: '1',
      KODE_RUN_VERBOSE: 'false',
      KODE_RUN_ALLOWED_TOOLS: 'Read, Bash(git log, *)',
      KODE_RUN_ADD_DIR: '../other',
      KODE_RUN_MODEL: ' ',
      ANTHROPIC_MODEL: 'm',
    }
    expect(withEnvironment({ 'max-turns': 3 }, environment)).toEqual({
      policy: 'ci/policy.yml',
      'max-turns': 3,
      quiet: true,
      verbose: false,
      allowedTools: ['Read', 'Bash(git log, *)'],
      'add-dir': ['../other'],
      model: 'm',
    })
  })

  it.each([
    ['KODE_RUN_MAX_TURNS', 'many', /^KODE_RUN_MAX_TURNS \(--max-turns\): "many" is not a whole number/],
    ['KODE_RUN_QUIET', 'yes', /^KODE_RUN_QUIET \(--quiet\): "yes" is not one of 1, true, 0, false/],
    ['KODE_RUN_FALLBACK_MODEL', ',', /^KODE_RUN_FALLBACK_MODEL \(--fallback-model\) needs a value/],
    ['KODE_RUN_OUTPUT_FORMAT', 'xml', /is not one of text, json, stream-json/],
  ])('names the variable %s if its value is malformed', (name, value, message) => {
    expect(() => withEnvironment({}, { [name]: value })).toThrow(message)
  })
})

describe('unknownVariables', () => {
  it('reports unknown variables with our prefix, and the closest known one', () => {
    const environment = {
      KODE_RUN_MAX_TURN: '3',
      KODE_RUN_ID: 'x',
      KODE_RUN_MODEL: 'm',
      KODE_RUN_ZZZZZZZZ: '',
      PATH: '/',
    }
    expect(unknownVariables(environment)).toEqual([
      'KODE_RUN_MAX_TURN in the environment is unknown (did you mean KODE_RUN_MAX_TURNS?)',
      'KODE_RUN_ZZZZZZZZ in the environment is unknown',
    ])
  })
})
