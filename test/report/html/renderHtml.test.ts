import { createHash } from 'node:crypto'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { rowOf, sumRows } from '../../../src/report/fold/fleetRows.ts'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { renderFleetPage } from '../../../src/report/html/fleetPage.ts'
import { renderHtml } from '../../../src/report/html/renderHtml.ts'
import { buildEvents, endOf, INIT, longRun, notesOf, sampleRun, stamp } from '../../helpers/runs/events.ts'

type Seen = {
  readonly tags: string[]
  readonly attributes: Record<string, string>[]
  text: string
  readonly open: string[]
}

const VOID = ['meta', 'input', 'br', 'hr']

/** What a browser would make of the page. */
function parse(page: string): Seen {
  const seen: Seen = { tags: [], attributes: [], text: '', open: [] }
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

const HOSTILE = `</script></style></pre></details><img src=//evil.example/x onerror=alert(1)>"' onmouseover="x&lt;\u202e\0`

function hostilePage(): string {
  const { events, call, push } = buildEvents()
  push({ ...INIT, prompt: HOSTILE, model: HOSTILE, policy: { files: [HOSTILE], sha256: HOSTILE } })
  call({
    tool: HOSTILE,
    input: { command: HOSTILE },
    text: HOSTILE,
    result: HOSTILE,
    rendering: `\`\`\`diff\n+${HOSTILE}\n\`\`\``,
  })
  call({ tool: 'Bash', input: { command: HOSTILE }, outcome: 'denied', rule: HOSTILE })
  for (const event of notesOf(HOSTILE)) push(event)
  push(
    endOf(events, {
      result: HOSTILE,
      detail: HOSTILE,
      patch: `diff --git a/${HOSTILE} b/x\n+${HOSTILE}`,
      exit_reason: 'task_failed',
    }),
  )
  return renderHtml([{ name: HOSTILE, report: foldReport(stamp(events)) }])
}

describe('the page', () => {
  const page = renderHtml([{ name: 'session-1.jsonl', report: foldReport(stamp(sampleRun())) }])

  it('shows the verdict, the changes, each denial with its rule and line, and the cost', () => {
    const { text } = parse(page)
    for (const words of [
      'Completed',
      'src/add.js',
      'Bash(git push *)',
      '.kode/policy.yml:9',
      'remove Bash(git push *)',
      '$0.0738',
      'npm test',
    ]) {
      expect(text).toContain(words)
    }
  })

  it('is titled by the verdict, the task and the project', () => {
    expect(page).toContain('<title>Completed – Make the failing test pass. – repo</title>')
  })

  it('is well-formed and self-contained', () => {
    const { open, attributes, tags } = parse(page)
    expect(open).toEqual([])
    expect(tags).not.toContain('img')
    expect(tags).not.toContain('link')
    for (const { src, href, style = '' } of attributes) {
      expect(src).toBeUndefined()
      expect(href ?? '#').toMatch(/^#/)
      expect(style).toMatch(/^(?:|left:[\d.]+%;width:[\d.]+%)$/)
    }
    expect(page).not.toMatch(/url\(|@import/)
  })

  it('runs only its own script', () => {
    const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(script).digest('base64')
    expect(page).toContain(`script-src 'sha256-${hash}'`)
    expect(page.match(/<script/g)).toHaveLength(1)
  })
})

/** A line for each element. The style and the script are the same on every page, and a browser's tests play them. */
function lines(page: string): string {
  return page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1></$1>')
    .replace(/sha256-[^']+/g, 'sha256-…')
    .replace(/></g, '>\n<')
}

/** A run in which all went wrong that has a place on the page. */
function badRun(): RunEvent[] {
  const refs = [
    { name: 'refs/heads/main', before: 'a'.repeat(40), now: 'b'.repeat(40), commits: 2, files: ['src/a.ts', 'b'] },
  ]
  const run = sampleRun({
    ...{ exit_reason: 'checks_failed', detail: 'npm test still fails.', result: 'Half of it.' },
    ...{ patch: null, patch_note: 'git could not write the patch, or it is larger than 50 MB', refs },
    suggested: {
      rules: [{ rule: 'Bash(npm run lint)', from: ['Bash(npm run lint)', 'Bash(npm run lint -- a)'] }],
      refused: [{ call: 'Bash(rm -rf /)', why: 'no rule covers it' }],
    },
  })
  return run.map((event) =>
    event.type === 'system' && event.subtype === 'integrity'
      ? { ...event, unaccounted_files: ['x/y'], command_files_touched: ['/tmp/env'], processes_left: 2 }
      : event,
  )
}

// `npx vitest run test/report/html/renderHtml.test.ts -u` writes what the pages look like now.
it('shows a run with everything that has a place on the page as it did', async () => {
  const run = badRun()
  const events = [...run.slice(0, -1), ...notesOf('**words**'), ...run.slice(-1)]
  const page = renderHtml([{ name: 'run-0', report: foldReport(stamp(events)) }])
  await expect(lines(page)).toMatchFileSnapshot('../golden/bad-run.html')
})

it('shows what stands before several runs as it did', async () => {
  const runs = [sampleRun(), sampleRun({ exit_reason: 'blocked', detail: 'No.' }), sampleRun().slice(0, 5)]
  const page = renderHtml(runs.map((events, at) => ({ name: `run-${at}`, report: foldReport(stamp(events)) })))
  await expect(lines(page.slice(0, page.indexOf('<article')))).toMatchFileSnapshot('../golden/overview.html')
})

it('shows a fleet as it did', async () => {
  const reports = [sampleRun(), badRun(), sampleRun({ exit_reason: 'max_turns', detail: '50 turns.' })].map((events) =>
    foldReport(stamp(events)),
  )
  const rows = reports.map((report, at) => rowOf({ file: `r${at}/session.jsonl`, report, problem: null }))
  const missing = rowOf({ file: 'gone', report: null, problem: 'There is no transcript.' })
  await expect(lines(renderFleetPage(sumRows([...rows, missing])))).toMatchFileSnapshot('../golden/fleet.html')
})

it('shows text of a run as plain text everywhere', () => {
  const harmless = parse(renderHtml([{ name: 'x', report: foldReport(stamp(sampleRun())) }]))
  const { tags, attributes, open, text } = parse(hostilePage())
  expect(open).toEqual([])
  expect([...new Set(tags)].filter((tag) => !harmless.tags.includes(tag) && tag !== 'h5')).toEqual([])
  expect(attributes.flatMap((each) => Object.keys(each)).filter((name) => name.startsWith('on'))).toEqual([])
  expect(text).toContain('<img src=//evil.example/x onerror=alert(1)>')
  expect(text).toContain('\\u{202e}\\u{0}')
})

it('lists several runs in an overview, the most severe first', () => {
  const name = (reason: string) => `run-that-${reason}`
  const page = renderHtml([
    { name: name('is-good'), report: foldReport(stamp(sampleRun())) },
    { name: name('is-blocked'), report: foldReport(stamp(sampleRun({ exit_reason: 'blocked' }))) },
    { name: name('has-no-end'), report: foldReport(stamp(sampleRun()).slice(0, 5)) },
  ])
  const { text, attributes, open } = parse(page)
  expect(open).toEqual([])
  expect([...text.matchAll(/run-that-[a-z-]+/g)].slice(0, 3).map(([found]) => found)).toEqual(
    ['has-no-end', 'is-blocked', 'is-good'].map(name),
  )
  expect(text).toContain('at least $0.15')
  const ids = attributes.flatMap(({ id }) => (id === undefined ? [] : [id]))
  expect(new Set(ids).size).toBe(ids.length)
  for (const { href } of attributes) if (href !== undefined) expect(ids).toContain(href.slice(1))
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

it('is a page even without a run', () => {
  expect(parse(renderHtml([])).text).toContain('0 runs')
})
