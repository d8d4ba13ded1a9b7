import type { Stats } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ChangeVerdict, PathChange } from '../../../src/contracts/effects.ts'
import type { ChangedEntry } from '../../../src/effects/view/readUpper.ts'
import { identityOf, takeOverSteps } from '../../../src/effects/view/takeOverSteps.ts'

type Node = {
  /** What the command made of it; none for a folder that it only changed things in. */
  readonly is?: PathChange['kind'] | 'replaced'
  readonly entry?: 'file' | 'folder'
  readonly mode?: number
  readonly isOpaque?: true
  readonly verdict?: ChangeVerdict['kind']
  readonly in?: Readonly<Record<string, Node>>
}

const folder = (more: Node = {}): Node => ({ entry: 'folder', in: {}, ...more })
const stat = (node: Node, mode: number, ino: number) =>
  ({ isDirectory: () => node.entry === 'folder', mode, uid: 1, gid: 2, ino, size: 3, mtimeMs: 4 }) as Stats

/** The steps of a tree at `/p`, in words: `put /p/a over 7`, `folder /p/d 755`; each path has an inode of its own. */
function stepsOf(tree: Readonly<Record<string, Node>>, order: (path: string) => number = () => 0): string[] {
  const verdicts = new Map<PathChange, ChangeVerdict>()
  let inodes = 0
  const entryOf = (path: string, node: Node): ChangedEntry => {
    const { is, entry = 'file', mode = entry === 'folder' ? 0o755 : 0o644 } = node
    const kinds = is === 'replaced' ? (['deleted', 'created'] as const) : is === undefined ? [] : [is]
    const changes = kinds.map((kind): PathChange => ({ path, kind, entry }))
    for (const change of changes) verdicts.set(change, { kind: node.verdict ?? 'covered', why: 'x' } as ChangeVerdict)
    inodes += 1
    const lower = is === 'created' ? undefined : stat({}, mode, inodes)
    const isThere = is !== 'deleted'
    return {
      ...{ path, lower, changes, isOpaque: node.isOpaque === true },
      upper: isThere ? `/u${path}` : undefined,
      stat: isThere ? stat(node, mode, 0) : undefined,
      children: Object.entries(node.in ?? {}).map(([name, child]) => entryOf(`${path}/${name}`, child)),
    }
  }
  const root = entryOf('/p', folder({ in: tree }))
  return takeOverSteps(root, (change) => verdicts.get(change) ?? { kind: 'skipped' }, order).map((step) => {
    const mode = 'mode' in step ? ` ${step.mode.toString(8)} of ${step.uid}:${step.gid}` : ''
    const over = 'before' in step ? (step.before === null ? ' over nothing' : ` over ${step.before.ino}`) : ''
    if ('from' in step) expect(step.from).toBe(`/u${step.path}`)
    return `${step.kind} ${step.path}${mode}${over}`
  })
}

describe('the steps for what a command changed', () => {
  it.each<[string, Readonly<Record<string, Node>>, string[]]>([
    ['nothing', {}, []],
    ['a new file', { a: { is: 'created' } }, ['put /p/a over nothing']],
    ['a changed one, over the one that was compared', { a: { is: 'modified' } }, ['put /p/a over 2']],
    ['a removed one', { a: { is: 'deleted' } }, ['remove /p/a over 2']],
    ['a mode', { a: { is: 'mode', mode: 0o104755 } }, ['mode /p/a 4755 of 1:2 over 2']],
    [
      'one that something else replaces: first away',
      { a: { is: 'replaced' } },
      ['remove /p/a over 2', 'put /p/a over nothing'],
    ],
    [
      'a folder in its place',
      { a: folder({ is: 'replaced', in: { b: { is: 'created' } } }) },
      ['remove /p/a over 2', 'put /p/a over nothing'],
    ],
    [
      'a new folder, with one step',
      { d: folder({ is: 'created', in: { a: { is: 'created' } } }) },
      ['put /p/d over nothing'],
    ],
    [
      'a removed one too',
      { d: { is: 'deleted', in: { a: { is: 'deleted' }, b: { is: 'deleted' } } } },
      ['remove /p/d over 2'],
    ],
    [
      'what is in a folder that stays',
      { d: folder({ in: { a: { is: 'modified' }, e: folder({ in: { b: { is: 'deleted' } } }) } }) },
      ['put /p/d/a over 3', 'remove /p/d/e/b over 5'],
    ],
    [
      'a folder with another mode, after what is in it',
      { d: folder({ is: 'mode', mode: 0o40555, in: { a: { is: 'created' } } }) },
      ['put /p/d/a over nothing', 'mode /p/d 555 of 1:2 over 2'],
    ],
  ])('%s', (_, tree, steps) => {
    expect(stepsOf(tree)).toEqual(steps)
  })

  it.each(['scratch', 'covered'] as const)('are taken for what is %s', (verdict) => {
    expect(stepsOf({ a: { is: 'created', verdict } })).toEqual(['put /p/a over nothing'])
  })

  it.each(['refused', 'never', 'skipped'] as const)('leave out what is %s, of every kind', (verdict) => {
    const out = (is: NonNullable<Node['is']>): Node => ({ is, verdict })
    const tree = {
      ...{ a: out('created'), b: out('modified'), c: out('deleted'), d: out('mode'), e: out('replaced') },
      f: folder(out('created')),
      g: folder({ ...out('replaced'), in: { a: out('created') } }),
      z: { is: 'created' },
    } as const
    expect(stepsOf(tree)).toEqual(['put /p/z over nothing'])
  })
})

describe('the steps for a folder that is kept in part', () => {
  const OUT = { is: 'created', verdict: 'refused' } as const

  it('make it and put what is kept into it', () => {
    const tree = { d: folder({ is: 'created', mode: 0o40750, in: { a: { is: 'created' }, b: OUT } }) }
    expect(stepsOf(tree)).toEqual(['folder /p/d 750 of 1:2', 'put /p/d/a over nothing'])
  })

  it('do not make it for nothing', () => {
    expect(stepsOf({ d: folder({ ...OUT, in: { a: OUT, e: folder({ ...OUT, in: { b: OUT } }) } }) })).toEqual([])
  })

  it('make it even if it is refused itself, when something deep in it is kept', () => {
    const tree = { d: folder({ ...OUT, in: { a: OUT, e: folder({ ...OUT, in: { b: { is: 'created' }, c: OUT } }) } }) }
    expect(stepsOf(tree)).toEqual(['folder /p/d 755 of 1:2', 'folder /p/d/e 755 of 1:2', 'put /p/d/e/b over nothing'])
  })

  it('make it for its own sake, with what is left out of it', () => {
    const tree = { d: folder({ is: 'created', in: { a: OUT } }) }
    expect(stepsOf(tree)).toEqual(['folder /p/d 755 of 1:2'])
  })

  it('clear its place if something else stood there, and not if that must stay', () => {
    const d = folder({ is: 'replaced', in: { a: { is: 'created' }, b: OUT } })
    expect(stepsOf({ d })).toEqual(['remove /p/d over 2', 'folder /p/d 755 of 1:2', 'put /p/d/a over nothing'])
  })

  it('lock it last, the inner before the outer', () => {
    const locked = { is: 'created', mode: 0o40500 } as const
    const d = folder({ ...locked, in: { a: OUT, e: folder({ ...locked, in: { a: { is: 'created' }, b: OUT } }) } })
    expect(stepsOf({ d })).toEqual([
      ...['folder /p/d 500 of 1:2', 'folder /p/d/e 500 of 1:2', 'put /p/d/e/a over nothing'],
      ...['mode /p/d/e 500 of 1:2 over nothing', 'mode /p/d 500 of 1:2 over nothing'],
    ])
  })

  it('remove of a removed one only what may go', () => {
    const d: Node = { is: 'deleted', in: { a: { is: 'deleted' }, b: { is: 'deleted', verdict: 'skipped' } } }
    expect(stepsOf({ d })).toEqual(['remove /p/d/a over 3'])
    const own: Node = { is: 'deleted', verdict: 'skipped', in: { a: { is: 'deleted' } } }
    expect(stepsOf({ d: own })).toEqual(['remove /p/d/a over 3'])
  })
})

describe('a new folder that was locked by its command', () => {
  it.each([
    ['for its owner', 0o40000, true],
    ['for writing', 0o40577, true],
    ['for reading', 0o40377, true],
    ['for others only', 0o40700, false],
  ])('is moved open, and locked again %s, with all that is in it', (_, mode, isLocked) => {
    const d = folder({
      is: 'created',
      mode,
      in: { e: folder({ is: 'created', mode, in: { a: { is: 'created', mode: 0 } } }) },
    })
    const locks = ['/p/d/e', '/p/d'].map((path) => `mode ${path} ${(mode & 0o777).toString(8)} of 1:2 over nothing`)
    expect(stepsOf({ d })).toEqual(['put /p/d over nothing', ...(isLocked ? locks : [])])
  })
})

describe('a folder that was removed and made again', () => {
  const again = (count: number, more: Node = {}): Node =>
    folder({
      isOpaque: true,
      in: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`f${at}`, { is: at % 2 === 0 ? 'created' : 'deleted' }]),
      ),
      ...more,
    })

  it('is exchanged as a whole where very much in it has changed', () => {
    expect(stepsOf({ d: again(64) })).toEqual(['remove /p/d over 2', 'put /p/d over nothing'])
    const deep = { ...folder({ in: again(63).in ?? {} }) }
    expect(stepsOf({ d: again(1, { in: { deep, b: { is: 'created' } } }) })).toHaveLength(2)
  })

  it('stays in its place where less has', () => {
    expect(stepsOf({ d: again(63) })).toHaveLength(63)
    expect(stepsOf({ d: again(64, {}), e: again(2) })).toHaveLength(4)
  })

  it('stays, too, where something in it may not go, or where it was not made again', () => {
    const held = { ...again(64).in, x: { is: 'deleted', verdict: 'skipped' } } as const
    expect(stepsOf({ d: again(0, { in: held }) })).toHaveLength(64)
    expect(stepsOf({ d: folder({ in: again(64).in ?? {} }) })).toHaveLength(64)
  })
})

describe('the order of the steps', () => {
  it('is: what must go, folders, files, deletions the other way round, modes from the inside', () => {
    const OUT = { is: 'created', verdict: 'refused' } as const
    const tree: Readonly<Record<string, Node>> = {
      ...{ a: { is: 'deleted' }, b: { is: 'created' }, c: { is: 'mode' } },
      d: folder({ is: 'created', in: { x: { is: 'created' }, y: OUT } }),
      e: { is: 'replaced' },
      f: folder({ is: 'mode', in: { x: { is: 'mode' } } }),
      g: { is: 'deleted' },
    }
    expect(
      stepsOf(tree, (path) => (path.endsWith('b') || path.endsWith('g') ? 1 : 0)).map((step) =>
        step.replace(/ (?:over|\d).*/, ''),
      ),
    ).toEqual([
      ...['remove /p/e', 'folder /p/d', 'put /p/d/x', 'put /p/e', 'put /p/b'],
      ...['remove /p/g', 'remove /p/a', 'mode /p/f/x', 'mode /p/f', 'mode /p/c'],
    ])
  })
})

it('knows a folder by its inode alone, and a file also by its size and time', () => {
  expect(identityOf(undefined)).toBeNull()
  expect(identityOf(stat(folder(), 0, 7))).toEqual({ ino: 7, size: 0, changed: 0 })
  expect(identityOf(stat({}, 0, 7))).toEqual({ ino: 7, size: 3, changed: 4 })
})
