import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { quarantineEntry, readJournals, removeJournal, writeJournal } from '../../../src/effects/view/journal.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { makeFiles, openIn } from '../../helpers/effects/makeFiles.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'

const ENTRY = {
  by: 'toolu_1',
  view: '/views/view-1',
  changes: [{ path: '/p/a', kind: 'deleted', entry: 'file' }],
  steps: [{ kind: 'remove', path: '/p/a', before: null }],
} as const

describe('a journal', () => {
  it('is on the disk under its name, complete, before the first step: content, then name, then folder', () => {
    const folder = makeFiles({ 'state/': '' })
    const { calls } = recordCalls(folder)
    const file = writeJournal(join(folder, 'state'), 'view-1', ENTRY)
    expect(calls.filter((call) => !call.startsWith('mkdir'))).toEqual([
      ...['open state/new', 'write state/new', 'fsync state/new'],
      ...['rename state/new state/view-1.take-over.json', 'fsync state'],
    ])
    expect(readJournals(join(folder, 'state'))).toEqual([{ file, entry: { ...ENTRY, owner: ownIdentity() } }])
  })

  it('is for this user alone, as is the folder that is made for it', () => {
    const folder = makeFiles()
    const file = writeJournal(join(folder, 'a/state'), 'view-1', ENTRY)
    expect(lstatSync(file).mode & 0o777).toBe(0o600)
    expect(lstatSync(join(folder, 'a/state')).mode & 0o777).toBe(0o700)
  })

  it.each([
    ...['open state/new', 'write state/new', 'fsync state/new', 'rename state/new state/view-1.take-over.json'],
    'open state',
  ])('that cannot be written leaves nothing behind that a later run would finish: %s', (call) => {
    const folder = makeFiles({ 'state/': '' })
    recordCalls(folder).fail(call, 'ENOSPC')
    expect(() => writeJournal(join(folder, 'state'), 'view-1', ENTRY)).toThrow('ENOSPC')
    expect(readdirSync(join(folder, 'state'))).toEqual([])
  })

  it('is complete even if the disk takes only a part of it at once', () => {
    const folder = makeFiles({ 'state/': '' })
    const { tear } = recordCalls(folder)
    tear()
    writeJournal(join(folder, 'state'), 'view-1', ENTRY)
    expect(readJournals(join(folder, 'state'))).toMatchObject([{ entry: ENTRY }])
  })

  it('counts where the file system cannot sync a folder', () => {
    const folder = makeFiles({ 'state/': '' })
    recordCalls(folder).fail('fsync state', 'EINVAL')
    const file = writeJournal(join(folder, 'state'), 'view-1', ENTRY)
    expect(readJournals(join(folder, 'state')).map((each) => each.file)).toEqual([file])
  })

  it('leaves no descriptor open', () => {
    const folder = makeFiles()
    for (let round = 0; round < 3; round++) writeJournal(folder, `view-${round}`, ENTRY)
    expect(openIn(folder)).toBe(0)
  })

  it('is removed once, and it is no error if it is gone', () => {
    const folder = makeFiles()
    const file = writeJournal(folder, 'view-1', ENTRY)
    removeJournal(file)
    expect(existsSync(file)).toBe(false)
    expect(() => removeJournal(file)).not.toThrow()
  })
})

describe('the journals of a folder', () => {
  it('are read by their names, and nothing else is', () => {
    const folder = makeFiles({ 'other.json': '{}', '.x.kode-run.tmp': '{}' })
    const files = ['view-2', 'view-1'].map((name) => writeJournal(folder, name, ENTRY))
    expect(readJournals(folder).map(({ file }) => file)).toEqual(files.toReversed())
    expect(readJournals(join(folder, 'none'))).toEqual([])
  })

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['torn', '{"steps":[{"kind"'],
    ['without an owner', '{"steps":[]}'],
    ['without steps', JSON.stringify({ owner: ownIdentity() })],
    ['with steps of another kind', JSON.stringify({ owner: ownIdentity(), steps: 'x' })],
  ])('have no entry where one is damaged, and it is put aside with what is in it: %s', (_, text) => {
    const folder = makeFiles({ 'view-1.take-over.json': text })
    const file = join(folder, 'view-1.take-over.json')
    expect(readJournals(folder)).toEqual([{ file, entry: undefined }])
    quarantineEntry(file)
    expect(readJournals(folder)).toEqual([])
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text)
  })

  it('are read although one of them is a folder', () => {
    const folder = makeFiles({ 'view-1.take-over.json/x': '' })
    writeFileSync(join(folder, 'view-0.take-over.json'), 'null')
    expect(readJournals(folder).map(({ entry }) => entry)).toEqual([undefined, undefined])
  })
})
