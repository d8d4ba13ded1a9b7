import { describe, expect, it } from 'vitest'
import type { EffectsEvent } from '../../../src/contracts/events.ts'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { renderHtml } from '../../../src/report/html/renderHtml.ts'
import { renderSummary } from '../../../src/report/markdown/summary.ts'
import { buildEvents, endOf, INIT } from '../../helpers/runs/events.ts'

const NOTHING = { kept: [], scratch: {}, left_out: [], undone: [] } as const
const refused = { why: 'no Edit rule covers it', rule: null, source: null, line: null } as const

/** A run that was killed in its last call, with what each command changed. */
function killedRun() {
  const run = buildEvents()
  const { events, call, push } = run
  const effects = (id: string, rest: Partial<EffectsEvent>) => {
    const owner = { tool_use_id: id, tool_name: 'Bash', parent_tool_use_id: null }
    push({ type: 'system', subtype: 'effects', ...owner, state: 'enforced', ...NOTHING, ...rest })
  }
  const edit = (path: string, isReadOnly = false, outcome: 'ok' | 'error' | 'denied' = 'ok') =>
    call({ tool: isReadOnly ? 'Read' : 'Edit', input: { file_path: path }, path, isReadOnly, outcome })
  push({ ...INIT, cwd: '/srv/app' })
  const built = call({ tool: 'Bash', input: { command: 'make' } })
  effects(built, { kept: [kind('out'), kind('out/a.js'), kind('.git/index'), kind('src/b.js')], scratch: { dist: 3 } })
  const undone = call({ tool: 'Bash', input: { command: 'sed -i s/a/b/ x' } })
  effects(undone, { kept: [kind('x')], undone: [{ ...kind('y'), ...refused }] })
  const partly = call({ tool: 'Bash', input: { command: 'npm test' } })
  effects(partly, { kept: [kind('kept')], left_out: [{ ...kind('junit.xml'), ...refused }] })
  const edits = [edit('/srv/app/src/b.js'), edit('/srv/elsewhere/c.js')]
  edit('read.js', true)
  edit('failed.js', false, 'error')
  edit('denied.js', false, 'denied')
  const open = call({ tool: 'Bash', input: { command: 'npm run deploy' } })
  events.splice(
    events.findLastIndex(({ type }) => type === 'user'),
    1,
  )
  return { ...run, built, partly, edits, open }
}

function kind(path: string) {
  return { path, kind: 'modified' } as const
}

describe('what a killed run changed', () => {
  const run = killedRun()
  const report = foldReport(run.events)

  it('is what its commands kept and its tools wrote, by call, and which call is open', () => {
    expect(report.recorded).toEqual({
      files: [
        { path: '/srv/elsewhere/c.js', by: [run.edits[1]] },
        { path: 'kept', by: [run.partly] },
        { path: 'out/a.js', by: [run.built] },
        { path: 'src/b.js', by: [run.built, run.edits[0]] },
      ],
      open: [run.open],
    })
  })

  it('is in summary and page', () => {
    const words = ['What changed, as far as it was recorded', 'out/a.js', 'Not known: what', 'npm run deploy']
    for (const text of [renderSummary(report), renderHtml([{ name: 'it', report }])])
      for (const each of words) expect(text).toContain(each)
  })

  it('is left to the end record if there is one, and no section where nothing was done', () => {
    const { recorded } = foldReport([...run.events, endOf(run.events, { changes: [], patch: '' })])
    expect(recorded).toBeNull()
    const nothing = foldReport([INIT])
    expect(nothing.recorded).toEqual({ files: [], open: [] })
    for (const text of [renderSummary(nothing), renderHtml([{ name: 'it', report: nothing }])])
      expect(text).not.toContain('What changed')
  })
})
