import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lchownSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { finishSteps, firstConflict, runSteps } from '../../../src/effects/view/runSteps.ts'
import { identityOf, type TakeOverStep } from '../../../src/effects/view/takeOverSteps.ts'
import { makeFiles, openIn } from '../../helpers/effects/makeFiles.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { filesOf, table } from '../../helpers/table.ts'

const OWNED = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

/** A checkout `p` and a view `v`; steps as they are planned now. */
function lab(files: string) {
  const folder = makeFiles({ 'p/': '', 'v/': '', ...filesOf(files) })
  const at = (path: string) => join(folder, 'p', path)
  const now = (path: string) => identityOf(lstatSync(at(path), { throwIfNoEntry: false }))
  const step = {
    put: (path: string, before = now(path)): TakeOverStep => ({
      ...{ kind: 'put', path: at(path), from: join(folder, 'v', path), before },
    }),
    remove: (path: string): TakeOverStep => ({ kind: 'remove', path: at(path), before: now(path) }),
    folder: (path: string, mode = 0o755): TakeOverStep => ({ kind: 'folder', path: at(path), mode, ...OWNED }),
    mode: (path: string, mode: number): TakeOverStep => ({
      ...{ kind: 'mode', path: at(path), mode, ...OWNED, before: now(path) },
    }),
  }
  const place = { trash: join(folder, 'trash') }
  return {
    ...{ folder, at, step, place },
    sh: (script: string) => void execFileSync('sh', ['-ec', script], { cwd: at('') }),
    tree: () => treeOf(join(folder, 'p')),
    run: (steps: readonly TakeOverStep[], onStep?: (index: number) => void) => runSteps(steps, { ...place, onStep }),
    finish: async (...steps: readonly TakeOverStep[]) =>
      (await finishSteps(steps, place)).map((path) => path.slice(at('').length + 1)),
    conflict: (...steps: readonly TakeOverStep[]) => firstConflict(steps)?.slice(at('').length + 1),
    modeOf: (path: string) => lstatSync(at(path)).mode & 0o7777,
  }
}

describe('runSteps', () => {
  it('takes one step after the other, and says before each and at the end where it is', async () => {
    const { run, step, tree, at } = lab('p/a=old p/gone= v/a=new v/d/b=b')
    const seen: string[] = []
    const steps = [step.folder('d'), step.put('d/b'), step.put('a'), step.remove('gone')]
    await run(steps, (index) => seen.push(`${index} ${Object.keys(treeOf(at(''))).join(' ')}`))
    expect(seen).toEqual(['0 a gone', '1 a d gone', '2 a d d/b gone', '3 a d d/b gone', '4 a d d/b'])
    expect(tree()).toEqual({ a: 'new', d: 'folder', 'd/b': 'b' })
  })

  it('stops at the first that fails', async () => {
    const { run, step, tree } = lab('v/a=a v/c=c')
    await expect(run([step.put('a'), step.put('b'), step.put('c')])).rejects.toThrow('ENOENT')
    expect(tree()).toEqual({ a: 'a' })
  })

  it('makes a folder with its mode, open to its owner until a later step locks it', async () => {
    const { run, step, modeOf, at } = lab('v/d/a=')
    const steps = [step.folder('d', 0o2050), step.folder('d/e', 0o775), step.put('d/a'), step.mode('d', 0o2050)]
    const seen: number[] = []
    await run(steps, (index) => index > 0 && seen.push(modeOf('d')))
    expect(seen).toEqual([0o2750, 0o2750, 0o2750, 0o2050])
    chmodSync(at('d'), 0o700)
    expect(modeOf('d/e')).toBe(0o775)
  })

  it('takes what it removes away whole, and keeps all of it apart', async () => {
    const { run, step, tree, folder } = lab('p/a=a p/d/e/f=f p/l->d')
    await run([step.remove('a'), step.remove('l'), step.remove('d')])
    expect(tree()).toEqual({})
    const trash = { '0': 'a', '1': '-> d', '2': 'folder', '2/e': 'folder', '2/e/f': 'f' }
    expect(treeOf(join(folder, 'trash'))).toEqual(trash)
    expect(lstatSync(join(folder, 'trash')).mode & 0o777).toBe(0o700)
  })

  it('moves a folder that its owner may not write, and leaves its mode', async () => {
    const { run, step, folder, at } = lab('p/d/a=a p/o/a=a')
    chmodSync(at('d'), 0o2555)
    chmodSync(at('o'), 0o1200)
    const { calls } = recordCalls(folder)
    await run([step.remove('d'), step.remove('o')])
    expect(calls.filter((call) => call.startsWith('chmod'))).toEqual(['chmod p/d', 'chmod trash/0'])
    expect(['0', '1'].map((name) => lstatSync(join(folder, 'trash', name)).mode & 0o7777)).toEqual([0o2555, 0o1200])
  })

  it('does not follow a link that was put in the place of a folder meanwhile', async () => {
    const { run, step, folder, at } = lab('p/d/a=old v/d/a=new v/d/b=new away/')
    const steps = [step.put('d/a'), step.put('d/b')]
    const swap = () => {
      renameSync(at('d'), at('was'))
      symlinkSync(join(folder, 'away'), at('d'))
    }
    await expect(run(steps.slice(0, 1), swap)).rejects.toThrow()
    expect(readdirSync(join(folder, 'away'))).toEqual([])
  })

  it('does not follow one above that folder either', async () => {
    const { run, step, folder, at } = lab('p/c/d/a=old v/c/d/a=new away/d/')
    const steps = [step.put('c/d/a')]
    renameSync(at('c'), at('was'))
    symlinkSync(join(folder, 'away'), at('c'))
    await expect(run(steps)).rejects.toThrow('is reached by a link that was not there before')
    expect(readdirSync(join(folder, 'away/d'))).toEqual([])
  })

  it('writes into a folder that an earlier step put, not into the one that it removed', async () => {
    const { run, step, tree } = lab('p/d/e/old= p/f= v/d/e/n=n v/f/x=x')
    const removes = [step.remove('d/e/old'), step.remove('d')]
    await run([...removes, step.folder('d'), step.folder('d/e'), step.put('d/e/n', null)])
    expect(tree()).toEqual({ d: 'folder', 'd/e': 'folder', 'd/e/n': 'n', f: '' })
  })

  it('changes no mode of what a link leads to', async () => {
    const { run, step, at, modeOf } = lab('p/a= p/b=')
    const steps = [step.mode('a', 0o4777)]
    rmSync(at('a'))
    symlinkSync('b', at('a'))
    await run(steps).catch(() => undefined)
    expect(modeOf('b')).toBe(0o644)
  })

  it.skipIf(OWNED.uid !== 0)('gives what it makes its owner, and a set-uid bit after that (needs root)', async () => {
    const { run, step, at, modeOf } = lab('p/a=')
    const owner = { uid: 1, gid: 2 }
    await run([
      { ...step.folder('d'), ...owner } as TakeOverStep,
      { ...step.mode('a', 0o4755), ...owner } as TakeOverStep,
    ])
    for (const name of ['a', 'd']) expect([lstatSync(at(name)).uid, lstatSync(at(name)).gid]).toEqual([1, 2])
    expect(modeOf('a')).toBe(0o4755)
  })

  it('leaves no descriptor open, whether it succeeds or not', async () => {
    const { run, step, folder } = lab('v/a= v/b=')
    await run([step.put('a'), step.mode('a', 0o600)])
    await run([step.put('none')]).catch(() => undefined)
    expect(openIn(folder)).toBe(0)
  })
})

describe('with the view on another file system', () => {
  const AWAY = ['rename v/d p/d', 'rename v/a p/a', 'rename p/gone trash/0', 'rename trash/0 p/n']
  function far(files: string) {
    const made = lab(files)
    const recorded = recordCalls(made.folder)
    for (const call of AWAY) recorded.fail(call, 'EXDEV')
    return { ...made, ...recorded }
  }

  it('copies, and gives the copy its name when it is complete', async () => {
    const { run, step, tree, calls, folder, modeOf, at } = far('p/a=old v/a=new v/d/e/f=f v/d/l->e')
    chmodSync(join(folder, 'v/a'), 0o640)
    chmodSync(join(folder, 'v/d/e'), 0o500)
    utimesSync(join(folder, 'v/d/e'), 1, 2)
    await run([step.put('a'), step.put('d')])
    expect(tree()).toEqual({ a: 'new', d: 'folder', 'd/e': 'folder', 'd/e/f': 'f', 'd/l': '-> e' })
    expect([modeOf('a'), modeOf('d/e'), lstatSync(at('d/e')).mtimeMs]).toEqual([0o640, 0o500, 2000])
    expect(calls.filter((call) => call.startsWith('rename'))).toEqual([
      ...['rename v/a p/a', 'rename p/new p/a', 'rename v/d p/d', 'rename p/new p/d'],
    ])
  })

  it.skipIf(OWNED.uid !== 0)('copies owners, also of links (needs root)', async () => {
    const { run, step, folder, at } = far('v/d/f= v/d/l->f')
    for (const name of ['d', 'd/f', 'd/l']) lchownSync(join(folder, 'v', name), 1, 2)
    await run([step.put('d')])
    for (const name of ['d', 'd/f', 'd/l']) expect([lstatSync(at(name)).uid, lstatSync(at(name)).gid]).toEqual([1, 2])
  })

  it('leaves nothing half copied where it fails', async () => {
    const { run, step, tree, fail } = far('v/d/e/f=f v/a=new')
    fail('rename p/new p/d', 'ENOSPC')
    await expect(run([step.put('d')])).rejects.toThrow('ENOSPC')
    fail('rename v/a p/a', 'EACCES')
    await expect(run([step.put('a')])).rejects.toThrow('EACCES')
    expect(tree()).toEqual({})
  })

  it('removes a folder name by name, and no link in it is followed', async () => {
    const { run, step, tree, folder } = far('p/gone/a= p/gone/d/b= p/gone/d/l->../../../away away/x=x')
    await run([step.remove('gone')])
    expect([tree(), openIn(folder)]).toEqual([{}, 0])
    expect(treeOf(join(folder, 'away'))).toEqual({ x: 'x' })
  })

  it('removes nothing where it may not be moved for another reason', async () => {
    const { run, step, tree, fail } = far('p/a=a')
    fail('rename p/a trash/0', 'EACCES')
    await expect(run([step.remove('a')])).rejects.toThrow('EACCES')
    expect(tree()).toEqual({ a: 'a' })
  })

  it('makes a folder there too', async () => {
    const { run, step, modeOf } = far('')
    await run([step.folder('n', 0o751)])
    expect(modeOf('n')).toBe(0o751)
  })
})

describe('firstConflict', () => {
  it('is none while all is as the view was read against', () => {
    const { conflict, step } = lab('p/a=a p/d/b=b p/e=')
    const anew = [step.remove('e'), step.folder('e'), step.put('e/x', null), step.folder('n')]
    const steps = [...anew, step.put('a'), step.mode('a', 0)]
    expect(conflict(...steps, step.mode('d', 0o700), step.remove('d/b'), step.put('new'))).toBeUndefined()
  })

  it.each(table`
    what is to be replaced has another time           | touch -d @1 a                          | a
    it has another size                               | printf longer > a                      | a
    it has another size, and the time that it had     | printf longer > a; touch -d @2 a       | a
    it is another file                                | cp -p a n; mv a old; mv n a            | a
    it is gone                                        | rm a                                   | a
    what is to be removed is gone                     | rm gone                                | gone
    it has changed                                    | printf longer > gone                   | gone
    a file stands where a new one goes                | touch new                              | new
    a link does                                       | ln -s nowhere new                      | new
    something stands where a folder is made           | mkdir made                             | made
    a folder is another one                           | mv d old; mkdir d                      | d
    there is a file in its place                      | mv d old; touch d                      | d
  `)('is the path where %s', (_, change = '', path = '') => {
    const { at, conflict, step, sh } = lab('p/a=a p/gone= p/d/')
    utimesSync(at('a'), 1, 2)
    const steps = [step.folder('made'), step.put('a'), step.put('new'), step.remove('gone'), step.mode('d', 0o700)]
    sh(change)
    expect(conflict(...steps)).toBe(path)
  })

  it('says nothing of a folder in which something has changed', () => {
    const { at, conflict, step } = lab('p/d/a=')
    const steps = [step.mode('d', 0o700)]
    writeFileSync(at('d/b'), '')
    expect(conflict(...steps)).toBeUndefined()
  })

  it('says nothing of the mode of what is made by an earlier step', () => {
    const { conflict, step } = lab('v/n/')
    const mode = { ...step.mode('n', 0o500), before: null }
    expect(conflict(step.put('n'), mode as TakeOverStep)).toBeUndefined()
  })

  it('says nothing of the mode of what is in a folder that an earlier step exchanges', () => {
    const { conflict, step } = lab('p/d/e/ v/d/e/')
    const mode = { ...step.mode('d/e', 0o500), before: null }
    expect(conflict(step.remove('d'), step.put('d', null), mode as TakeOverStep)).toBeUndefined()
  })
})

describe('finishSteps', () => {
  it.each([0, 3, 5, 8])('takes the steps that are left, and none twice: after %i of 8', async (done) => {
    const { finish, step, tree, modeOf, run } = lab('p/a=a p/gone= p/c= v/a=new v/n=n v/d/x=x v/c=c')
    const steps = [
      ...[step.remove('c'), step.folder('d'), step.put('d/x'), step.put('c', null), step.put('a'), step.put('n')],
      ...[step.remove('gone'), step.mode('a', 0o600)],
    ]
    await run(steps.slice(0, done))
    expect(await finish(...steps)).toEqual([])
    expect(tree()).toEqual({ a: 'new', n: 'n', c: 'c', d: 'folder', 'd/x': 'x' })
    expect(modeOf('a')).toBe(0o600)
    expect(await finish(...steps)).toEqual([])
  })

  it.each(table`
    a file that somebody changed                                  | printf 'of a person' > a    | a
    one that is gone                                              | rm a                        | a
    one where there was none                                      | printf 'of a person' > new  | new
    one of the same size                                          | printf NEW > new            | new
    a folder there                                                | mkdir new                   | new
    a file in the place of a new folder, and of what goes into it | printf 'of a person' > d    | d
    what was to be removed and has changed                        | printf 'of a person' > gone | gone
    what was to be locked and is gone                             | rm m                        | m
    what is in neither place                                      | rm ../v/new                 | new
  `)('leaves alone, and names, %s', async (_, change = '', left = '') => {
    const { finish, step, tree, sh } = lab('p/a=a p/gone=g p/m=m v/a=upper v/new=new')
    const steps = [step.folder('d'), step.put('a'), step.put('new'), step.remove('gone'), step.mode('m', 0o600)]
    sh(change)
    const before = tree()
    expect(await finish(...steps)).toEqual([left])
    expect(tree()[left]).toBe(before[left])
    const others = (names: readonly string[]) => names.filter((name) => name !== left).sort()
    expect(others(Object.keys(tree()))).toEqual(others(['a', 'd', 'm', 'new']))
  })

  it('takes a copy with the same bytes for its own, if the view is on another file system', async () => {
    const { finish, step } = lab('p/a=new v/a=new p/d/x= v/d/x= p/e=person v/e=')
    expect(await finish(step.put('a', null), step.put('d', null), step.put('e', null))).toEqual(['d', 'e'])
  })

  it('knows that something else stands already where it was to remove what was there', async () => {
    const { finish, step, tree, at } = lab('p/f=file v/f/x=x')
    const steps = [step.remove('f'), step.put('f', null)]
    renameSync(at('f'), join(at(''), '../old'))
    renameSync(join(at(''), '../v/f'), at('f'))
    expect(await finish(...steps)).toEqual([])
    expect(tree()).toEqual({ f: 'folder', 'f/x': 'x' })
  })

  it('does not see into a folder that is gone', async () => {
    const { finish, step, at } = lab('p/d/a=a')
    const steps = [step.remove('d/a'), step.mode('d/a', 0)]
    rmSync(at('d'), { recursive: true })
    writeFileSync(at('d'), '')
    expect(await finish(...steps)).toEqual(['d/a'])
  })
})
