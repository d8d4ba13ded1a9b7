import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLine } from '../../../src/report/formats/output.ts'
import { encodeUntrusted, escapeWorkflowCommands } from '../../../src/report/markdown/encodeUntrusted.ts'
import { code, fenced, literal, shortened } from '../../../src/report/markdown/markdownText.ts'
import { safeMarkdown, unquotedMarkdown } from '../../../src/report/markdown/safeMarkdown.ts'
import { parseRunnerOutput } from '../../helpers/github/runnerParser.ts'
import { hostileText } from '../../helpers/hostileText.ts'
import { times } from '../../helpers/sampled.ts'

const FORMS = { literal, code, fenced, safeMarkdown, unquotedMarkdown, encodeUntrusted, escapeWorkflowCommands }

// Read it as the reader of a summary or a log: `npx vitest run test/report/markdown/texts.test.ts -u` writes it.
it('shows each text as it is, in the form that its place needs', async () => {
  const lines = readFileSync(new URL('texts.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(3)
  let form: keyof typeof FORMS = 'literal'
  const told = lines.map((line) => {
    if (line.startsWith('== ')) form = line.slice(3) as keyof typeof FORMS
    if (line === '' || line.startsWith('== ')) return line
    return `${line}\n  ${JSON.stringify(FORMS[form](JSON.parse(line))).slice(1, -1)}`
  })
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('golden/texts.txt')
})

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

  it('is needed: many hostile texts would be commands', () => {
    const texts = fc.sample(hostileText, 1_000)
    expect(texts.filter((text) => parseRunnerOutput(text).length > 0).length).toBeGreaterThan(100)
  })
})

describe('whatever the text', () => {
  const always = (runs: number, check: (text: string) => void) =>
    fc.assert(fc.property(hostileText, check), { numRuns: runs })

  it('a line of the log is no command, and begins with our mark', () => {
    always(times(10_000, 500), (text) => {
      const out = encodeUntrusted(text)
      expect(parseRunnerOutput(out)).toEqual([])
      for (const line of out.slice(0, -1).split('\n')) expect(line.startsWith('│ ')).toBe(true)
    })
  })

  it('a result on stdout is no command', () => {
    always(times(10_000, 500), (text) => {
      expect(parseRunnerOutput(escapeWorkflowCommands(text))).toEqual([])
    })
  })

  it('JSON on stdout means the same, and is no command', () => {
    always(times(2_000, 500), (text) => {
      const line = jsonLine({ [text]: text })
      expect(JSON.parse(line)).toEqual({ [text]: text })
      expect(line.split('\n')).toHaveLength(2)
      expect(parseRunnerOutput(line)).toEqual([])
    })
  })

  it('a literal has no character with a special meaning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(literal(text).replace(/&#\d+;/g, '')).not.toMatch(/[\\`*_{}[\]<>|~\n]|@\w|#\d/)
      }),
      { numRuns: times(2_000, 100) },
    )
  })

  it('Markdown of the model has no tag, image or link outside of fences', () => {
    const signs = ['`', '``', '```', '\n', '\n```\n', '~~~\n', '<img src=x>', '![a](b)', '[a](b)']
    const parts = fc.constantFrom(...signs, '|', '\\', '> ', '- ', '    ', '&lt;', 'x', '<code>', '</code>')
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (texts) => {
        let fence = ''
        const quoted = safeMarkdown(texts.join('')).replace(/^> ?/gm, '').trimEnd()
        for (const line of quoted.split('\n')) {
          if (fence === '' && /^`{3,}\w*$/.test(line)) fence = /^`+/.exec(line)?.[0] ?? ''
          else if (line === fence) fence = ''
          else if (fence === '') expect(line.replace(/<code>[^<`[|]*<\/code>/g, '')).not.toMatch(/<|`|\[/)
        }
        expect(fence).toBe('')
      }),
      { numRuns: times(5_000, 250) },
    )
  })
})

it('shows a table of thousands of columns as text', () => {
  const out = safeMarkdown(`${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|`)
  expect(out).not.toContain('|')
  expect(out.length).toBeLessThan(40_000)
})

it('keeps the first and the last lines of a long text, and counts the rest', () => {
  const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join('\n')
  const short = shortened(text, 400)
  expect(short.length).toBeLessThan(450)
  expect(short).toMatch(/^line 0\n[\s\S]*\n… \d+ characters left out …\n[\s\S]*line 999$/)
  expect(shortened('short', 400)).toBe('short')
})
