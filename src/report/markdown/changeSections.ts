import { visibleName } from '../../lib/text/visibleName.ts'
import { counted, firstOf, oneLine } from '../../lib/text/words.ts'
import { authorsOf } from '../fold/authorsOf.ts'
import type { RunReport } from '../fold/runReport.ts'
import { refWords } from '../words.ts'
import { code, fenced, folded, literal, sentence, shortened } from './markdownText.ts'
import { plain, type SummarySection, tableRow, tableSection } from './SummarySection.ts'

const LONGEST_PATCH = 60_000

/** The files that a run changed and their diff: from its end record, or as far as its calls recorded it. */
export function changeSections(report: RunReport): readonly (SummarySection | null)[] {
  return [changesSection(report), refsSection(report), recordedSection(report)]
}

/** What the end record says. */
function changesSection({ changes, patch, result, calls }: RunReport): SummarySection | null {
  const note = result?.patch_note ? `${sentence(result.patch_note)}\n\n` : ''
  if (changes.length === 0) return note === '' ? null : plain(`### What changed\n\n${note}`)
  const added = changes.reduce((sum, change) => sum + change.added, 0)
  const removed = changes.reduce((sum, change) => sum + change.removed, 0)
  const rows = changes.map((change) => {
    const { path, status, added, removed } = change
    const by = authorsOf(change, calls).map(code).join(', ')
    return tableRow(code(oneLine(visibleName(path), 300)), status, `+${added}`, `−${removed}`, by)
  })
  const diff = patch === null || patch === '' ? '' : folded('Diff', fenced(shortened(patch, LONGEST_PATCH), 'diff'))
  const title = `What changed: ${counted(changes.length, 'file')}, +${added} −${removed}`
  return tableSection(title, ['File', '', ':', ':', 'By'], rows, `\n${note}${diff}`)
}

/** Commits, branches, tags and stashes: what is not in the work tree. */
function refsSection({ result }: RunReport): SummarySection | null {
  const rows = (result?.refs ?? []).map((ref) => {
    const paths = ref.files.map((path) => code(oneLine(visibleName(path), 100)))
    const files = firstOf(paths, MAX_FILES, (left) => `${left} more`).join(', ')
    const name = code(oneLine(visibleName(ref.name), 200))
    return tableRow(name, literal(refWords(ref)), ref.commits ?? '?', files)
  })
  return tableSection('Commits, branches and tags', ['Name', '', 'New commits:', 'Their files'], rows)
}

const MAX_FILES = 5

/** What is known without an end record. */
function recordedSection({ recorded, calls }: RunReport): SummarySection | null {
  if (recorded === null || recorded.files.length + recorded.open.length === 0) return null
  const { files, open } = recorded
  const authors = (by: readonly string[]) => authorsOf({ by }, calls).map(code).join(', ')
  const rows = files.map(({ path, by }) => tableRow(code(oneLine(visibleName(path), 300)), authors(by)))
  const foot = open.length === 0 ? '\n' : `\nNot known: what ${authors(open)} changed before the end.\n\n`
  const title = 'What changed, as far as it was recorded'
  return tableSection(title, ['File', 'By'], rows, foot) ?? plain(`### ${title}\n\n${foot}`)
}
