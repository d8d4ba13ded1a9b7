import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openAccount } from '../../src/effects/openAccount.ts'
import { openCheckout } from '../../src/effects/openCheckout.ts'
import { type FileStamp, stampAt } from '../../src/effects/watch/surveyFiles.ts'
import { createGitRunner } from '../../src/git/own/ownGit.ts'
import { changesBetween } from '../helpers/effects/playChanges.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const PATH = process.env['PATH'] ?? ''

function project(script: string) {
  const folder = makeFolder()
  const root = join(folder, 'checkout')
  mkdirSync(root)
  const at = (name: string) => join(root, name)
  const sh = (text: string, cwd = root) =>
    execFileSync('bash', ['-ec', text], { cwd, env: { PATH, HOME: folder }, encoding: 'utf8', stdio: 'pipe' })
  sh(`git init -q; echo dist > .gitignore; ${script}`)
  sh('git add -A; git -c user.name=a -c user.email=a@b commit -qm start')
  const open = (name = 'images', runGit = createGitRunner(PATH), roots = [root]) => {
    const account = openAccount({ checkout: openCheckout(roots), top: root, folder: join(folder, name), runGit })
    /** What a call does between the two notes that the account gets of it. */
    const call = async (by: string, names: readonly string[], work: string) => {
      const paths = names.map(at)
      for (const path of paths) await account.before(path)
      sh(work)
      const changed = paths.map((path) => ({ path }))
      await account.after(changed, by)
    }
    return { ...account, call }
  }
  return { folder, root, at, sh, open }
}

it('starts no git where nothing changed, also if a call wrote a file and restored it', async () => {
  const account = project('echo one > a').open('images', () => Promise.reject(new Error('git was started')))
  await account.call('t1', ['a'], 'echo two > a')
  await account.call('t2', ['a'], 'echo one > a')
  expect(await account.report()).toEqual({ patch: '', changes: [], note: 'no file was changed', unaccounted: [] })
})

it('says that it could not compare, where git cannot tell the changes', async () => {
  const account = project('echo one > a').open('images', async () => undefined)
  await account.call('t1', ['a'], 'echo two > a')
  const problem = 'git could not compare the work tree with its start'
  const note = `the patch could not be assembled: ${problem}`
  expect(await account.report()).toEqual({ patch: null, changes: [], note, unaccounted: [], problem })
})

it('tells apart a file changed through another name and one changed by somebody else', async () => {
  const { at, sh, open } = project('echo one > a; ln a b; echo x > c; ln c d')
  const account = open()
  await account.call('t1', ['a'], 'echo two > a.new; mv a.new a')
  sh('rm c; echo by nobody > d')
  const { changes, unaccounted } = await account.report()
  expect(changes.map(({ path }) => path)).toEqual(['a'])
  expect(unaccounted).toEqual([at('c'), at('d')])
  await account.close()
})

it('reports what happened to each file, and which calls did it', async () => {
  const account = project('echo one > a; echo bye > gone').open()
  await account.call('t1', ['a', 'new', 'caf\udce9'], "echo two >> a; echo n > new; echo n > $'caf\\xe9'")
  await account.call('t2', ['a', 'gone'], 'echo three >> a; rm gone')
  await account.call('t3', ['passing'], 'echo x > passing')
  await account.call('t4', ['passing'], 'rm passing')
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
  const account = open()
  const work = `rm -r d; echo was a folder > d; rm y; mkdir y; echo > y/z; chmod 755 s; printf '\\0\\377\\n\\r\\0' > bin
    ln -sfn elsewhere l; echo odd > $'a "b"\\n'; printf '\\r\\n\\r\\nend without a newline' > crlf; : > empty`
  await account.call('t', ['d', 'd/x', 'y', 'y/z', 's', 'bin', 'l', 'a "b"\n', 'crlf', 'empty'], work)
  const { patch, unaccounted } = await account.report()
  expect(unaccounted).toEqual([])
  writeFileSync(join(folder, 'patch'), patch ?? '')
  sh('git apply --binary ../patch', join(folder, 'other'))
  expect(changesBetween(join(folder, 'other'), root).filter(({ path }) => !path.includes('/.git'))).toEqual([])
})

it('reports what came during the run as new, and not at all once it is gone, wherever it is', async () => {
  const { at, sh, open } = project('echo one > a')
  const account = open()
  await account.before(at('a'))
  sh('mkdir .kode-worktrees; cd .kode-worktrees; echo from elsewhere | tee kept > gone')
  const names = ['.kode-worktrees/kept', '.kode-worktrees/gone']
  await account.call('t1', names, 'cd .kode-worktrees; printf changed > kept; rm gone')
  const { changes, patch } = await account.report()
  expect(changes).toMatchObject([{ path: '.kode-worktrees/kept', status: 'added', by: ['t1'] }])
  expect(patch).toContain('+changed')
})

it('runs nothing that a repository configures', async () => {
  const { folder, sh, open } = project('echo "* filter=evil diff=evil text" > .gitattributes; printf "a\\r\\n" > a')
  for (const key of ['filter.evil.clean', 'filter.evil.smudge', 'diff.evil.textconv', 'core.fsmonitor'])
    sh(`git config ${key} "touch ${folder}/ran"`)
  const account = open()
  await account.call('t', ['a'], 'printf "b\\r\\n" > a')
  expect((await account.report()).patch).toContain('+b\r\n')
  expect(() => readFileSync(join(folder, 'ran'))).toThrow(/ENOENT/)
})

it('leaves out what git ignores, and its own files', async () => {
  const { at, open } = project('mkdir wt; echo > wt/a; echo out/ >> .gitignore')
  const account = open()
  const names = ['dist/x', '.git/refs/heads/x', 'wt/.git', 'out']
  await account.call('t', names, `mkdir dist; printf x | tee ${names.join(' ')}`)
  // Only a folder of that name is ignored.
  expect(await account.report()).toMatchObject({ changes: [{ path: 'out', by: ['t'] }], unaccounted: [] })
  expect(account.ignoredFiles()).toEqual([{ path: at('dist/x'), by: ['t'] }])
})

it('counts what calls do in every root, and reports what is below the top', async () => {
  const { root, folder, sh, open } = project('echo one > a')
  const other = join(folder, 'other')
  sh('mkdir ../other; echo one | tee ../other/a > ../other/b')
  const account = open('deep/images', createGitRunner(PATH), [root, other])
  await account.call('t', ['a', '../other/a'], 'echo two | tee a ../other/a ../other/b')
  const { changes, unaccounted, note } = await account.report()
  expect([changes.map(({ path }) => path), unaccounted, note]).toEqual([['a'], [join(other, 'b')], null])
  expect(statSync(join(folder, 'deep/images')).mode & 0o777).toBe(0o700)
  for (let turn = 0; turn < 2; turn++) await account.close()
  expect(existsSync(join(folder, 'deep/images'))).toBe(false)
})

it('takes the old state from where it is kept, if the file has changed already', async () => {
  const { folder, at, sh, open } = project('echo one > a; echo same > b')
  mkdirSync(join(folder, 'images'))
  const account = open()
  await account.report()
  sh('echo kept > ../kept; echo now | tee a b new')
  await account.before(at('a'), join(folder, 'kept'))
  for (const name of ['b', 'new']) await account.before(at(name), undefined)
  const changed = ['a', 'b', 'new'].map((name) => ({ path: at(name) }))
  await account.after(changed, 't')
  const { patch, changes, note } = await account.report()
  expect(patch).toContain('-kept\n+now\n')
  const by = ['t']
  const states = { a: 'modified', b: 'added', new: 'added' }
  expect(changes).toMatchObject(Object.entries(states).map(([path, status]) => ({ path, status, by })))
  expect(note).toBeNull()
  const [again, unsigned] = [open('again'), changes.map(({ by, ...change }) => change)]
  expect([await again.adopt(patch ?? '', changes), (await again.report()).changes]).toEqual([[], changes])
  const nobody = open('nobody')
  await nobody.adopt(patch ?? '', unsigned)
  expect((await nobody.report()).changes).toEqual(changes.map((change) => ({ ...change, by: [] })))
})

it('names the ignored files that calls changed, but no folder and none that is gone again or was made anew', async () => {
  const { at, open } = project('mkdir dist; echo > dist/old')
  const account = open()
  const change = (name: string, kind: 'created' | 'modified' | 'deleted', entry: 'file' | 'folder' = 'file') =>
    ({ path: at(name), kind, entry }) as const
  await account.after([change('dist/new', 'created'), change('dist/d', 'created', 'folder')], 't1')
  await account.ignored([change('dist/new', 'modified'), change('a', 'created'), change('dist/old', 'modified')], 't2')
  await account.after([change('dist/passing', 'created'), change('dist/anew', 'created')], 't3')
  await account.after([change('dist/passing', 'deleted'), change('dist/old', 'deleted')], 't4')
  account.forget([at('dist/anew')])
  expect(account.ignoredFiles()).toEqual([
    { path: at('dist/new'), by: ['t1', 't2'] },
    { path: at('dist/old'), by: ['t2', 't4'] },
  ])
})

it('names of a worktree what git ignores there, though the project ignores all of it', async () => {
  const { at, sh, open } = project('echo one > a; echo .kode-worktrees >> .git/info/exclude')
  const account = open()
  sh('git worktree add -q .kode-worktrees/one')
  const [kept, ignored] = [at('.kode-worktrees/one/a'), at('.kode-worktrees/one/dist/x')]
  await account.after([{ path: kept, kind: 'modified' }], 't1')
  await account.ignored(
    [kept, ignored].map((path) => ({ path, kind: 'created' }) as const),
    't2',
  )
  expect(account.ignoredFiles()).toEqual([{ path: ignored, by: ['t2'] }])
})

it('takes a restored file for one that nobody changed, unless somebody had', async () => {
  const { at, sh, open } = project('echo a > a; echo b > b')
  const stamped = (name: string) => ({ path: at(name), old: stampAt(at(name)) as FileStamp })
  const before = stamped('a')
  const account = open()
  await account.report()
  sh('printf x | tee a b c')
  await account.restored([before, stamped('b'), stamped('c')])
  expect((await account.report()).unaccounted).toEqual([at('b'), at('c')])
})

it('takes a file for restored each time that a program which goes on changes it', async () => {
  const { at, sh, open } = project('echo a > a')
  const old = stampAt(at('a')) as FileStamp
  const account = open()
  await account.report()
  for (const content of ['x', 'y']) {
    sh(`echo ${content} > a; echo a > a.new; mv a.new a`)
    await account.restored([{ path: at('a'), old }])
  }
  expect((await account.report()).unaccounted).toEqual([])
  sh('echo z > a')
  expect((await account.report()).unaccounted).toEqual([at('a')])
})

it('takes no file for changed because calls change what git ignores', async () => {
  const { at, sh, open } = project('mkdir d dist; echo > d/a; echo > dist/o; echo > dist/p')
  sh('echo > notes; echo > other; echo > d/n')
  const account = open()
  await account.report()
  await account.call(
    't1',
    ['.gitignore', 'd/.gitignore'],
    'printf "notes\\nother\\nlog\\n" > .gitignore; echo "*" > d/.gitignore',
  )
  await account.call('t2', ['dist/p', 'log', 'd/new'], 'echo | tee dist/p log d/new; echo by nobody > other')
  const { changes, unaccounted } = await account.report()
  expect(unaccounted).toEqual([at('other')])
  expect(changes.map(({ path }) => path)).toEqual(['.gitignore', 'd/.gitignore', 'dist/p'])
  expect(account.ignoredFiles().map(({ path }) => path)).toEqual(['log', 'd/new'].map(at))
})

it('counts what a command made and let git ignore at once', async () => {
  const { at, sh, open } = project('echo > a')
  const account = open()
  await account.report()
  sh('echo made >> .gitignore; echo > made')
  const changed = ['.gitignore', 'made'].map((name) => ({ path: at(name) }))
  for (const { path } of changed) await account.before(path, undefined)
  await account.after(changed, 't')
  expect((await account.report()).changes.map(({ path }) => path)).toEqual(['.gitignore', 'made'])
  expect(account.ignoredFiles()).toEqual([])
})

it('names changes without a call', async () => {
  const { at, sh, open } = project('echo > a; echo > b; echo > c; echo > dir-file; mkdir d; echo > d/x; echo 1 > e')
  const account = open()
  await account.call('t', ['a', 'b'], 'echo by the call | tee a b')
  sh('echo by another | tee b new; mkdir dist; echo ignored > dist/x; chmod 600 c; rm -r d')
  // The same size, and a time that was set back.
  sh('cp -p e ../old; echo 2 > e; touch -r ../old e')
  const { changes, unaccounted } = await account.report()
  expect(unaccounted).toEqual(['b', 'c', 'd/x', 'e', 'new'].map(at))
  expect(changes.map(({ path }) => path)).toEqual(['a', 'b'])
})

it('says what it could not keep', { tags: 'long' }, async () => {
  const { sh, open } = project('true')
  sh('truncate -s 3G large; cp large more')
  const account = open()
  await account.call('t', ['large', 'more', 'a'], 'printf a | tee large more a')
  const { note, changes } = await account.report()
  expect(note).toMatch(/^not in the patch: large \(.*\), more \(.*\)$/)
  expect(changes.map(({ path }) => path)).toContain('a')
})

it('includes the changes of an earlier run, if the files still have them', async () => {
  const { sh, open } = project('echo one > a; echo > b')
  const first = open()
  await first.call('t1', ['a', 'new'], 'echo two > a; echo n > new')
  const { patch, changes } = await first.report()
  const second = open('again')
  expect(await second.adopt(patch ?? '', changes)).toEqual([])
  await second.call('t2', ['a'], 'echo three > a')
  const report = await second.report()
  expect(report.changes).toEqual([
    { path: 'a', status: 'modified', added: 1, removed: 1, by: ['t1', 't2'] },
    { path: 'new', status: 'added', added: 1, removed: 0, by: ['t1'] },
  ])
  expect(report.patch).toContain('-one\n+three\n')
  sh('echo other > a')
  const third = open('third')
  expect(await third.adopt(patch ?? '', changes)).toEqual(['a'])
  expect((await third.report()).changes.map(({ path }) => path)).toEqual(['new'])
})
