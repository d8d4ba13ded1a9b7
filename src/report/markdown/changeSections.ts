import { visibleName } from '../../lib/text/visibleName.ts'
import { counted, oneLine } from '../../lib/text/words.ts'
import { authorsOf } from '../fold/authorsOf.ts'
import type { RunReport } from '../fold/runReport.ts'
import { refWords } from '../words.ts'
import { code, fenced, folded, literal, sentence, shortened } from './markdownText.ts'
import type { SummarySection } from './summary.ts'

const LONGEST_PATCH = 60_000

/** The files that a run changed and their diff: from its end record, or as far as its calls recorded it. */
export function changeSections(report: RunReport): readonly (SummarySection | null)[] {
  return [changesSection(report), refsSection(report), recordedSection(report)]
}

/** What the end record says. */
function changesSection({ changes, patch, result, calls }: RunReport): SummarySection | null {
  const note = result?.patch_note ? `${sentence(result.patch_note)}\n\n` : ''
  if (changes.length === 0) return note === '' ? null : { head: `### What changed\n\n${note}`, rows: [], foot: '' }
  const added = changes.reduce((sum, change) => sum + change.added, 0)
  const removed = changes.reduce((sum, change) => sum + change.removed, 0)
  const rows = changes.map((change) => {
    const { path, status, added, removed } = change
    const by = authorsOf(change, calls).map(code).join(', ')
    return `| ${code(oneLine(visibleName(path), 300))} | ${status} | +${added} | −${removed} | ${by} |\n`
  })
  const diff = patch === null || patch === '' ? '' : folded('Diff', fenced(shortened(patch, LONGEST_PATCH), 'diff'))
  return {
    head: `### What changed: ${counted(changes.length, 'file')}, +${added} −${removed}\n\n| File | | | | By |\n|---|---|--:|--:|---|\n`,
    rows,
    foot: `\n${note}${diff}`,
  }
}

/** Commits, branches, tags and stashes: what is not in the work tree. */
function refsSection({ result }: RunReport): SummarySection | null {
  const refs = result?.refs ?? []
  if (refs.length === 0) return null
  const rows = refs.map((ref) => {
    const files = ref.files.slice(0, MAX_FILES).map((path) => code(oneLine(visibleName(path), 100)))
    const more = ref.files.length > MAX_FILES ? [`${ref.files.length - MAX_FILES} more`] : []
    return `| ${code(oneLine(visibleName(ref.name), 200))} | ${literal(refWords(ref))} | ${ref.commits ?? '?'} | ${[...files, ...more].join(', ')} |\n`
  })
  return {
    head: '### Commits, branches and tags\n\n| Name | | New commits | Their files |\n|---|---|--:|---|\n',
    rows,
    foot: '\n',
  }
}

const MAX_FILES = 5

/** What is known without an end record. */
function recordedSection({ recorded, calls }: RunReport): SummarySection | null {
  if (recorded === null || recorded.files.length + recorded.open.length === 0) return null
  const { files, open } = recorded
  const rows = files.map(({ path, by }) => {
    const authors = authorsOf({ by }, calls).map(code).join(', ')
    return `| ${code(oneLine(visibleName(path), 300))} | ${authors} |\n`
  })
  const unknown = authorsOf({ by: open }, calls).map(code).join(', ')
  return {
    head: `### What changed, as far as it was recorded\n\n${rows.length === 0 ? '' : '| File | By |\n|---|---|\n'}`,
    rows,
    foot: `${open.length === 0 ? '' : `\nNot known: what ${unknown} changed before the end.\n`}\n`,
  }
}
