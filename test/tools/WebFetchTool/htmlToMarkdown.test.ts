import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../../src/tools/WebFetchTool/htmlToMarkdown.ts'

const BASE = 'https://example.com/docs/page.html'

describe('htmlToMarkdown', () => {
  it('says so if it gives up', async () => {
    const markdown = await htmlToMarkdown(`<p>a</p>${'<div>'.repeat(50_000)}b`, BASE)
    expect(markdown).toMatch(/^a\n\n\[The rest of the page is left out/)
  })

  it.each([
    ['deep blocks', '<div>'.repeat(100_000)],
    ['deep marks', '<b><a href=x>'.repeat(100_000)],
    ['deep lists', '<ul><li>'.repeat(50_000)],
    ['deep quotes', '<blockquote>'.repeat(100_000)],
    ['deep tables', '<table><tr><td>'.repeat(30_000)],
    ['a long text', 'x '.repeat(1_000_000)],
    ['blanks', `a${' '.repeat(1_000_000)}b${'\n'.repeat(1_000_000)}`],
    ['blanks in code', `<pre>${' '.repeat(1_000_000)}x</pre>`],
    ['an open tag', `<a ${'x'.repeat(1_000_000)}`],
    ['a long style', `<p style="${' '.repeat(1_000_000)}">`],
  ])('renders hostile %s safely', async (_name, html) => {
    expect((await htmlToMarkdown(`${html}end`, BASE)).length).toBeLessThan(3_000_000)
  })
})
