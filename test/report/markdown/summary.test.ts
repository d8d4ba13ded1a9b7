import { describe, expect, it } from 'vitest'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { LARGEST_SUMMARY, renderSummary } from '../../../src/report/markdown/summary.ts'
import { buildEvents, endOf, INIT, longRun, notesOf, sampleRun, stamp } from '../../helpers/runs/events.ts'

const HOSTILE =
  '</details><img src=//evil.example/x?y> ![x](//evil.example/y) @user fixes #1 `a|b` ``` \u202e::error::x ##[error]x'

function hostileRun(): ReturnType<typeof foldReport> {
  const { events, call, push } = buildEvents()
  push(INIT)
  call({ tool: 'Bash', input: { command: HOSTILE }, outcome: 'denied', rule: HOSTILE })
  call({ tool: 'Read', input: { file_path: HOSTILE } })
  for (const event of notesOf(HOSTILE, `\`\`\`\n</details>\n${HOSTILE}`)) push(event)
  const changes = [{ path: HOSTILE, status: 'added', added: 1, removed: 0 }] as const
  push(
    endOf(events, {
      exit_reason: 'checks_failed',
      detail: HOSTILE,
      result: `${HOSTILE}\n\`\`\`\n${HOSTILE}`,
      changes,
      patch: `+\`\`\`\n+${HOSTILE}`,
    }),
  )
  return foldReport(events)
}

describe('the summary', () => {
  it.each([
    ['completed', foldReport(stamp(sampleRun()))],
    ['killed', foldReport(stamp(sampleRun()).slice(0, 9))],
    [
      'blocked',
      foldReport(
        stamp(
          sampleRun({
            exit_reason: 'blocked',
            detail: 'The push is not allowed.',
            patch: null,
            changes: [],
            patch_note: 'The folder is no git repository.',
          }),
        ),
      ),
    ],
    ['hostile', hostileRun()],
  ])('of a %s run', async (name, report) => {
    await expect(renderSummary(report)).toMatchFileSnapshot(`golden/summary-${name}.md`)
  })

  it('says once why no rule is offered for a denied call', () => {
    const { events, call } = buildEvents()
    call({ tool: 'Bash', input: { command: 'sudo make' }, outcome: 'denied' })
    const refused = [
      { call: 'Bash(sudo make)', why: 'sudo changes how its command runs' },
      { call: 'Bash(npm run lock)', why: 'it changes itself' },
    ]
    const report = foldReport(events)
    const denials = report.denials.map((denial) => ({ ...denial, rule: null, suggestion: null }))
    const text = renderSummary({ ...report, denials, suggested: { rules: [], refused } })
    const [denied = '', needed = ''] = text.split('### What the policy would need')
    expect(denied).toContain('no rule is offered: sudo changes how its command runs |')
    expect(needed).toContain('npm run lock')
    expect(needed).not.toContain('sudo make</code>:')
  })

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

  it('starts with the verdict', () => {
    expect(renderSummary(foldReport(sampleRun())).split('\n')[0]).toBe('## ✅ Completed')
    expect(renderSummary(foldReport([])).split('\n')[0]).toBe('## ❔ No end record')
  })

  it('never turns untrusted text into markup: all tags are its own, and balanced', () => {
    const open: string[] = []
    const outsideFences = renderSummary(hostileRun()).replace(/^(?:> )?(`{3,})\w*\n[\s\S]*?^(?:> )?\1$/gm, '')
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
