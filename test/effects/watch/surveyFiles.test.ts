import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type SurveyOptions, stampAt, surveyFiles } from '../../../src/effects/watch/surveyFiles.ts'
import { nameFromDisk } from '../../../src/lib/fs/diskPath.ts'
import { type Files, makeFiles } from '../../helpers/effects/makeFiles.ts'
import { filesOf, table } from '../../helpers/table.ts'

const GIT = '.git/HEAD= .git/objects/ab/c= .git/objects/info/alternates= .git/refs/x='

/** Surveys a repository `p`, of which `dist` and `.env` are ignored. Names are relative to it. */
function survey(files: Files, options: (root: string) => Partial<SurveyOptions> = () => ({})) {
  const folder = makeFiles({ 'p/': '', ...files })
  const root = join(folder, 'p')
  const gitDir = join(root, '.git')
  const look = (isWide = true) =>
    surveyFiles({
      roots: [root],
      repositories: [{ top: root, gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' }],
      isScratch: (path) => (/\/(?:dist|\.env)(?:\/|$)/.test(path) ? path : undefined),
      isWide,
      ...options(root),
    })
  const list = async (isWide?: boolean) =>
    [...(await look(isWide)).found.keys()].map((path) => path.slice(root.length + 1))
  return { root, at: (path: string) => join(root, path), look, list, sorted: async () => (await list()).sort() }
}

describe('what is seen of a checkout', () => {
  // Files, what else there is and how it is looked at, and what is listed.
  it.each(table`
    files and links, and nothing of git or of what git ignores | ${GIT} a= d/b= d/l->b dist/x= e/ n/.git/HEAD=
      | narrow fifo=f | a d/b d/l f
    in a wide look, also folders, and the files of git but for the objects that are noted
      | ${GIT} .git/objects/pack/new= .git/objects/info/commit-graph= a= d/b= e/ n/.git/objects/ab/c= | noted=/ab/c
      | .git .git/HEAD .git/objects .git/objects/ab .git/objects/info .git/objects/info/alternates
      | .git/objects/info/commit-graph .git/objects/pack .git/objects/pack/new .git/refs .git/refs/x a d d/b e n n/.git
      | n/.git/objects n/.git/objects/ab n/.git/objects/ab/c
    other folders that are called like the one of objects, whatever is noted there
      | .git/HEAD= .git/objects/a= objects/a= | noted=. | .git .git/HEAD objects objects/a
    in ignored folders, only what is never kept there: repositories, links, devices, ignore files
      | dist/x= dist/l->x dist/d/.gitignore= dist/r/.git/HEAD= | fifo=dist/f
      | dist/d/.gitignore dist/f dist/l dist/r/.git dist/r/.git/HEAD
    also ignored places that are protected, with all that is in them, and files there that a rule forbids
      | .env= dist/held= dist/x= dist/keep/y= | protected=/(\\.env|keep)$ forbidden=/held$ | .env dist/held
    of these, in another look, only the protected ones
      | .env= dist/held= dist/x= dist/keep/y= | protected=/(\\.env|keep)$ forbidden=/held$ narrow | .env
    the files in a worktree of the run, which ignores other files than the checkout does
      | .kode-worktrees/w/a= .kode-worktrees/x= y/a/x= | ignored=/(y|\\.kode-worktrees)/[^/]*$
      | .kode-worktrees .kode-worktrees/w .kode-worktrees/w/a y
    none of the files that the run writes itself | a= records/x= log= logs= | own=records,log | a logs
    nothing behind a link | l->../away ../away/x= | | l
  `)('are %s', async (_, files = '', options = '', ...expected) => {
    const of = (key: string) => new RegExp(`(?:^| )${key}=(\\S*)`).exec(options)?.[1]
    const matching = (key: string) => {
      const pattern = of(key)
      return pattern === undefined ? undefined : (path: string) => new RegExp(pattern).test(path)
    }
    const [isNoted, isProtected, isForbidden] = ['noted', 'protected', 'forbidden'].map(matching)
    const ignored = matching('ignored')
    const { at, list } = survey(
      Object.fromEntries(Object.entries(filesOf(files)).map(([name, content]) => [`p/${name}`, content])),
      (root) => {
        const own = (of('own')?.split(',') ?? []).map((name) => join(root, name))
        const isScratch = ignored && { isScratch: (path: string) => (ignored(path) ? path : undefined) }
        return { isNoted, isProtected, isForbidden, own, ...isScratch }
      },
    )
    const fifo = of('fifo')
    if (fifo !== undefined) execFileSync('mkfifo', [at(fifo)])
    expect((await list(!options.includes('narrow'))).sort().join(' ')).toBe(expected.join(' '))
  })

  it('are folders before what is in them', async () => {
    const found = await survey({ 'p/a/b/c': '', 'p/d/e/f': '' }).list()
    for (const path of ['a/b/c', 'd/e/f', 'a/b'])
      expect(found.indexOf(path.replace(/\/[^/]*$/, ''))).toBeLessThan(found.indexOf(path))
  })

  it('are the files of a git directory under another name, of which nothing is ignored', async () => {
    const files = { 'g/HEAD': '', 'g/dist/x': '', 'g/objects/ab/c': '', 'p/a': '' }
    const elsewhere = (isScratch: SurveyOptions['isScratch']) =>
      survey(files, (root) => {
        const gitDir = join(root, '../g')
        const repositories = [{ top: root, gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' }] as const
        return { roots: [gitDir], repositories, isScratch, isNoted: (path) => path.endsWith('/ab/c') }
      })
    const found = await elsewhere((path) => path).sorted()
    expect(found).toEqual(['HEAD', 'dist', 'dist/x', 'objects', 'objects/ab'])
    expect(await elsewhere(() => undefined).list(false)).toEqual([])
  })

  it('are those of all roots, and of none that is not there', async () => {
    const { sorted } = survey({ 'p/a': '', 'q/b': '' }, (root) => ({
      roots: [root, join(root, '../q'), join(root, 'none')],
    }))
    expect(await sorted()).toEqual([expect.stringMatching(/b$/), 'a'].sort((one) => (one === 'a' ? -1 : 1)))
  })

  it('is never behind a link that is put in the place of a folder meanwhile', async () => {
    const { sorted, at } = survey({ 'p/d/x': '', 'p/d/e/y': '', 'away/x': '', 'away/e/secret': '' }, (root) => ({
      isScratch(path) {
        if (!path.endsWith('/d/x')) return undefined
        renameSync(join(root, 'd'), join(root, 'moved'))
        symlinkSync(join(root, '../away'), join(root, 'd'))
        return undefined
      },
    }))
    expect((await sorted()).filter((path) => path.includes('secret'))).toEqual([])
    expect(lstatSync(at('d')).isSymbolicLink()).toBe(true)
  })

  it('is, of a new folder, also what is ignored in it', async () => {
    const { root, at } = survey({ 'p/old/.env': '', 'p/n/.env': '', 'p/n/dist/x': '', 'p/dist/y': '', 'p/.env': '' })
    const stamps = ['old'].map((name) => [at(name), { stamp: stampAt(at(name)) }] as const)
    const isScratch = (path: string) => (/\/(?:dist|\.env)(?:\/|$)/.test(path) ? path : undefined)
    const known = new Map(stamps) as SurveyOptions['known']
    const { found } = await surveyFiles({ roots: [root], repositories: [], isScratch, isWide: true, known })
    expect([...found.keys()].map((path) => path.slice(root.length + 1)).sort()).toEqual(['n', 'n/.env', 'n/dist'])
  })

  it('are names that are no text, by their bytes', async () => {
    const { at, list } = survey({ 'p/b': '' })
    writeFileSync(Buffer.concat([Buffer.from(at('a')), Buffer.from([0xff])]), '')
    expect(new Set(await list())).toEqual(new Set(['b', nameFromDisk(Buffer.from([0x61, 0xff]))]))
  })

  it('is not endless in a very large ignored folder', { tags: 'night' }, async () => {
    const { at, list } = survey({ 'p/dist/': '' })
    for (let folder = 0; folder < 101; folder++) {
      mkdirSync(at(`dist/${folder}`))
      for (let file = 0; file < 1000; file++) writeFileSync(at(`dist/${folder}/${file}`), '')
    }
    writeFileSync(at('a'), '')
    expect(await list()).toEqual(['a'])
  })
})

describe('a folder that was locked', () => {
  it('is opened where it may be, with a stamp of what it is then', async () => {
    const mayOpen = (path: string) => path.endsWith('/d')
    const { at, sorted, look } = survey({ 'p/d/a': '', 'p/e/a': '' }, () => ({ mayOpen }))
    for (const name of ['d', 'e']) chmodSync(at(name), 0o1000)
    const { found } = await look()
    const isRoot = process.getuid?.() === 0
    // Root can look into every folder, so that none is opened.
    expect(lstatSync(at('d')).mode & 0o7777).toBe(isRoot ? 0o1000 : 0o1700)
    expect(lstatSync(at('e')).mode & 0o7777).toBe(0o1000)
    expect(stampAt(at('d'), found.get(at('d')))).toBe(found.get(at('d')))
    expect(await sorted()).toEqual(isRoot ? ['d', 'd/a', 'e', 'e/a'] : ['d', 'd/a', 'e'])
  })
})

describe('the stamp of a file', () => {
  it.each([
    ['is written', 'printf b > a'],
    ['gets another size', 'printf longer > a'],
    ['gets another mode', 'chmod 600 a'],
    ['gets another time', 'touch -d @1 a'],
    ['gets another name', 'ln a link'],
    ['is another file with the same content and time', 'printf a > new; touch -d @5 new; mv new a'],
  ])('is another one if it %s', (_, change) => {
    const folder = makeFiles({ a: 'a' })
    const file = join(folder, 'a')
    utimesSync(file, 5, 5)
    const before = stampAt(file)
    expect(stampAt(file, before)).toBe(before)
    execFileSync('sh', ['-ec', change], { cwd: folder })
    expect(stampAt(file, before)).not.toBe(before)
  })

  it('is there for a link itself, and for nothing that is not there', () => {
    const folder = makeFiles({ l: '-> none' })
    expect(stampAt(join(folder, 'l'))?.kind).toBe('link')
    expect(stampAt(join(folder, 'none'))).toBeUndefined()
    expect(stampAt(join(folder, 'l/x'))).toBeUndefined()
  })

  it('is, for a folder, the same whatever is in it, and another one with another mode', () => {
    const folder = makeFiles({ 'd/a': '' })
    const at = join(folder, 'd')
    const before = stampAt(at)
    writeFileSync(join(at, 'b'), '')
    expect(stampAt(at, before)).toBe(before)
    chmodSync(at, 0o700)
    expect(stampAt(at, before)).not.toBe(before)
  })
})
