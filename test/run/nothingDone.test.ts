import { describe, expect, it } from 'vitest'
import type { AskedCall } from '../../src/report/fold/askedCalls.ts'
import { nothingDone, type Work } from '../../src/run/nothingDone.ts'

const call = (tool: string, more: Partial<AskedCall> = {}): AskedCall => {
  return { tool, input: {}, words: 'allowed', changed: [], ...more }
}
const NOTHING: Work = {
  ...{ mayChange: true, hasPolicy: true, calls: [call('Read')], count: 9, denied: { all: 3, changing: 2 } },
  ...{ changes: [], refs: [], hasOutput: false },
}

describe('a run that its agent calls completed', () => {
  it('is not, where calls were denied and nothing came of the others', () => {
    const detail = 'Completed, says the agent; 3 of 9 calls were denied and no file was changed.'
    expect(nothingDone(NOTHING)).toEqual({ reason: 'blocked', detail })
  })

  it('is not, where no policy was named and an edit was denied: it was to change something', () => {
    const forgotten = { ...NOTHING, mayChange: false, hasPolicy: false }
    expect(nothingDone({ ...forgotten, calls: [call('Edit', { words: 'denied' })] })?.detail).toBe(
      'Completed, says the agent; 3 of 9 calls were denied and no file was changed. No policy lets it edit: name one with --policy.',
    )
    expect(nothingDone({ ...forgotten, calls: [call('Bash', { words: 'denied' })] })).toBeUndefined()
  })

  it('is not, where the only denial is of a change that was put back, at whatever call it was told', () => {
    const calls = [call('Read'), call('Finish', { changed: [{ path: 'docs/a', isKept: false }] })]
    expect(nothingDone({ ...NOTHING, calls, denied: { all: 1, changing: 0 } })?.detail).toMatch(
      /^Completed, says the agent; 1 /,
    )
  })

  const failed = (tool: string) => call(tool, { hasFailed: true })
  it.each([
    ['its one edit failed', [failed('Edit'), call('Bash')]],
    ['its 2 edits failed', [failed('Edit'), failed('Write')]],
  ])('has failed, where %s', (what, calls) => {
    const detail = `Completed, says the agent; ${what} and no file was changed.`
    const none = { all: 0, changing: 0 }
    expect(nothingDone({ ...NOTHING, calls, denied: none })).toEqual({ reason: 'task_failed', detail })
    expect(nothingDone({ ...NOTHING, calls: [...calls, call('Write')], denied: none })).toBeUndefined()
    expect(nothingDone({ ...NOTHING, calls: [failed('Bash'), failed('Read')], denied: none })).toBeUndefined()
  })

  const made = call('Bash', { changed: [{ path: 'd', isKept: true }] })
  const tag = { name: 'refs/tags/a', before: null, now: 'f00', commits: 0, files: [] }
  it.each<[string, Partial<Work>]>([
    ['nothing was denied', { denied: { all: 0, changing: 0 } }],
    ['only reading was denied', { denied: { all: 2, changing: 0 } }],
    ['the policy lets it change nothing: its answer is the work', { mayChange: false }],
    ['a file was changed', { changes: [{ path: 'a', status: 'modified', added: 1, removed: 0 }] }],
    ['a change was kept that git does not count, such as an empty folder', { calls: [made] }],
    ['a branch, a tag or a stash was moved', { refs: [tag] }],
    ['a server was asked to do something', { calls: [call('mcp__github__create_issue')] }],
    ['something was proposed', { calls: [call('ProposeOutput')] }],
    ['it has an output, or left a file for people', { hasOutput: true }],
  ])('is, where %s', (_, work) => {
    expect(nothingDone({ ...NOTHING, ...work })).toBeUndefined()
  })
})
