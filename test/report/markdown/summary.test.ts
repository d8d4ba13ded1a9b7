import { describe, expect, it } from 'vitest'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { LARGEST_SUMMARY, renderSummary } from '../../../src/report/markdown/summary.ts'
import { buildEvents, endOf, INIT, longRun } from '../../helpers/runs/events.ts'
import { reportOf } from '../../helpers/runs/reportCorpus.ts'

describe('the summary', () => {
  it('shows a screen of a long list and counts the rest; folded calls are all there', () => {
    const { events, call, push } = buildEvents()
    push(INIT)
    for (let index = 0; index < 60; index++) call({ tool: 'Read', input: { file_path: `file-${index}` } })
    const changes = Array.from({ length: 10_000 }, (_, index) => {
      return { path: `src/${index}`, status: 'added', added: 1, removed: 0 } as const
    })
    push(endOf(events, { changes }))
    const text = renderSummary(foldReport(events))
    expect(text).toContain('10,000 files')
    expect(text).toContain('\n… and 9,970 more\n')
    expect(text).toContain('file-59')
    expect(text.split('\n').length).toBeLessThan(150)
  })

  it('never turns untrusted text into markup: all tags are its own, and balanced', () => {
    const open: string[] = []
    const outsideFences = renderSummary(reportOf('hostile').report).replace(
      /^(?:> )?(`{3,})\w*\n[\s\S]*?^(?:> )?\1$/gm,
      '',
    )
    for (const [, slash, tag = ''] of outsideFences.matchAll(/<(\/?)([^>\s]*)/g)) {
      expect(['code', 'details', 'summary', 'sub', 'br']).toContain(tag)
      if (slash === '/') expect(open.pop()).toBe(tag)
      else if (tag !== 'br') open.push(tag)
    }
    expect(open).toEqual([])
    expect(outsideFences.replace(/<code>.*?<\/code>/g, '')).not.toMatch(/\[[^\]]*\]\(|@user|(?<!&)#1/)
  })

  it('never exceeds the limit, and says where the rest is', { tags: 'long' }, () => {
    const long = 'x '.repeat(3_000_000)
    const { events, call, push } = buildEvents()
    for (let count = 0; count < 3_000; count++)
      call({ tool: 'Bash', input: { command: `${count} ${'|'.repeat(300)}` }, outcome: 'denied' })
    push(endOf(events, { result: long, detail: long, patch: long }))
    const text = renderSummary(foldReport(events), { recordPlace: 'artifact kode-run' })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LARGEST_SUMMARY)
    expect(text).toMatch(/\n_Cut here for length; the whole record: artifact kode-run\._\n$/)
    for (const maxBytes of [100, 500, 2_000, 20_000]) {
      const short = renderSummary(foldReport(events), { maxBytes })
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(maxBytes)
    }
  })

  it('shows the first thousand calls of a long run', { tags: 'long' }, () => {
    const text = renderSummary(foldReport(longRun(12_000)))
    expect(Buffer.byteLength(text)).toBeLessThan(LARGEST_SUMMARY)
    expect(text.match(/^\| [✓✗⛔] \|/gm)).toHaveLength(1_000)
    expect(text).toMatch(/… and \d+ more/)
  })
})
