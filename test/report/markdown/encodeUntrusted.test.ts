import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLine } from '../../../src/report/formats/output.ts'
import { encodeUntrusted, escapeWorkflowCommands } from '../../../src/report/markdown/encodeUntrusted.ts'
import { parseRunnerOutput } from '../../helpers/github/runnerParser.ts'
import { hostileText } from '../../helpers/hostileText.ts'
import { times } from '../../helpers/sampled.ts'

describe('the oracle', () => {
  it.each([
    ['::error::x', ['error']],
    ['  \u00a0::ERROR file=a::x', ['error']],
    ['\ufeff::error::x', ['error']],
    ['a ##[set-output name=a;]b', ['set-output']],
    ['a\r::add-mask::e', ['add-mask']],
    ['#\u200b#[error]x', ['error']],
    ['::stop-commands::tok\n::error::x\n::tok::\n::debug::y', ['stop-commands', 'debug']],
    ['text ::error::x', []],
    ['::unknown::x', []],
  ])('reads %j as %j', (output, names) => {
    expect(parseRunnerOutput(output).map(({ name }) => name)).toEqual(names)
  })
})

describe('encodeUntrusted', () => {
  it.each([
    ['plain', '│ plain\n'],
    ['', '│ \n'],
    ['::error::x', '│ ::error::x\n'],
    ['a ##[error]b', '│ a ## [error]b\n'],
    ['###[error]b', '│ ### [error]b\n'],
    ['##vso[task.complete]', '│ ## vso[task.complete]\n'],
    ['a\rb\r\nc\nd', '│ a\n│ b\n│ c\n│ d\n'],
    ['a\u2028::error::x', '│ a\n│ ::error::x\n'],
    ['\u001b[31mred', '│ \\u{1b}[31mred\n'],
    ['abc\u202e\u200b', '│ abc\\u{202e}\\u{200b}\n'],
    ['⚠️ 👩\u200d👧 ❤️\u200d🔥', '│ ⚠️ 👩\u200d👧 ❤️\u200d🔥\n'],
    ['#\ufe0f#\u200d[error]', '│ #\\u{fe0f}#\\u{200d}[error]\n'],
    ['\ttab', '│ \ttab\n'],
  ])('%j becomes %j', (text, lines) => {
    expect(encodeUntrusted(text)).toBe(lines)
  })

  it('passes no command, whatever the text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const out = encodeUntrusted(text)
        expect(parseRunnerOutput(out)).toEqual([])
        for (const line of out.slice(0, -1).split('\n')) expect(line.startsWith('│ ')).toBe(true)
      }),
      { numRuns: times(10_000, 500) },
    )
  })

  it('is needed: many of these texts would be commands', () => {
    const texts = fc.sample(hostileText, 1_000)
    expect(texts.filter((text) => parseRunnerOutput(text).length > 0).length).toBeGreaterThan(100)
  })
})

describe('results on stdout', () => {
  it('keeps all text except commands', () => {
    const text = '# Title\n\n  - item ##1\n  ::error::x\n`##[error]`'
    expect(escapeWorkflowCommands(text)).toBe('# Title\n\n  - item ##1\n│   ::error::x\n`## [error]`')
  })

  it('passes no command, whatever the text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(parseRunnerOutput(escapeWorkflowCommands(text))).toEqual([])
      }),
      { numRuns: times(10_000, 500) },
    )
  })

  it('escapes JSON so that it means the same and is not a command', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const line = jsonLine({ [text]: text })
        expect(JSON.parse(line)).toEqual({ [text]: text })
        expect(line.split('\n')).toHaveLength(2)
        expect(parseRunnerOutput(line)).toEqual([])
      }),
      { numRuns: times(2_000, 500) },
    )
  })
})
