import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../../src/tools/WebFetchTool/htmlToMarkdown.ts'

const BASE = 'https://example.com/docs/page.html'

describe('htmlToMarkdown', () => {
  it.each([
    ['headings and paragraphs', '<h1>A  title</h1><p>One\n two</p><p>three</p>', '# A title\n\nOne two\n\nthree'],
    ['breaks and rules', 'a<br>b<hr>c', 'a\nb\n\n---\n\nc'],
    ['links, resolved', '<a href="../x y">see  it</a>', '[see it](https://example.com/x%20y)'],
    ['links of other schemes as text', '<a href="javascript:alert(1)">x</a> <a href="#top">y</a>', 'x y'],
    ['emphasis inside words', 'a<b> bold </b>b <code>x</code>', 'a **bold** b `x`'],
    ['lists', '<ul><li>a<li><p>b</p><ol><li>c</li><li>d</li></ol></li></ul>', '- a\n- b\n\n  1. c\n  2. d'],
    ['code blocks', '<pre><code>if (a &lt; b) {\n  c\n}</code></pre>', '```\nif (a < b) {\n  c\n}\n```'],
    ['code that holds a fence', '<pre>```\nx</pre>', '````\n```\nx\n````'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n> \n> b'],
    ['images by their text', '<img src="x.png" alt="A chart"><img src="y.png">', '[image: A chart]'],
    [
      'tables',
      '<table><tr><th>k</th><th>v</th></tr><tr><td>a|b</td><td>1</td></tr></table>',
      '| k | v |\n| --- | --- |\n| a\\|b | 1 |',
    ],
    ['the title, where no heading says it', '<head><title>T &amp; U</title></head><p>x</p>', '# T & U\n\nx'],
    ['the title once', '<title>T</title><h1>T</h1>x', '# T\n\nx'],
    ['broken nesting', '<b><i>a</b></i></p></div>c<li>d', '**a**\n\nc\n- d'],
    ['nothing', '', ''],
  ])('renders %s', async (_name, html, markdown) => {
    expect(await htmlToMarkdown(html, BASE)).toBe(markdown.replace('> \n', '>\n'))
  })

  it.each([
    '<script>no()</script>',
    '<style>no</style>',
    '<noscript>no</noscript>',
    '<template><p>no</p></template>',
    '<div hidden>no<div>no</div></div>',
    '<div aria-hidden="true">no</div>',
    '<p style="color:red; Display : none">no</p>',
    '<span style="visibility:hidden">no</span>',
    '<span style="font-size:0">no</span>',
    '<!-- no -->',
    '<svg><text>no</text></svg>',
    '<select><option>no</option></select>',
  ])('leaves out %s', async (html) => {
    expect(await htmlToMarkdown(`<p>a</p>${html}<p>b</p>`, BASE)).toBe('a\n\nb')
  })

  it('says so if it gives up', async () => {
    const markdown = await htmlToMarkdown(`<p>a</p>${'<div>'.repeat(50_000)}b`, BASE)
    expect(markdown).toMatch(/^a\n\n\[The rest of the page is left out/)
  })

  it('keeps text that only looks hidden', async () => {
    expect(await htmlToMarkdown('<p style="opacity:0.5">a</p><p style="font-size:0.9em">b</p>', BASE)).toBe('a\n\nb')
  })

  it('drops invisible characters', async () => {
    expect(await htmlToMarkdown('<p>a&#x200b;b&#x202e;c&#xE0041;</p>', BASE)).toBe('abc')
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
