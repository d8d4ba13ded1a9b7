import { expect, it } from 'vitest'
import type { CommandRequest } from '../../src/contracts/commands.ts'
import { keepReady } from '../../src/effects/sandboxStock.ts'

const requestIn = (cwd: string): CommandRequest => ({
  ...{ file: 'x', args: [], cwd, timeoutMs: 1 },
  signal: new AbortController().signal,
})

/** What is made has a number and the folder that it was made for. */
function open() {
  const dropped: string[] = []
  let made = 0
  const { take, prepareFirst, prepareMore, close } = keepReady<string>({
    make({ cwd }) {
      if (cwd === '/broken') throw new Error('no space')
      return cwd === '/none' ? undefined : `${++made} ${cwd}`
    },
    fits: (ready, { cwd }) => cwd !== '/dead' && ready.endsWith(` ${cwd}`),
    drop: async (ready) => void dropped.push(ready),
  })
  return {
    ...{ dropped, close },
    take: (cwd: string) => take(requestIn(cwd)),
    first: (cwd: string) => prepareFirst(requestIn(cwd)),
    more: (cwd: string, count = 3) => prepareMore(requestIn(cwd), count),
  }
}

it('makes one at a time up to the count, and gives the oldest first', () => {
  const { take, first, more } = open()
  first('/a')
  first('/a')
  expect([more('/a'), more('/a'), more('/a')]).toEqual([true, true, false])
  expect([take('/a'), take('/a'), take('/a'), take('/a')]).toEqual(['1 /a', '2 /a', '3 /a', undefined])
})

it('drops what does not fit the next command', () => {
  const { take, first, more, dropped } = open()
  more('/a')
  more('/a')
  first('/b')
  expect([more('/b', 1), more('/b', 1)]).toEqual([true, false])
  expect(dropped).toEqual(['1 /a', '2 /a'])
  expect(take('/a')).toBeUndefined()
  expect(dropped).toEqual(['1 /a', '2 /a', '3 /b'])
  expect(take('/b')).toBeUndefined()
})

it('leaves to the command what cannot be made now', () => {
  const { take, first, more } = open()
  for (const cwd of ['/broken', '/none']) {
    first(cwd)
    expect(more(cwd)).toBe(false)
    expect(take(cwd)).toBeUndefined()
  }
})

it('does not make one after the other where none lasts, before the next command', () => {
  const { first, more, dropped } = open()
  first('/dead')
  expect([more('/dead'), more('/dead'), more('/dead'), more('/dead'), more('/dead')]).toEqual([
    ...[true, true, true, false, false],
  ])
  expect(dropped).toEqual(['1 /dead', '2 /dead', '3 /dead', '4 /dead'])
  first('/dead')
  expect(more('/dead')).toBe(true)
})

it('drops everything at the end, and makes nothing afterwards', async () => {
  const { take, first, more, dropped, close } = open()
  more('/a')
  more('/a')
  await close()
  expect(dropped).toEqual(['1 /a', '2 /a'])
  first('/a')
  expect(more('/a')).toBe(false)
  expect(take('/a')).toBeUndefined()
})
