import { structuredPatch } from 'diff'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diffTexts } from '../../src/files/diffTexts.ts'

const line = fc.constantFrom('a', 'b', '', 'a longer line', '\r')
const text = fc
  .array(line, { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\n')}\n`))

it('equals the diff of the whole texts, wherever they differ', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (head, old, fresh, tail) => {
      const [before, after] = [head + old + tail, head + fresh + tail]
      const { hunks } = await diffTexts(before, after)
      const applied = (hunks ?? []).reduce((count, hunk) => count + hunk.newLines - hunk.oldLines, 0)
      const whole = structuredPatch('', '', before, after, undefined, undefined, { context: 3 })
      expect(applied).toBe(whole.hunks.reduce((count, hunk) => count + hunk.newLines - hunk.oldLines, 0))
      const lines = before.split('\n')
      for (const { oldStart, lines: shown } of hunks ?? []) {
        const kept = shown.filter((shownLine) => /^[ -]/.test(shownLine)).map((shownLine) => shownLine.slice(1))
        const from = kept.length === 0 ? 0 : oldStart - 1
        expect(lines.slice(from, from + kept.length)).toEqual(kept)
      }
    }),
  )
})

it('shows a small change in the middle of a huge text exactly', async () => {
  const numbers = Array.from({ length: 300_000 }, (_, index) => `line ${index}`)
  const before = numbers.join('\n')
  const { hunks, added, removed } = await diffTexts(before, before.replace('line 150000\n', 'new\n'))
  expect([added, removed]).toEqual([1, 1])
  expect(hunks).toMatchObject([{ oldStart: 149_998, oldLines: 7, newStart: 149_998, newLines: 7 }])
  expect(hunks?.[0]?.lines[3]).toBe('-line 150000')
})

it('does not compare more than it has memory for', async () => {
  const rewritten = await diffTexts('a\n'.repeat(2_000_000), 'b\n'.repeat(1_000_000))
  expect(rewritten).toEqual({ hunks: undefined, added: 1_000_000, removed: 2_000_000 })
})
