import { expect, it } from 'vitest'
import { compactAt } from '../../../src/run/loop/createCompaction.ts'

it.each([
  ['room for an answer', 200_000, 32_000, 152_000],
  ['a fifth of the window, where answers may be longer', 40_000, 32_000, 28_800],
])('a conversation is compacted before it leaves no %s', (_, contextWindow, maxOutputTokens, tokens) => {
  expect(compactAt({ contextWindow, maxOutputTokens } as Parameters<typeof compactAt>[0])).toBe(tokens)
})
