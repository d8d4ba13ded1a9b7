import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isWithin } from '../../../src/lib/fs/isWithin.ts'
import { hasAdminCapability } from '../../../src/sandbox/bubblewrapArguments.ts'
import type { Box } from '../../../src/sandbox/createBox.ts'
import type { ViewFolders } from '../../../src/sandbox/views/checkoutMode.ts'
import { closeViews, openViews, VIEW_PREFIX } from '../../../src/sandbox/views/openViews.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

type Options = Parameters<typeof openViews>[0]
/** What a view does with these paths of the checkout; the script that it ends with. */
type Play = (paths: readonly string[], view: ViewFolders) => string

const WAYS = hasAdminCapability() ? ['root'] : ['user', 'bwrap']
/** Lists every entry that it is asked for; see `openTar`. */
const TAR = `#!${process.execPath}
process.stdin.on('data', () => ['entry', '.', '.'].forEach((name) => process.stdout.write(name.padEnd(512, '\\0'))))`

/** As an overlay does. */
const copyUp: Play = (paths, { layers }) => {
  for (const path of paths) {
    const layer = layers.find(({ lower }) => isWithin(path, lower))
    const target = join(layer?.upper ?? '', relative(layer?.lower ?? '', path))
    mkdirSync(path.endsWith('/') ? target : dirname(target), { recursive: true })
    writeFileSync(path.endsWith('/') ? join(target, '.kode-run-probe') : target, '')
  }
  return 'exit 0'
}

/** Finds views with programs and a box of the test's own, so that every outcome is possible on every machine. */
function lab(files: Readonly<Record<string, string>> = { 'p/a': '' }) {
  const top = makeFiles({ 'state/': '', 'scratch/': '', 'bin/': '', ...files })
  const at = (name: string) => join(top, name)
  for (const name of ['unshare', 'mount', 'sh', 'tar'])
    writeFileSync(at(`bin/${name}`), name === 'tar' ? TAR : '', { mode: 0o755 })
  const tried: { way: string | undefined; paths: readonly string[]; place: string }[] = []
  const look = (play: Play, change: Partial<Options> & { roots?: string[]; covered?: string[] } = {}) => {
    const { roots = [at('p')], covered = [], ...more } = change
    const invoke: Box['invoke'] = ({ args }, _cwd, { view }, checkout) => {
      const paths = args.slice(3)
      tried.push({ way: view?.way, paths: paths.map((path) => path.slice(top.length + 1)), place: view?.folder ?? '' })
      if (checkout.kind !== 'view') throw new Error('no view')
      return { file: '/bin/sh', args: ['-c', play(paths, checkout)], written: [], ended: () => Promise.resolve() }
    }
    const box = { roots, covered, scratch: at('scratch'), invoke } as unknown as Box
    const terms = { box, bwrap: at('bin/bwrap'), starts: () => Promise.resolve(true), path: at('bin') }
    return openViews({ ...terms, network: { prefix: [], isOffline: false }, candidates: [at('state')], ...more })
  }
  const left = () => ['.', 'state', 'scratch'].flatMap((name) => readdirSync(at(name)).filter(isView))
  return { at, look, tried, left }
}

const isView = (name: string) => name.startsWith(VIEW_PREFIX)

describe('a view that does not work is none, and the words say why', () => {
  const fails = (words: string) => () => `echo "${words}" >&2; exit 1`
  it.each<[string, Play, RegExp]>([
    ['an owner is not mapped', fails('a: Value too large'), /^files of the checkout .*\(a: Value too large\): give/],
    ['it is not mounted', fails('mount: denied'), /^no view of the checkout can be mounted: mount: denied$/],
    ['it ends without a word', () => 'exit 3', /can be mounted: Command failed/],
    ['writes go elsewhere', () => 'exit 0', /: what a command writes does not appear in its view$/],
    ['folders are the checkout’s own', (paths, view) => copyUp([paths[0] ?? ''], view), /does not appear in its view$/],
    ['it cannot be started', () => expect.fail('EAGAIN'), /can be mounted: EAGAIN$/],
  ])('%s', async (_, play, detail) => {
    const { look, tried, left } = lab()
    const views = await look(play)
    expect(views).toEqual({ state: 'watched', detail: expect.stringMatching(detail) })
    expect(tried.map(({ way }) => way)).toEqual([...WAYS, ...WAYS, ...WAYS])
    expect(left()).toEqual([])
  })

  it.each(['unshare', 'mount', 'sh', 'tar'])('%s is missing', async (name) => {
    const { at, look, tried } = lab()
    rmSync(at(`bin/${name}`))
    const detail = `${name} is missing: install the packages util-linux and tar`
    expect(await look(copyUp)).toEqual({ state: 'watched', detail })
    expect(tried).toEqual([])
  })

  it('tar lists no attributes, so that a folder made anew would look unchanged', async () => {
    const { at, look } = lab()
    writeFileSync(at('bin/tar'), '#!/bin/sh\nexit 2')
    expect((await look(copyUp)).detail).toContain(`${at('bin/tar')} does not list extended attributes, as GNU tar does`)
  })

  it('the first problem counts, and nothing else is tried where no sandbox starts', async () => {
    const { look, tried } = lab()
    const { detail } = await look(() => `echo problem ${tried.length} >&2; exit 1`)
    expect(detail).toMatch(/problem 1$/)
    tried.length = 0
    await look(() => 'exit 1', { starts: () => Promise.resolve(false) })
    expect(tried).toHaveLength(1)
  })

  it.skipIf(hasAdminCapability())('a path of another owner, for an ordinary user (not as root)', async () => {
    const { look, tried } = lab()
    expect((await look(copyUp, { foreign: 'a of 7:7' })).detail).toContain('(a of 7:7)')
    expect(tried).toEqual([])
  })
})

describe('where views are', () => {
  it.each<[string, { roots?: string[]; candidates: string[] }, string]>([
    ['the best candidate', { candidates: ['state', 'scratch'] }, 'state'],
    ['the next where one is missing', { candidates: ['none', 'state'] }, 'state'],
    ['beside the checkout', { candidates: [] }, '.'],
    ['never in it', { candidates: ['p', 'p/in'] }, '.'],
    ['nor in the work tree around it', { roots: ['p/in', 'p/.git'], candidates: ['p/out', 'p'] }, '.'],
    ['beside the first of several', { roots: ['p/in', 'q'], candidates: [] }, 'p'],
    ['nor in another folder that commands write', { roots: ['p', 'state'], candidates: ['state'] }, '.'],
  ])('%s', async (_, { roots = ['p'], candidates }, wanted) => {
    const { at, look, left } = lab({ 'p/in/a': '', 'p/out/': '', 'p/.git/HEAD': '', 'q/': '' })
    const views = await look(copyUp, { roots: roots.map(at), candidates: candidates.map(at) })
    expect(views.state).toBe('enforced')
    expect(dirname(views.folder ?? '')).toBe(at(wanted))
    expect(readdirSync(views.folder ?? '')).toEqual(['.owner'])
    await closeViews(views)
    expect(left()).toEqual([])
  })

  it('in the run’s own folder, where no other works', async () => {
    const { at, look } = lab()
    const views = await look((paths, view) => (view.folder.startsWith(at('scratch')) ? copyUp(paths, view) : 'exit 1'))
    expect([views.state, dirname(views.folder ?? '')]).toEqual(['enforced', at('scratch')])
    await closeViews(views)
  })

  it('nowhere if no folder can be made', async () => {
    const { at, look } = lab()
    rmSync(at('scratch'), { recursive: true })
    const roots = [at('none/p')]
    expect((await look(copyUp, { roots, candidates: [] })).detail).toMatch(/: no folder is available for them$/)
  })
})

describe('what must be copied up', () => {
  const FILES = { 'p/a': '', 'p/b': '', 'p/c': '', 'p/d/e': '', 'p/.git/HEAD': '' }

  it('is a file and a folder, but no link and nothing that is hidden', async () => {
    const { at, look, tried } = lab(FILES)
    symlinkSync('a', at('p/_'))
    await closeViews(await look(copyUp, { covered: ['p/a', 'p/b', 'p/c'].map(at) }))
    expect(tried[0]?.paths).toEqual(['p/', 'p/.git/HEAD'])
  })

  it.skipIf(process.getuid?.() === 0)('is nothing that this user may not write (not as root)', async () => {
    const { at, look, tried } = lab()
    chmodSync(at('p/a'), 0o444)
    await closeViews(await look(copyUp))
    expect(tried[0]?.paths).toEqual(['p/'])
  })

  it.skipIf(process.getuid?.() !== 0)('is one of each owner and group', async () => {
    const { at, look, tried } = lab(FILES)
    chownSync(at('p/b'), 1234, 0)
    chownSync(at('p/c'), 0, 1234)
    chownSync(at('p/d'), 1234, 1234)
    await closeViews(await look(copyUp))
    expect([...(tried[0]?.paths ?? [])].sort()).toEqual(['p/', 'p/a', 'p/b', 'p/c', 'p/d/'])
  })
})

describe('what an earlier run found', () => {
  const memory = (known: boolean) => {
    const calls: unknown[] = []
    const note = (name: string) => (kind?: unknown) => void calls.push(kind === undefined ? name : [name, kind])
    const asked: unknown[] = []
    const memoryFor = (programs: unknown) => {
      asked.push(programs)
      return { has: () => known, add: note('add'), forget: note('forget') }
    }
    return { calls, memoryFor, asked }
  }

  it('is not tested again; the first command confirms it, and a failure forgets it', async () => {
    const [{ look, tried }, { calls, memoryFor }] = [lab(), memory(true)]
    const [good, bad] = [await look(copyUp, { memoryFor }), await look(copyUp, { memoryFor })]
    expect(good.detail).toBe(`overlay (${WAYS[0]}, tested in an earlier run)`)
    expect([tried, calls]).toEqual([[], []])
    expect([good.confirm?.(), good.confirm?.('gone'), calls]).toEqual([undefined, undefined, ['forget']])
    expect([bad.confirm?.('gone'), bad.confirm?.('gone')]).toEqual(['gone', undefined])
    for (const views of [good, bad]) await closeViews(views)
  })

  it('is what this run has tested, in this network and with these programs', async () => {
    const [{ at, look }, { calls, memoryFor, asked }] = [lab(), memory(false)]
    const views = await look(copyUp, { memoryFor })
    expect(views.detail).toBe(`overlay (${WAYS[0]})`)
    expect(calls).toEqual([['add', [WAYS[0], at('state'), false, 0]]])
    expect(asked).toEqual([['bwrap', 'unshare', 'mount', 'sh', 'tar'].map((name) => at(`bin/${name}`))])
    expect([views.confirm?.('lost'), calls.at(-1)]).toEqual([undefined, 'forget'])
    await closeViews(views)
    expect(existsSync(views.folder ?? '')).toBe(false)
  })

  it('is not what failed', async () => {
    const [{ look }, { calls, memoryFor }] = [lab(), memory(false)]
    await look(() => 'exit 1', { memoryFor })
    expect(calls).toEqual([])
  })
})
