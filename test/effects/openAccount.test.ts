import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Account, openAccount } from '../../src/effects/openAccount.ts'
import { openCheckout } from '../../src/effects/openCheckout.ts'
import { type FileStamp, stampAt } from '../../src/effects/watch/surveyFiles.ts'
import { createGitRunner } from '../../src/git/own/ownGit.ts'
import { diskPath } from '../../src/lib/fs/diskPath.ts'
import { changesBetween } from '../helpers/effects/playChanges.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const PATH = process.env['PATH'] ?? ''

function project(script: string) {
  const folder = makeFolder()
  const root = join(folder, 'checkout')
  mkdirSync(root)
  const sh = (text: string, cwd = root) =>
    execFileSync('bash', ['-ec', text], { cwd, env: { PATH, HOME: folder }, encoding: 'utf8', stdio: 'pipe' })
  sh(`git init -q; echo dist > .gitignore; ${script}`)
  sh('git add -A; git -c user.name=a -c user.email=a@b commit -qm start')
  const open = (name = 'images', runGit = createGitRunner(PATH), roots = [root]) =>
    openAccount({ checkout: openCheckout(roots), top: root, folder: join(folder, name), runGit })
  return { folder, root, sh, open }
}

/** What a call does between the two notes that the account gets of it. */
async function call(account: Account, by: string, paths: readonly string[], work: () => void): Promise<void> {
  for (const path of paths) await account.before(path)
  work()
  await account.after(
    paths.map((path) => ({ path })),
    by,
  )
}

it('starts no git where nothing changed, also if a call wrote a file and restored it', async () => {
  const { root, open } = project('echo one > a')
  const account = open('images', () => Promise.reject(new Error('git was started')))
  await call(account, 't1', [join(root, 'a')], () => writeFileSync(join(root, 'a'), 'two\n'))
  await call(account, 't2', [join(root, 'a')], () => writeFileSync(join(root, 'a'), 'one\n'))
  expect(await account.report()).toEqual({ patch: '', changes: [], note: 'no file was changed', unaccounted: [] })
})

it('says that it could not compare, where git cannot tell the changes', async () => {
  const { root, open } = project('echo one > a')
  const account = open('images', async () => undefined)
  await call(account, 't1', [join(root, 'a')], () => writeFileSync(join(root, 'a'), 'two\n'))
  const problem = 'git could not compare the work tree with its start'
  const note = `the patch could not be assembled: ${problem}`
  expect(await account.report()).toEqual({ patch: null, changes: [], note, unaccounted: [], problem })
})

it('tells apart a file changed through another name and one changed by somebody else', async () => {
  const { root, open } = project('echo one > a; ln a b; echo x > c; ln c d')
  const at = (name: string) => join(root, name)
  const account = open()
  await call(account, 't1', [at('a')], () => {
    writeFileSync(at('a.new'), 'two\n')
    renameSync(at('a.new'), at('a'))
  })
  unlinkSync(at('c'))
  writeFileSync(at('d'), 'by nobody\n')
  const { changes, unaccounted } = await account.report()
  expect(changes.map(({ path }) => path)).toEqual(['a'])
  expect(unaccounted).toEqual([at('c'), at('d')])
  await account.close()
})

it('reports what happened to each file, and which calls did it', async () => {
  const { root, open } = project('echo one > a; echo bye > gone')
  const at = (name: string) => join(root, name)
  const account = open()
  await call(account, 't1', [at('a'), at('new'), at('caf\udce9')], () => {
    writeFileSync(at('a'), 'one\ntwo\n')
    for (const name of ['new', 'caf\udce9']) writeFileSync(diskPath(at(name)), 'n\n')
  })
  await call(account, 't2', [at('a'), at('gone')], () => {
    writeFileSync(at('a'), 'one\ntwo\nthree\n')
    unlinkSync(at('gone'))
  })
  await call(account, 't3', [at('passing')], () => writeFileSync(at('passing'), 'x'))
  await call(account, 't4', [at('passing')], () => unlinkSync(at('passing')))
  const { changes, unaccounted, note } = await account.report()
  expect(changes).toEqual([
    { path: 'a', status: 'modified', added: 2, removed: 0, by: ['t1', 't2'] },
    { path: 'caf\\xe9', status: 'added', added: 1, removed: 0, by: ['t1'] },
    { path: 'gone', status: 'deleted', added: 0, removed: 1, by: ['t2'] },
    { path: 'new', status: 'added', added: 1, removed: 0, by: ['t1'] },
  ])
  expect([unaccounted, note]).toEqual([[], null])
  await account.close()
})

it('writes a patch that git applies: binaries, modes, links, names, a file replacing a folder and the reverse', async () => {
  const { root, folder, sh, open } = project(
    'mkdir d; echo x > d/x; echo y > y; echo s > s; printf "\\r\\n" > crlf; ln -s a l',
  )
  sh(`git clone -q . ../other`)
  const at = (name: string) => join(root, name)
  const account = open()
  const paths = ['d', 'd/x', 'y', 'y/z', 's', 'bin', 'l', 'a "b"\n', 'crlf', 'empty'].map(at)
  await call(account, 't', paths, () => {
    sh('rm -r d; echo was a folder > d; rm y; mkdir y; echo > y/z')
    chmodSync(at('s'), 0o755)
    writeFileSync(at('bin'), Buffer.from([0, 255, 10, 13, 0]))
    unlinkSync(at('l'))
    symlinkSync('elsewhere', at('l'))
    writeFileSync(at('a "b"\n'), 'odd\n')
    writeFileSync(at('crlf'), '\r\n\r\nend without a newline')
    writeFileSync(at('empty'), '')
  })
  const { patch, unaccounted } = await account.report()
  expect(unaccounted).toEqual([])
  writeFileSync(join(folder, 'patch'), patch ?? '')
  sh('git apply --binary ../patch', join(folder, 'other'))
  expect(changesBetween(join(folder, 'other'), root).filter(({ path }) => !path.includes('/.git'))).toEqual([])
})

it('reports what came during the run as new, and not at all once it is gone, wherever it is', async () => {
  const { root, open } = project('echo one > a')
  const at = (name: string) => join(root, '.kode-worktrees', name)
  const account = open()
  await account.before(join(root, 'a'))
  mkdirSync(at(''))
  for (const name of ['kept', 'gone']) writeFileSync(at(name), 'from elsewhere\n')
  await call(account, 't1', [at('kept'), at('gone')], () => {
    writeFileSync(at('kept'), 'changed\n')
    unlinkSync(at('gone'))
  })
  const { changes, patch } = await account.report()
  expect(changes).toMatchObject([{ path: '.kode-worktrees/kept', status: 'added', by: ['t1'] }])
  expect(patch).toContain('+changed')
})

it('runs nothing that a repository configures', async () => {
  const { root, folder, sh, open } = project(
    'echo "* filter=evil diff=evil text" > .gitattributes; printf "a\\r\\n" > a',
  )
  for (const key of ['filter.evil.clean', 'filter.evil.smudge', 'diff.evil.textconv', 'core.fsmonitor'])
    sh(`git config ${key} "touch ${folder}/ran"`)
  const account = open()
  await call(account, 't', [join(root, 'a')], () => writeFileSync(join(root, 'a'), 'b\r\n'))
  expect((await account.report()).patch).toContain('+b\r\n')
  expect(() => readFileSync(join(folder, 'ran'))).toThrow(/ENOENT/)
})

it('leaves out what git ignores, and its own files', async () => {
  const { root, open } = project('mkdir wt; echo > wt/a; echo out/ >> .gitignore')
  const account = open()
  const paths = ['dist/x', '.git/refs/heads/x', 'wt/.git', 'out'].map((name) => join(root, name))
  await call(account, 't', paths, () => {
    mkdirSync(join(root, 'dist'))
    for (const path of paths) writeFileSync(path, 'x')
  })
  // Only a folder of that name is ignored.
  expect(await account.report()).toMatchObject({ changes: [{ path: 'out', by: ['t'] }], unaccounted: [] })
  expect(account.ignoredFiles()).toEqual([{ path: join(root, 'dist/x'), by: ['t'] }])
})

it('counts what calls do in every root, and reports what is below the top', async () => {
  const { root, folder, open } = project('echo one > a')
  const other = join(folder, 'other')
  mkdirSync(other)
  for (const name of ['a', 'b']) writeFileSync(join(other, name), 'one\n')
  const account = open('deep/images', createGitRunner(PATH), [root, other])
  const paths = [join(root, 'a'), join(other, 'a')]
  await call(account, 't', paths, () => {
    for (const path of [...paths, join(other, 'b')]) writeFileSync(path, 'two\n')
  })
  const { changes, unaccounted, note } = await account.report()
  expect([changes.map(({ path }) => path), unaccounted, note]).toEqual([['a'], [join(other, 'b')], null])
  expect(statSync(join(folder, 'deep/images')).mode & 0o777).toBe(0o700)
  for (let turn = 0; turn < 2; turn++) await account.close()
  expect(existsSync(join(folder, 'deep/images'))).toBe(false)
})

it('takes the old state from where it is kept, if the file has changed already', async () => {
  const { root, folder, open } = project('echo one > a; echo same > b')
  const at = (name: string) => join(root, name)
  mkdirSync(join(folder, 'images'))
  const account = open()
  await account.report()
  writeFileSync(join(folder, 'kept'), 'kept\n')
  for (const name of ['a', 'b', 'new']) writeFileSync(at(name), 'now\n')
  await account.before(at('a'), join(folder, 'kept'))
  for (const name of ['b', 'new']) await account.before(at(name), undefined)
  await account.after(
    ['a', 'b', 'new'].map((name) => ({ path: at(name) })),
    't',
  )
  const { patch, changes, note } = await account.report()
  expect(patch).toContain('-kept\n+now\n')
  expect([changes.map(({ path, status, by }) => [path, status, by]), note]).toEqual([
    [
      ['a', 'modified', ['t']],
      ['b', 'added', ['t']],
      ['new', 'added', ['t']],
    ],
    null,
  ])
  const [again, unsigned] = [open('again'), changes.map(({ by, ...change }) => change)]
  expect([await again.adopt(patch ?? '', changes), (await again.report()).changes]).toEqual([true, changes])
  const nobody = open('nobody')
  await nobody.adopt(patch ?? '', unsigned)
  expect((await nobody.report()).changes).toEqual(changes.map((change) => ({ ...change, by: [] })))
})

it('names the ignored files that calls changed, but no folder and none that is gone again or was made anew', async () => {
  const { root, open } = project('mkdir dist; echo > dist/old')
  const account = open()
  const change = (name: string, kind: 'created' | 'modified' | 'deleted', entry: 'file' | 'folder' = 'file') =>
    ({ path: join(root, name), kind, entry }) as const
  await account.after([change('dist/new', 'created'), change('dist/d', 'created', 'folder')], 't1')
  await account.ignored([change('dist/new', 'modified'), change('a', 'created'), change('dist/old', 'modified')], 't2')
  await account.after([change('dist/passing', 'created'), change('dist/anew', 'created')], 't3')
  await account.after([change('dist/passing', 'deleted'), change('dist/old', 'deleted')], 't4')
  account.forget([join(root, 'dist/anew')])
  expect(account.ignoredFiles()).toEqual([
    { path: join(root, 'dist/new'), by: ['t1', 't2'] },
    { path: join(root, 'dist/old'), by: ['t2', 't4'] },
  ])
})

it('takes a restored file for one that nobody changed, unless somebody had', async () => {
  const { root, open } = project('echo a > a; echo b > b')
  const [a, b] = [join(root, 'a'), join(root, 'b')]
  const stamped = (path: string) => ({ path, old: stampAt(path) as FileStamp })
  const before = stamped(a)
  const account = open()
  await account.report()
  const c = join(root, 'c')
  for (const path of [a, b, c]) writeFileSync(path, 'x')
  await account.restored([before, stamped(b), stamped(c)])
  expect((await account.report()).unaccounted).toEqual([b, c])
})

it('names changes without a call', async () => {
  const { root, sh, open } = project('echo > a; echo > b; echo > c; echo > dir-file; mkdir d; echo > d/x; echo 1 > e')
  const at = (name: string) => join(root, name)
  const account = open()
  await call(account, 't', [at('a'), at('b')], () => {
    writeFileSync(at('a'), 'by the call\n')
    writeFileSync(at('b'), 'by the call\n')
  })
  writeFileSync(at('b'), 'by another\n')
  writeFileSync(at('new'), 'by another\n')
  mkdirSync(at('dist'))
  writeFileSync(at('dist/x'), 'ignored\n')
  chmodSync(at('c'), 0o600)
  rmSync(at('d'), { recursive: true })
  // The same size, and a time that was set back.
  sh('cp -p e ../old; echo 2 > e; touch -r ../old e')
  const { changes, unaccounted } = await account.report()
  expect(unaccounted).toEqual([at('b'), at('c'), at('d/x'), at('e'), at('new')])
  expect(changes.map(({ path }) => path)).toEqual(['a', 'b'])
})

it('says what it could not keep', { tags: 'long' }, async () => {
  const { root, sh, open } = project('true')
  const account = open()
  sh('dd if=/dev/zero of=large bs=1 count=0 seek=3221225472 2>/dev/null')
  sh('cp large more')
  const paths = ['large', 'more', 'a'].map((name) => join(root, name))
  await call(account, 't', paths, () => {
    for (const path of paths) writeFileSync(path, 'a')
  })
  const { note, changes } = await account.report()
  expect(note).toMatch(/^not in the patch: large \(.*\), more \(.*\)$/)
  expect(changes.map(({ path }) => path)).toContain('a')
})

it('includes the changes of an earlier run, if the files still have them', async () => {
  const { root, open } = project('echo one > a; echo > b')
  const at = (name: string) => join(root, name)
  const first = open()
  await call(first, 't1', [at('a'), at('new')], () => {
    writeFileSync(at('a'), 'two\n')
    writeFileSync(at('new'), 'n\n')
  })
  const { patch, changes } = await first.report()
  const second = open('again')
  expect(await second.adopt(patch ?? '', changes)).toBe(true)
  await call(second, 't2', [at('a')], () => writeFileSync(at('a'), 'three\n'))
  expect((await second.report()).changes).toEqual([
    { path: 'a', status: 'modified', added: 1, removed: 1, by: ['t1', 't2'] },
    { path: 'new', status: 'added', added: 1, removed: 0, by: ['t1'] },
  ])
  expect((await second.report()).patch).toContain('-one\n+three\n')
  writeFileSync(at('a'), 'other\n')
  expect(await open('third').adopt(patch ?? '', changes)).toBe(false)
})
