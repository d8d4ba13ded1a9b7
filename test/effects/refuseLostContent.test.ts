import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ChangeVerdict, PathChange } from '../../src/contracts/effects.ts'
import { refuseLostContent } from '../../src/effects/refuseLostContent.ts'

const REFUSED: ChangeVerdict = { kind: 'refused', why: 'no Edit rule covers it' }

/** Verdicts after the rule against lost content, where files of these contents were deleted and made. */
async function judge(
  deleted: { content: string; verdict: ChangeVerdict },
  made: { content: string; verdict: ChangeVerdict },
): Promise<readonly ChangeVerdict[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-lost-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['before', 'now']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'before', 'a'), deleted.content)
  writeFileSync(join(root, 'now', 'b'), made.content)
  const states = {
    before: (path: string) => (path === '/p/a' ? join(root, 'before', 'a') : undefined),
    now: (path: string) => join(root, 'now', path.slice('/p/'.length)),
  }
  const change = (path: string, kind: PathChange['kind']): PathChange => ({ path, kind, entry: 'file' })
  const judged = await refuseLostContent(
    [
      { change: change('/p/a', 'deleted'), verdict: deleted.verdict },
      { change: change('/p/b', 'created'), verdict: made.verdict },
    ],
    states,
  )
  return judged.map(({ verdict }) => verdict)
}

describe('refuseLostContent', () => {
  it.each([['covered'], ['scratch']] as const)('refuses a %s deletion whose content is left out', async (kind) => {
    const [first] = await judge({ content: 'text', verdict: { kind } }, { content: 'text', verdict: REFUSED })
    expect(first).toEqual({
      kind: 'refused',
      why: 'it was moved to b, which is left out, and its content would be lost',
    })
  })

  it.each([
    ['the new file is kept', 'text', { kind: 'covered' }],
    ['the new file is another one of that size', 'next', REFUSED],
    ['the new file has another size', 'text and more', REFUSED],
  ] as const)('leaves a deletion as it is where %s', async (_, content, verdict) => {
    const [first] = await judge({ content: 'text', verdict: { kind: 'covered' } }, { content, verdict })
    expect(first).toEqual({ kind: 'covered' })
  })

  it('has no care for empty files', async () => {
    const [first] = await judge({ content: '', verdict: { kind: 'covered' } }, { content: '', verdict: REFUSED })
    expect(first).toEqual({ kind: 'covered' })
  })
})
