import { describe, expect, it } from 'vitest'
import { createTaskStore } from '../../src/context/createTaskStore.ts'

describe('createTaskStore', () => {
  it('numbers tasks, keeps their order, and never reuses the id of a deleted task', () => {
    const store = createTaskStore()
    store.create({ subject: 'a', description: '' })
    store.create({ subject: 'b', description: '', blockedBy: ['1', '1'] })
    expect(store.get('2')).toMatchObject({ status: 'pending', blockedBy: ['1'] })
    store.update('1', { status: 'deleted' })
    expect(store.list().map((task) => task.id)).toEqual(['2'])
    expect(store.create({ subject: 'c', description: '' }).id).toBe('3')
    expect(() => store.update('1', { subject: 'x' })).toThrow('no task 1')
  })

  it('rejects unknown tasks and cycles without changing anything', () => {
    const store = createTaskStore()
    store.create({ subject: 'a', description: '' })
    store.create({ subject: 'b', description: '', blockedBy: ['1'] })
    store.create({ subject: 'c', description: '', blockedBy: ['2'] })
    expect(() => store.create({ subject: 'd', description: '', blockedBy: ['9'] })).toThrow('no task 9')
    expect(() => store.update('1', { blockedBy: ['3'] })).toThrow('wait for itself')
    expect(() => store.update('1', { blockedBy: ['1'] })).toThrow('wait for itself')
    expect(() => store.update('7', {})).toThrow('no task 7')
    expect(store.get('1')?.blockedBy).toEqual([])
    expect(store.list()).toHaveLength(3)
  })

  it('changes only the given fields', () => {
    const store = createTaskStore()
    store.create({ subject: 'a', description: 'long' })
    const changed = { status: 'completed', owner: 'x' } as const
    const before = { id: '1', subject: 'a', description: 'long', blockedBy: [] }
    expect(store.update('1', changed)).toEqual({ ...before, ...changed })
  })
})
