import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { code, fenced, literal, shortened } from '../../../src/report/markdown/markdownText.ts'
import { safeMarkdown } from '../../../src/report/markdown/safeMarkdown.ts'
import { times } from '../../helpers/sampled.ts'

const quote = (text: string): string => safeMarkdown(text).replace(/^> ?/gm, '').trimEnd()

describe('literal and code', () => {
  it.each([
    ['plain text, v1.2 (ok): a/b_c', 'plain text, v1.2 (ok): a/b&#95;c'],
    [
      '*b* `c` [l](u) ![i](u) <b>&amp;',
      '&#42;b&#42; &#96;c&#96; &#91;l&#93;(u) &#33;&#91;i&#93;(u) &#60;b&#62;&#38;amp;',
    ],
    ['a | b\nc', 'a &#124; b c'],
    ['@user fixes #12 and GH-3', '@&#8203;user fixes #&#8203;12 and GH-&#8203;3'],
    ['https://evil.example www.evil.example', 'https&#58;//evil.example www&#46;evil.example'],
    ['- list', '&#45; list'],
    ['1. list', '1&#46; list'],
    ['# heading', '&#35; heading'],
    ['=====', '&#61;===='],
    ['a\u202eb', 'a&#92;u&#123;202e&#125;b'],
  ])('%j is shown literally', (text, markdown) => {
    expect(literal(text)).toBe(markdown)
  })

  it('code can be copied as it is', () => {
    expect(code('Bash(npm i @scope/x #1)')).toBe('<code>Bash(npm i @scope/x #1)</code>')
  })

  it('leaves no character with a special meaning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(literal(text).replace(/&#\d+;/g, '')).not.toMatch(/[\\`*_{}[\]<>|~\n]|@\w|#\d/)
      }),
      { numRuns: times(2_000, 100) },
    )
  })
})

describe('fenced', () => {
  it.each([
    ['text', '```\ntext\n```\n'],
    ['```\nx\n```', '````\n```\nx\n```\n````\n'],
    ['~~~', '```\n~~~\n```\n'],
    [`${'`'.repeat(9)}`, `${'`'.repeat(10)}\n${'`'.repeat(9)}\n${'`'.repeat(10)}\n`],
  ])('%j gets a fence that is longer than any in it', (text, block) => {
    expect(fenced(text)).toBe(block)
  })
})

describe('shortened', () => {
  it('keeps the first and the last lines, and counts the rest', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join('\n')
    const short = shortened(text, 400)
    expect(short.length).toBeLessThan(450)
    expect(short).toMatch(/^line 0\n[\s\S]*\n… \d+ characters left out …\n[\s\S]*line 999$/)
    expect(shortened('short', 400)).toBe('short')
  })
})

describe('safeMarkdown', () => {
  it('keeps formatting, in a quote', () => {
    const text = '# Done\n\nI **changed** two files:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |'
    expect(safeMarkdown(text)).toBe(`${text.replace(/^/gm, '> ').replace(/ $/gm, '')}\n`)
  })

  it.each([
    ['<img src=//evil.example/x?y>', '&lt;img src=//evil.example/x?y>'],
    ['</details><h1>x', '&lt;/details>&lt;h1>x'],
    ['![x](https://evil.example/x.png)', '!&#91;x](https://evil.example/x.png)'],
    ['[Approve](https://evil.example)', '&#91;Approve](https://evil.example)'],
    ['[x]: https://evil.example', '&#91;x]: https://evil.example'],
    ['\\![x](u) \\<b> \\@user', '&#33;&#91;x](u) &#60;b> \\@&#8203;user'],
    ['hi @user, fixes #1, GH-2', 'hi @&#8203;user, fixes #&#8203;1, GH-&#8203;2'],
    ['&#64;user &lt;b&gt;', '&amp;#&#8203;64;user &amp;lt;b&amp;gt;'],
    ['a `x<y` b', 'a <code>x&#60;y</code> b'],
    ['a ``x ` y`` b', 'a <code>x &#96; y</code> b'],
    ['one ` lone', 'one &#96; lone'],
    ['| `a | <img src=x>` |', '| <code>a &#124; &#60;img src=x&#62;</code> |'],
    ['$x$', '&#36;x&#36;'],
    ['a\u202eb', 'a\\u{202e}b'],
  ])('%j becomes %j', (text, markdown) => {
    expect(quote(text)).toBe(markdown)
  })

  it.each([
    ['```js\nconst a = "<b>"\n```\nafter <b>', '```js\nconst a = "<b>"\n```\nafter &lt;b>'],
    ['```\nopen <b>', '```\nopen <b>\n```'],
    ['~~~\n```\n<b>\n~~~\n<i>', '````\n```\n<b>\n````\n&lt;i>'],
    ['````\n```\n````\n<i>', '````\n```\n````\n&lt;i>'],
    ['``` a`b\n<i>', '&#96;&#96;&#96; a&#96;b\n&lt;i>'],
  ])('closes every fence it opens: %j', (text, markdown) => {
    expect(quote(text)).toBe(markdown)
  })

  it('shows a table of thousands of columns as text', () => {
    const out = safeMarkdown(`${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|`)
    expect(out).not.toContain('|')
    expect(out.length).toBeLessThan(40_000)
  })

  it('passes no HTML: no tag, image or link outside fences', () => {
    const parts = fc.constantFrom(
      '`',
      '``',
      '```',
      '\n',
      '\n```\n',
      '~~~\n',
      '<img src=x>',
      '![a](b)',
      '[a](b)',
      '|',
      '\\',
      '> ',
      '- ',
      '    ',
      '&lt;',
      'x',
      '<code>',
      '</code>',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (texts) => {
        let fence = ''
        for (const line of quote(texts.join('')).split('\n')) {
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
