import { hash } from 'node:crypto'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { renderHtml } from '../../../src/report/html/renderHtml.ts'
import { longRun, stamp } from '../../helpers/runs/events.ts'
import { foldRuns, reportOf } from '../../helpers/runs/reportCorpus.ts'

const VOID = ['meta', 'input', 'br', 'hr']

/** What a browser would make of the page. */
function parse(page: string) {
  const seen = { tags: [] as string[], attributes: [] as Record<string, string>[], text: '', open: [] as string[] }
  const parser = new Parser({
    onopentag: (name, attributes) => {
      seen.tags.push(name)
      seen.attributes.push(attributes)
      if (!VOID.includes(name)) seen.open.push(name)
    },
    onclosetag: (name, isImplied) => {
      if (!VOID.includes(name)) expect([name, isImplied]).toEqual([seen.open.pop(), false])
    },
    ontext: (text) => {
      seen.text += text
    },
  })
  parser.end(page)
  return seen
}

describe('the page', () => {
  const page = renderHtml(foldRuns())

  it('is well-formed and self-contained', () => {
    const { open, attributes, tags } = parse(page)
    expect(open).toEqual([])
    expect(tags).not.toContain('img')
    expect(tags).not.toContain('link')
    const ids = attributes.flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(new Set(ids).size).toBe(ids.length)
    for (const { src, href, style = '' } of attributes) {
      expect(src).toBeUndefined()
      if (href !== undefined) expect(ids).toContain(href.slice(1))
      expect(style).toMatch(/^(?:|left:[\d.]+%;width:[\d.]+%)$/)
    }
    expect(page).not.toMatch(/url\(|@import/)
  })

  it('runs only its own script', () => {
    const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
    expect(page).toContain(`script-src 'sha256-${hash('sha256', script, 'base64')}'`)
    expect(page.match(/<script/g)).toHaveLength(1)
  })
})

it('shows text of a run as plain text everywhere', () => {
  const harmless = parse(renderHtml([reportOf('fixed')]))
  const { tags, attributes, open, text } = parse(renderHtml([reportOf('hostile')]))
  expect(open).toEqual([])
  expect([...new Set(tags)].filter((tag) => !harmless.tags.includes(tag) && tag !== 'h5')).toEqual([])
  expect(attributes.flatMap((each) => Object.keys(each)).filter((name) => name.startsWith('on'))).toEqual([])
  expect(text).toContain('<img src=//evil.example/x?y')
  expect(text).toContain('\\u{202e}\\u{0}')
})

it('keeps a long run small enough for a browser', { tags: 'long' }, () => {
  const events = longRun(20_000).map((event) => {
    if (event.type !== 'user') return event
    const content = event.message.content.map((block) =>
      block.type === 'tool_result' ? { ...block, content: 'x'.repeat(20_000) } : block,
    )
    return { ...event, message: { ...event.message, content } }
  })
  const page = renderHtml([{ name: 'long', report: foldReport(stamp(events)) }])
  expect(page.length).toBeLessThan(25_000_000)
})

it('shows a thousand files and names, and counts the rest', () => {
  const { name, report } = reportOf('fixed')
  const many = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`)
  const changes = many(1001).map((path) => ({ path, status: 'added' as const, added: 1, removed: 0, by: [] }))
  const refs = many(1002).map((each) => ({ name: each, before: null, now: 'abc', commits: 1, files: [] }))
  const result = report.result && { ...report.result, refs }
  const { text } = parse(renderHtml([{ name, report: { ...report, changes, result } }]))
  for (const left of ['… and 1 more file', '… and 2 more names']) expect(text).toContain(left)
})

it('is a page even without a run', () => {
  expect(parse(renderHtml([])).text).toContain('0 runs')
})
