import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChangeVerdict, PathChange } from '../../../src/contracts/effects.ts'
import type { ChangedEntry } from '../../../src/effects/view/readUpper.ts'
import { identityOf, takeOverSteps } from '../../../src/effects/view/takeOverSteps.ts'
import { listOf, table } from '../../helpers/table.ts'

const statOf = (mode: number, ino: number) =>
  ({ isDirectory: () => (mode & 0o40000) !== 0, mode, uid: 1, gid: 2, ino, size: 3, mtimeMs: 4 }) as Stats

type Entry = Omit<ChangedEntry, 'children'> & { readonly children: Entry[] }

/**
 * The steps of a tree at `/p`, in words: `put /p/a over 7`, `folder /p/d 755`; the inodes are 2, 3 and so on. The tree is a
 * list such as `d/ created 750, d/a modified refused, e/ opaque`: a folder before what is in it.
 */
function stepsOf(tree: string, order: (path: string) => number = () => 0): string[] {
  const verdicts = new Map<PathChange, ChangeVerdict>()
  const entryOf = (name: string, words: readonly string[], ino: number): Entry => {
    const entry = name.endsWith('/') ? 'folder' : 'file'
    const path = `/p/${name}`.replace(/\/$/, '')
    const find = (pattern: RegExp) => words.find((word) => pattern.test(word))
    const is = find(/^(?:created|modified|deleted|mode|replaced)$/) as PathChange['kind'] | 'replaced' | undefined
    const kinds = is === 'replaced' ? (['deleted', 'created'] as const) : is === undefined ? [] : [is]
    const changes = kinds.map((kind): PathChange => ({ path, kind, entry }))
    const verdict = find(/^(?:scratch|refused|never|skipped)$/) ?? 'covered'
    for (const change of changes) verdicts.set(change, { kind: verdict, why: 'x' } as ChangeVerdict)
    const [type, usual] = entry === 'folder' ? [0o40000, '755'] : [0o100000, '644']
    const mode = type | Number.parseInt(find(/^\d+$/) ?? usual, 8)
    const isThere = is !== 'deleted'
    return {
      ...{ path, changes, children: [], isOpaque: words.includes('opaque') },
      lower: is === 'created' ? undefined : statOf(mode, ino),
      upper: isThere ? `/u${path}` : undefined,
      stat: isThere ? statOf(mode, 0) : undefined,
    }
  }
  const root = entryOf('', [], 1)
  const known = new Map([['/p', root]])
  for (const [at, line] of listOf(tree).entries()) {
    const [name = '', ...words] = line.split(' ')
    const entry = entryOf(name, words, at + 2)
    known.set(entry.path, entry)
    known.get(dirname(entry.path))?.children.push(entry)
  }
  return takeOverSteps(root, (change) => verdicts.get(change) ?? { kind: 'skipped' }, order).map((step) => {
    const mode = 'mode' in step ? ` ${step.mode.toString(8)} of ${step.uid}:${step.gid}` : ''
    const over = 'before' in step ? (step.before === null ? ' over nothing' : ` over ${step.before.ino}`) : ''
    if ('from' in step) expect(step.from).toBe(`/u${step.path}`)
    return `${step.kind} ${step.path}${mode}${over}`
  })
}

describe('the steps for what a command changed', () => {
  it.each(table`
    nothing                                   |              |
    a new file                                | a created    | put /p/a over nothing
    one that git ignores                      | a created scratch | put /p/a over nothing
    a changed one, over the one that was compared | a modified | put /p/a over 2
    a removed one                             | a deleted    | remove /p/a over 2
    a mode                                    | a mode 4755  | mode /p/a 4755 of 1:2 over 2
    one that something else replaces: first away | a replaced | remove /p/a over 2, put /p/a over nothing
    a folder in its place                     | a/ replaced, a/b created | remove /p/a over 2, put /p/a over nothing
    a new folder, with one step               | d/ created, d/a created  | put /p/d over nothing
    a removed one too                         | d/ deleted, d/a deleted, d/b deleted | remove /p/d over 2
    what is in a folder that stays            | d/, d/a modified, d/e/, d/e/b deleted
      | put /p/d/a over 3, remove /p/d/e/b over 5
    a folder with another mode, after what is in it | d/ mode 555, d/a created
      | put /p/d/a over nothing, mode /p/d 555 of 1:2 over 2
    a new folder that is kept in part: make it and put that into it | d/ created 750, d/a created, d/b created refused
      | folder /p/d 750 of 1:2, put /p/d/a over nothing
    one of which nothing is kept
      | d/ created refused, d/a created refused, d/e/ created refused, d/e/b created refused |
    one that is refused itself, with something deep in it that is kept
      | d/ created refused, d/a created refused, d/e/ created refused, d/e/b created, d/e/c created refused
      | folder /p/d 755 of 1:2, folder /p/d/e 755 of 1:2, put /p/d/e/b over nothing
    one that is kept alone                    | d/ created, d/a created refused | folder /p/d 755 of 1:2
    one where something else stood            | d/ replaced, d/a created, d/b created refused
      | remove /p/d over 2, folder /p/d 755 of 1:2, put /p/d/a over nothing
    a removed folder in which something stays | d/ deleted, d/a deleted, d/b deleted skipped | remove /p/d/a over 3
    one that stays itself                     | d/ deleted skipped, d/a deleted | remove /p/d/a over 3
  `)('%s', (_, tree = '', steps = '') => {
    expect(stepsOf(tree)).toEqual(listOf(steps))
  })

  it.each(['refused', 'never', 'skipped'])('leave out what is %s, of every kind', (verdict) => {
    const out = listOf('a created, b modified, c deleted, d mode, e replaced, f/ created, g/ replaced, g/a created')
    const tree = [...out.map((each) => `${each} ${verdict}`), 'z created'].join(', ')
    expect(stepsOf(tree)).toEqual(['put /p/z over nothing'])
  })

  it('lock folders that are kept in part last, the inner before the outer', () => {
    const made = 'd/ created 500, d/a created refused, d/e/ created 500, d/e/a created, d/e/b created refused'
    expect(stepsOf(made)).toEqual([
      ...['folder /p/d 500 of 1:2', 'folder /p/d/e 500 of 1:2', 'put /p/d/e/a over nothing'],
      ...['mode /p/d/e 500 of 1:2 over nothing', 'mode /p/d 500 of 1:2 over nothing'],
    ])
  })

  it.each([
    ['for its owner', '0', true],
    ['for writing', '577', true],
    ['for reading', '377', true],
    ['for others only', '700', false],
  ])('move a new folder that was locked open, and lock it again %s, with all that is in it', (_, mode, isLocked) => {
    const locks = ['/p/d/e', '/p/d'].map((path) => `mode ${path} ${mode} of 1:2 over nothing`)
    expect(stepsOf(`d/ created ${mode}, d/e/ created ${mode}, d/e/a created 0`)).toEqual([
      'put /p/d over nothing',
      ...(isLocked ? locks : []),
    ])
  })

  it('have an order: what must go, folders, files, deletions the other way round, modes from the inside', () => {
    const made = 'a deleted, b created, c mode, d/ created, d/x created, d/y created refused'
    const steps = stepsOf(`${made}, e replaced, f/ mode, f/x mode, g deleted`, (path) => (/[bg]$/.test(path) ? 1 : 0))
    expect(steps.map((step) => step.replace(/ (?:over|\d).*/, ''))).toEqual([
      ...['remove /p/e', 'folder /p/d', 'put /p/d/x', 'put /p/e', 'put /p/b'],
      ...['remove /p/g', 'remove /p/a', 'mode /p/f/x', 'mode /p/f', 'mode /p/c'],
    ])
  })
})

describe('a folder that was removed and made again', () => {
  const many = (folder: string, count: number) =>
    Array.from({ length: count }, (_, at) => `, ${folder}/f${at} ${at % 2 === 0 ? 'created' : 'deleted'}`).join('')

  it('is exchanged as a whole where very much in it has changed, also deep in it', () => {
    expect(stepsOf(`d/ opaque${many('d', 64)}`)).toEqual(['remove /p/d over 2', 'put /p/d over nothing'])
    expect(stepsOf(`d/ opaque, d/deep/${many('d/deep', 63)}, d/b created`)).toHaveLength(2)
  })

  it('stays in its place where less has', () => {
    expect(stepsOf(`d/ opaque${many('d', 63)}`)).toHaveLength(63)
    expect(stepsOf(`d/ opaque${many('d', 64)}, e/ opaque${many('e', 2)}`)).toHaveLength(4)
  })

  it('stays, too, where something in it may not go, or where it was not made again', () => {
    expect(stepsOf(`d/ opaque${many('d', 64)}, d/x deleted skipped`)).toHaveLength(64)
    expect(stepsOf(`d/${many('d', 64)}`)).toHaveLength(64)
  })
})

it('knows a folder by its inode alone, and a file also by its size and time', () => {
  expect(identityOf(undefined)).toBeNull()
  expect(identityOf(statOf(0o40000, 7))).toEqual({ ino: 7, size: 0, changed: 0 })
  expect(identityOf(statOf(0o100000, 7))).toEqual({ ino: 7, size: 3, changed: 4 })
})
