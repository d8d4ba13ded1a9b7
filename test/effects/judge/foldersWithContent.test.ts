import { expect, it } from 'vitest'
import type { ChangeVerdict, PathChange } from '../../../src/contracts/effects.ts'
import { foldersWithContent } from '../../../src/effects/judge/createJudge.ts'
import { table } from '../../helpers/table.ts'

const RULE = { list: 'deny', text: 'Edit(d)', file: 'p', line: 1 } as const
const VERDICTS = {
  ...{ covered: { kind: 'covered' }, scratch: { kind: 'scratch' }, skipped: { kind: 'skipped' } },
  ...{ refused: { kind: 'refused', why: 'no Edit rule covers it' } },
  ...{ denied: { kind: 'refused', why: 'denied', rule: RULE } },
  ...{ never: { kind: 'never', why: 'it makes a repository' } },
} as const satisfies Record<string, ChangeVerdict>

/** Changes as `created folder /d: covered`, between commas; the same afterwards. */
function settled(lines: string): string {
  const verdicts = new Map<PathChange, ChangeVerdict>()
  for (const line of lines.split(', ')) {
    const [kind, entry, path, verdict] = line.replace(':', '').split(' ')
    const change = { kind, entry, path } as PathChange
    verdicts.set(change, VERDICTS[verdict as keyof typeof VERDICTS])
  }
  foldersWithContent(verdicts)
  const after = [...verdicts].map(([{ kind, entry, path }, verdict]) => {
    const [name] = Object.entries(VERDICTS).find(([, each]) => JSON.stringify(each) === JSON.stringify(verdict)) ?? []
    return `${kind} ${entry} ${path}: ${name}`
  })
  return after.join(', ')
}

// What is judged of each path by itself, and what becomes of the first one; of the second, too, where it says so.
it.each(table`
  shares the fate of a covered file in it, at any depth
    | created folder /d: refused, created folder /d/e: refused, created file /d/e/f: covered | covered covered
  so, too: a removed one
    | deleted folder /d: refused, deleted folder /d/e: refused, created file /d/e/f: covered | covered covered
  so, too: an ignored file
    | created folder /d: refused, created folder /d/e: refused, created file /d/e/f: scratch | scratch scratch
  so, too: a removed one
    | deleted folder /d: refused, deleted folder /d/e: refused, created file /d/e/f: scratch | scratch scratch
  so, too: a refused one
    | created folder /d: refused, created folder /d/e: refused, created file /d/e/f: refused | refused refused
  but not that of a FIFO
    | created folder /d: refused, created folder /d/e: refused, created file /d/e/f: skipped | refused refused
  is covered rather than ignored where it holds both
    | created folder /d: refused, created file /d/a: scratch, created file /d/b: covered | covered
  is kept for its content even if nothing would be said of it
    | created folder /d: skipped, created file /d/a: covered | covered
  stays as it is judged: denied
    | created folder /d: denied, created file /d/a: covered, created file /d/b: scratch   | denied
  so, too: never
    | created folder /d: never, created file /d/a: covered, created file /d/b: scratch    | never
  so, too: covered
    | created folder /d: covered, created file /d/a: covered, created file /d/b: scratch  | covered
  so, too: ignored
    | created folder /d: scratch, created file /d/a: covered, created file /d/b: scratch  | scratch
  shares nothing with what lies beside it, or with a folder in it
    | created folder /d: refused, created folder /d/e: covered, created file /da: covered | refused covered
  is judged by itself if only its mode has changed      | mode folder /d: refused, created file /d/a: covered
    | refused
  stays if something in it stays
    | deleted folder /d: covered, deleted folder /d/e: covered, deleted file /d/e/f: skipped | skipped skipped
  so, too: an ignored one
    | deleted folder /d: scratch, deleted folder /d/e: covered, deleted file /d/e/f: skipped | skipped skipped
  so, too: one that says nothing
    | deleted folder /d: skipped, deleted folder /d/e: covered, deleted file /d/e/f: skipped | skipped skipped
  is still refused if it is          | deleted folder /d: refused, deleted file /d/f: skipped   | refused
  so, too: denied                    | deleted folder /d: denied, deleted file /d/f: skipped    | denied
  so, too: never                     | deleted folder /d: never, deleted file /d/f: skipped     | never
  goes if what is left out in it is new | deleted folder /d: covered, created fifo /d/f: skipped | covered
  is a new one, of which a removed one in its place says nothing
    | created folder /d: covered, deleted file /d/f: skipped | covered
`)('a folder that a command made or removed %s', (_, lines = '', verdicts = '') => {
  const expected = verdicts.split(' ')
  const words = lines.split(', ').map((line, at) => line.replace(/\w+$/, (own) => expected[at] ?? own))
  expect(settled(lines)).toBe(words.join(', '))
})
