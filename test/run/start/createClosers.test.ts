import { expect, it } from 'vitest'
import { createClosers } from '../../../src/run/start/createClosers.ts'

function threeOpened() {
  const closed: string[] = []
  const closers = createClosers()
  for (const name of ['one', 'two', 'three']) closers.add({ name }, (opened) => void closed.push(opened.name))
  return { closed, closers }
}

it('closes in reverse, each once', async () => {
  const { closed, closers } = threeOpened()
  await Promise.all([closers.close(), closers.close()])
  await closers.close()
  expect(closed).toEqual(['three', 'two', 'one'])
})

it('waits for each before the next', async () => {
  const { closed, closers } = threeOpened()
  closers.add('slow', async () => {
    await new Promise(setImmediate)
    closed.push('slow')
  })
  await closers.close()
  expect(closed).toEqual(['slow', 'three', 'two', 'one'])
})

it('closes the rest if one throws or rejects', async () => {
  const { closed, closers } = threeOpened()
  closers.add('throws', () => {
    throw new Error('x')
  })
  closers.add('rejects', () => Promise.reject(new Error('x')))
  await closers.close()
  expect(closed).toEqual(['three', 'two', 'one'])
})

it('leaves open what is released', async () => {
  const { closed, closers } = threeOpened()
  const kept = closers.add({ name: 'kept' }, () => void closed.push('kept'))
  closers.release(kept)
  await closers.close()
  expect(closed).toEqual(['three', 'two', 'one'])
})
