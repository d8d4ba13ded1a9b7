import { describe, expect, it } from 'vitest'
import { readInputs, splitNames, splitWords, toArguments } from '../../src/github/inputs.ts'

describe('inputs', () => {
  it('are read as the runner passes them, without empty ones', () => {
    expect(readInputs({ INPUT_PROMPT: ' do it ', INPUT_MODEL: '', PATH: '/bin' })).toEqual({ prompt: 'do it' })
  })

  it.each([
    ['INPUT_CLAUDE_ARGS', 'args'],
    ['INPUT_WORKING-DIRECTORY', 'working_directory'],
    ['INPUT_OUTPUT-FILE', 'output_file'],
    ['INPUT_PROMPT-FILE', 'prompt_file'],
    ['INPUT_DIRECT_PROMPT', 'prompt'],
    ['INPUT_OPENAI-API-KEY', 'anthropic_api_key'],
    ['INPUT_TIMEOUT_MINUTES', 'timeout'],
    ['INPUT_FAIL_ON_DENY', 'fail_on_denied'],
    ['INPUT_MAX_TRUNS', 'max_turns'],
    ['INPUT_ALLOWEDTOOLS', 'allowed_tools'],
  ])('%s is refused with %s', (variable, right) => {
    expect(() => readInputs({ [variable]: 'x' })).toThrow(`write \`${right}\``)
  })

  it('of other actions that have no counterpart are refused with what to do instead', () => {
    expect(() => readInputs({ 'INPUT_CODEX-VERSION': '1' })).toThrow(
      'There is no input codex-version. Nothing is installed: the action brings its own program.',
    )
  })

  it('become flags without a shell: a value stays one value', () => {
    const model = '$(id) --policy evil.yml; `id`'
    expect(
      toArguments({ model, fail_on_denied: 'true', show_full_output: 'false', prompt: '--x', args: '--lock "a b"' }),
    ).toEqual(['run', `--model=${model}`, '--fail-on-denied', '--lock', 'a b'])
  })

  it('of switches are true or false', () => {
    expect(() => toArguments({ fail_on_denied: 'yes' })).toThrow('fail_on_denied: write true or false.')
  })
})

describe('splitWords', () => {
  it.each([
    ['', []],
    ['  a\n b ', ['a', 'b']],
    [`--x='a b' "c d"`, ['--x=a b', 'c d']],
    [`"it's" 'say "so"'`, ["it's", 'say "so"']],
    [String.raw`a\ b "q\"q" 'n\n'`, ['a b', 'q"q', String.raw`n\n`]],
    ['$(id) `id` $HOME *', ['$(id)', '`id`', '$HOME', '*']],
    [`''`, ['']],
  ])('%j', (text, words) => expect(splitWords(text)).toEqual(words))

  it('refuses a quote that is not closed', () => expect(() => splitWords('a "b')).toThrow('not closed'))
})

it('splits names at commas and white space', () => expect(splitNames('a, b\nc')).toEqual(['a', 'b', 'c']))
