import { describe, expect, it } from 'vitest'
import { createChannel } from '../../../src/lib/async/channel.ts'
import { mergeGenerators } from '../../../src/lib/async/mergeGenerators.ts'

async function* count(name: string, to: number, log: string[]): AsyncGenerator<string> {
  for (let i = 1; i <= to; i++) {
    yield `${name}${i}`
    log.push(`after ${name}${i}`)
  }
}

describe('mergeGenerators', () => {
  it('lets a source continue only after its item was processed', async () => {
    const log: string[] = []
    for await (const item of mergeGenerators(count('a', 2, log), count('b', 2, log))) log.push(item)
    for (const name of ['a1', 'a2', 'b1', 'b2']) expect(log.indexOf(name)).toBeLessThan(log.indexOf(`after ${name}`))
    expect(log.filter((entry) => !entry.startsWith('after')).sort()).toEqual(['a1', 'a2', 'b1', 'b2'])
  })

  it('accepts sources that are added during reading', async () => {
    const merge = mergeGenerators<string>(count('a', 1, []))
    const seen: string[] = []
    for await (const item of merge) {
      seen.push(item)
      if (item === 'a1') merge.add(count('late', 2, []))
    }
    expect(seen).toEqual(['a1', 'late1', 'late2'])
  })

  it('passes on an error and ends the other sources', async () => {
    let isEnded = false
    async function* endless(): AsyncGenerator<string> {
      try {
        while (true) yield 'x'
      } finally {
        isEnded = true
      }
    }
    async function* broken(): AsyncGenerator<string> {
      yield 'y'
      throw new Error('broken')
    }
    await expect(async () => {
      for await (const item of mergeGenerators(endless(), broken())) void item
    }).rejects.toThrow('broken')
    expect(isEnded).toBe(true)
  })
})

describe('createChannel', () => {
  it('settles a send when the reader asks for the next item', async () => {
    const channel = createChannel<number>()
    const log: string[] = []
    void channel.send(1).then(() => log.push('sent 1'))
    const reader = channel.read()
    expect((await reader.next()).value).toBe(1)
    expect(log).toEqual([])
    channel.close()
    expect((await reader.next()).done).toBe(true)
    expect(log).toEqual(['sent 1'])
  })

  it('never leaves a sender waiting when the reader stops', async () => {
    const channel = createChannel<number>()
    const reader = channel.read()
    const sends = [channel.send(1), channel.send(2)]
    await reader.next()
    await reader.return()
    await Promise.all(sends)
    await channel.send(3)
  })
})
