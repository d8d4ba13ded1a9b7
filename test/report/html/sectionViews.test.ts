import { describe, expect, it } from 'vitest'
import { markdownView } from '../../../src/report/html/sectionViews.ts'

describe('the answer on the page', () => {
  it.each([
    ['headings, lists, emphasis', '# Done\n\n- **two**', ['<h1>Done</h1>', '<li><strong>two</strong></li>']],
    ['tables', '| a |\n|---|\n| `1` |', ['<th>a</th>', '<td><code>1</code></td>']],
    ['code', '```js\nlet a = "<b>"\n```', ['<code class="language-js">let a = &quot;&lt;b&gt;&quot;']],
  ])('has %s', (_, text, parts) => {
    for (const part of parts) expect(markdownView(text).markup).toContain(part)
  })

  it.each([
    ['a link', '[your bank](https://evil.example)'],
    ['a link by reference', '[bank][1]\n\n[1]: https://evil.example'],
    ['an address', '<https://evil.example>'],
    ['an image', '![x](https://evil.example/x.png)'],
    ['markup', '<img src=x onerror=alert(1)><b>'],
    ['a block of markup', '<script>\nalert(1)\n</script>\n'],
    ['markup in a table', '| <a href=x> |\n|---|\n| <i> |'],
  ])('shows the source of %s', (_, text) => {
    expect(markdownView(text).markup).not.toMatch(/<(?:a|img|script|b|i)\b|<[^>]*(?:href|src)=/)
  })

  it('shows a very long one as it is', () => {
    expect(markdownView('> '.repeat(20_000)).markup).not.toContain('<blockquote>')
  })
})
