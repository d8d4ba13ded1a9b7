import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ChangeVerdict, PathChange } from '../../../src/contracts/effects.ts'
import { refuseLostContent } from '../../../src/effects/judge/refuseLostContent.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const REFUSED: ChangeVerdict = { kind: 'refused', why: 'no Edit rule covers it' }

const LOST = 'it was moved to b, which was not kept, so its content would be lost'
const DOUBTFUL = 'the new b, which was not kept, may hold its content; delete it in a separate command'

type File = { readonly content: string; readonly verdict: ChangeVerdict }

/** What becomes of the deletion of `/p/a`, where `/p/b` and `/p/c` were made. */
async function judge(deleted: File, made: readonly File[], isGit = false): Promise<ChangeVerdict | undefined> {
  const root = makeFolder()
  for (const folder of ['before', 'now']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'before', 'a'), deleted.content)
  const change = (path: string, kind: PathChange['kind']): PathChange => ({ path, kind, entry: 'file' })
  const created = made.map(({ content, verdict }, index) => {
    const name = 'bc'.charAt(index)
    writeFileSync(join(root, 'now', name), content)
    return { change: change(`/p/${name}`, 'created'), verdict }
  })
  const states = {
    before: (path: string) => (path === '/p/a' ? join(root, 'before', 'a') : undefined),
    now: (path: string) => join(root, 'now', path.slice('/p/'.length)),
  }
  const [first] = await refuseLostContent(
    [{ change: change('/p/a', 'deleted'), verdict: deleted.verdict }, ...created],
    states,
    ({ path }) => isGit && path === '/p/a',
  )
  return first?.verdict
}

const COVERED: ChangeVerdict = { kind: 'covered' }
const SCRATCH: ChangeVerdict = { kind: 'scratch' }

it.each([
  ['covered', COVERED, false],
  ['ignored', SCRATCH, false],
  ["git's own", COVERED, true],
])('refuses a deletion (%s) whose content is left out', async (_, verdict, isGit) => {
  const made = [{ content: 'text', verdict: REFUSED }]
  expect(await judge({ content: 'text', verdict }, made, isGit)).toEqual({ kind: 'refused', why: LOST })
})

it('refuses a covered deletion beside a new file that is left out: the content may have moved there', async () => {
  const made = [{ content: 'longer text', verdict: REFUSED }]
  expect(await judge({ content: 'text', verdict: COVERED }, made)).toEqual({ kind: 'refused', why: DOUBTFUL })
  expect(await judge({ content: 'text', verdict: SCRATCH }, made)).toEqual(SCRATCH)
  expect(await judge({ content: 'text', verdict: COVERED }, made, true)).toEqual(COVERED)
})

it.each([
  ['nothing is left out', [{ content: 'longer text', verdict: COVERED }]],
  [
    'its content is in a new file that is kept',
    [
      { content: 'a report', verdict: REFUSED },
      { content: 'text', verdict: COVERED },
    ],
  ],
  ['what is left out is empty', [{ content: '', verdict: REFUSED }]],
])('leaves a deletion as it is where %s', async (_, made) => {
  expect(await judge({ content: 'text', verdict: COVERED }, made)).toEqual(COVERED)
})

it('ignores empty files', async () => {
  const made = [
    { content: '', verdict: REFUSED },
    { content: 'a report', verdict: REFUSED },
  ]
  expect(await judge({ content: '', verdict: COVERED }, made)).toEqual(COVERED)
})
