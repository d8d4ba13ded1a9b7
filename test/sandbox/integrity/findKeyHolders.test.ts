import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findKeyHolders, keyWarning } from '../../../src/sandbox/integrity/findKeyHolders.ts'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** This process and those above it, as the kernel tells it in another place. */
function ancestors(pid: number): readonly number[] {
  const parent = Number(/^PPid:\s+(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
  return parent === 0 ? [pid] : [pid, ...ancestors(parent)]
}

describe.runIf(process.platform === 'linux')('who holds a value in its environment (needs Linux)', () => {
  it('is this process and each above it that has it', () => {
    const [value = ''] = read('/proc/self/environ').split('\0')
    const expected = ancestors(process.pid).filter((pid) => read(`/proc/${pid}/environ`).includes(value))
    const holders = findKeyHolders(value)
    expect(holders.map(({ pid }) => pid)).toEqual(expected)
    expect(holders[0]).toEqual({ pid: process.pid, command: read('/proc/self/comm').trim() })
  })

  it('is nobody where nobody has it', () => {
    expect(findKeyHolders('no environment holds this text')).toEqual([])
  })
})

it('an operator is told of all of them, unless the sandbox hides them', () => {
  const holders = [
    { pid: 7, command: 'node' },
    { pid: 1, command: 'sh' },
  ]
  expect(keyWarning(holders, false)).toEqual([
    'the API key is in the environment of process 7 (node), 1 (sh): without the sandbox, every command of this user can read it in /proc; use --api-key-fd or --api-key-file instead',
  ])
  expect([keyWarning(holders, true), keyWarning([], false)]).toEqual([[], []])
})
