import { describe, expect, it } from 'vitest'
import type { ChangeVerdict, PathChange } from '../../../src/contracts/effects.ts'
import { foldersWithContent } from '../../../src/effects/judge/createJudge.ts'

const RULE = { list: 'deny', text: 'Edit(d)', file: 'p', line: 1 } as const
const VERDICTS = {
  ...{ covered: { kind: 'covered' }, scratch: { kind: 'scratch' }, skipped: { kind: 'skipped' } },
  ...{ refused: { kind: 'refused', why: 'no Edit rule covers it' } },
  ...{ denied: { kind: 'refused', why: 'denied', rule: RULE } },
  ...{ never: { kind: 'never', why: 'it makes a repository' } },
} as const satisfies Record<string, ChangeVerdict>

/** Lines as `created folder /d: covered`; the same lines afterwards. */
function settled(...lines: readonly string[]): string[] {
  const verdicts = new Map<PathChange, ChangeVerdict>()
  for (const line of lines) {
    const [kind, entry, path, verdict] = line.replace(':', '').split(' ')
    const change = { kind, entry, path } as PathChange
    verdicts.set(change, VERDICTS[verdict as keyof typeof VERDICTS])
  }
  foldersWithContent(verdicts)
  return [...verdicts].map(([{ kind, entry, path }, verdict]) => {
    const [name] = Object.entries(VERDICTS).find(([, each]) => JSON.stringify(each) === JSON.stringify(verdict)) ?? []
    return `${kind} ${entry} ${path}: ${name}`
  })
}

describe('a folder that a command made or removed', () => {
  it.each([
    ['a covered file in it', 'covered', 'covered'],
    ['an ignored file in it', 'scratch', 'scratch'],
    ['a refused one in it', 'refused', 'refused'],
    ['a FIFO in it', 'skipped', 'refused'],
  ])('shares the fate of its content, at any depth: %s', (_, file, folder) => {
    for (const kind of ['created', 'deleted'])
      expect(
        settled(`${kind} folder /d: refused`, `${kind} folder /d/e: refused`, `created file /d/e/f: ${file}`),
      ).toEqual([`${kind} folder /d: ${folder}`, `${kind} folder /d/e: ${folder}`, `created file /d/e/f: ${file}`])
  })

  it('is covered rather than ignored where it holds both', () => {
    expect(settled('created folder /d: refused', 'created file /d/a: scratch', 'created file /d/b: covered')[0]).toBe(
      'created folder /d: covered',
    )
  })

  it('is kept for its content even if nothing would be said of it', () => {
    expect(settled('created folder /d: skipped', 'created file /d/a: covered')[0]).toBe('created folder /d: covered')
  })

  it.each(['denied', 'never', 'covered', 'scratch'])('stays as it is judged: %s', (verdict) => {
    expect(
      settled(`created folder /d: ${verdict}`, 'created file /d/a: covered', 'created file /d/b: scratch')[0],
    ).toBe(`created folder /d: ${verdict}`)
  })

  it('shares nothing with what lies beside it, or with a folder in it', () => {
    const lines = ['created folder /d: refused', 'created folder /d/e: covered', 'created file /da: covered']
    expect(settled(...lines)).toEqual(lines)
  })

  it('is judged by itself if only its mode has changed', () => {
    const lines = ['mode folder /d: refused', 'created file /d/a: covered']
    expect(settled(...lines)).toEqual(lines)
  })
})

describe('a removed folder', () => {
  it.each(['covered', 'scratch', 'skipped'])('stays if something in it stays: %s', (verdict) => {
    const lines = [`deleted folder /d: ${verdict}`, 'deleted folder /d/e: covered', 'deleted file /d/e/f: skipped']
    expect(settled(...lines)).toEqual(['deleted folder /d: skipped', 'deleted folder /d/e: skipped', lines[2]])
  })

  it.each(['refused', 'denied', 'never'])('is still refused if it is: %s', (verdict) => {
    expect(settled(`deleted folder /d: ${verdict}`, 'deleted file /d/f: skipped')[0]).toBe(
      `deleted folder /d: ${verdict}`,
    )
  })

  it('goes if what is left out in it is new', () => {
    expect(settled('deleted folder /d: covered', 'created fifo /d/f: skipped')[0]).toBe('deleted folder /d: covered')
  })

  it('says nothing of a new one in its place', () => {
    expect(settled('created folder /d: covered', 'deleted file /d/f: skipped')[0]).toBe('created folder /d: covered')
  })
})
