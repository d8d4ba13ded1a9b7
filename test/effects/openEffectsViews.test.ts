import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll } from '../helpers/git.ts'
import { treeOf } from '../helpers/runs/treeOf.ts'
import { sampled } from '../helpers/sampled.ts'
import { base, isReady, makeCheckout, missing, NONE, namesOf, open, useCheckouts } from './checkoutEffects.ts'

useCheckouts()

describe.skipIf(!isReady)(`what a command works on${missing}`, () => {
  it('is read-only for a command that only reads', async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    const { exitCode, stderr, effects } = await run('echo new > src/a', { access: 'read' })
    expect(exitCode).toBe(1)
    expect(stderr.text).toContain('Read-only file system')
    expect(effects).toBeUndefined()
  })

  it('shows git the repository that it is a part of, across the borders of mounts', { tags: 'long' }, async () => {
    const root = makeCheckout()
    execFileSync('git', ['init', '-q', root])
    const { run } = await open({ roots: [join(root, 'src')], verdict: () => ({ kind: 'covered' }) })
    for (const access of ['read', 'write'] as const)
      expect((await run('git rev-parse --show-toplevel', { access })).stdout.text).toBe(`${root}\n`)
    const { report } = await run('git add a', { mayChangeGit: true })
    expect(namesOf(root, report).kept).toContain('created .git/index')
    expect(existsSync(join(root, '.git/index'))).toBe(true)
  })

  it('lets readers run beside a writer, but only one writer at a time', { tags: 'long' }, async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const writers = [run('sleep 0.5; echo 1 >> src/a').then(note('first')), run('echo 2 >> src/a').then(note('second'))]
    await run('cat src/a', { access: 'read' }).then(note('reader'))
    await Promise.all(writers)
    expect(order).toEqual(['reader', 'first', 'second'])
    expect(readFileSync(join(root, 'src/a'), 'utf8')).toBe('src/a\n1\n2\n')
  })

  it('has the checkout’s own folders where sandbox.writable names them, or a background command writes', async () => {
    const root = makeCheckout()
    const [target, cache] = [join(root, 'target'), join(root, 'docs/sub')]
    const { run } = await open({ roots: [root], writable: [target], directFolders: () => [cache] })
    const { report } = await run('echo 1 > target/1; echo 1 > docs/sub/1')
    expect(namesOf(root, report)).toEqual(NONE)
    expect(existsSync(join(target, '1')) && existsSync(join(cache, '1'))).toBe(true)
  })

  it.each(sampled(['a b', 'a,b', 'a:b', 'a\\b', 'a\nb', 'a\'b"$c', 'ä', '-a', 'lowerdir=x,upperdir=y'], 2))(
    'is a view for a checkout that is called %j',
    async (name) => {
      const root = makeCheckout(name)
      const { run } = await open({ roots: [root] })
      const { report, stderr } = await run('echo new > src/a; rm -r docs; mkdir docs')
      expect(stderr.text).toBe('')
      expect(namesOf(root, report).undone).toHaveLength(4)
      expect(namesOf(root, (await run('rm -r src; mkdir src; echo new > src/b')).report).kept).toHaveLength(2)
      expect(readdirSync(join(root, 'src'))).toEqual(['b'])
    },
  )

  it('does not copy a large pack whose times git sets', { tags: 'long' }, async () => {
    const root = makeCheckout()
    const packs = join(root, '.git/objects/pack')
    mkdirSync(packs, { recursive: true })
    execFileSync('sh', ['-ec', 'truncate -s 64M pack-large.pack; truncate -s 1M pack-small.pack'], { cwd: packs })
    const { run } = await open({ roots: [root] })
    const touch = (name: string) => run(`touch .git/objects/pack/pack-${name}.pack`)
    expect((await touch('large')).stderr.text).toContain('Read-only file system')
    expect((await touch('small')).exitCode).toBe(0)
  })

  it('has a view of a git directory outside the checkout too', { tags: 'long' }, async () => {
    const main = makeCheckout('main')
    const root = join(dirname(main), 'worktree')
    const by = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
    const git = commitAll(main)
    git('worktree', 'add', '-q', '-b', 'side', root)
    const { run } = await open({ roots: [root], verdict: () => ({ kind: 'covered' }) })
    const commit = `echo new > src/a && git ${by.join(' ')} commit -qam one && git log --oneline | wc -l`
    const { report, stdout, stderr } = await run(commit)
    expect({ stdout: stdout.text, stderr: stderr.text }).toEqual({ stdout: '2\n', stderr: '' })
    expect(report.kept.map(({ path }) => path)).toContain(join(main, '.git/refs/heads/side'))
    expect(git('log', '--oneline', 'side').split('\n')).toHaveLength(2)
    expect(git('fsck')).toBe('')
    const refused = await open({ roots: [root] })
    expect((await refused.run(commit.replace('new', 'newer'))).report.undone).not.toEqual([])
    expect(git('log', '--oneline', 'side').split('\n')).toHaveLength(2)
  })

  it('copies if the view is on another file system', async () => {
    if (!existsSync('/dev/shm') || lstatSync('/dev/shm').dev === lstatSync(base).dev) return
    const root = makeCheckout()
    chmodSync(dirname(root), 0o500)
    const { run, sandbox } = await open({ roots: [root], views: ['/dev/shm'] })
    if (process.getuid?.() !== 0) expect(sandbox.views.folder).toMatch(/^\/dev\/shm/)
    const script = 'echo new > src/a; rm src/b; mkdir -p src/n/m; echo 1 > src/n/m/1; ln -s m src/n/l; rm -r dist'
    const { report } = await run(script)
    chmodSync(dirname(root), 0o700)
    expect(report.unknown).toBeUndefined()
    const tree = { a: 'new\n', n: 'folder', 'n/l': '-> m', 'n/m': 'folder', 'n/m/1': '1\n' }
    expect(treeOf(join(root, 'src'))).toEqual(tree)
    expect(existsSync(join(root, 'dist'))).toBe(false)
  })

  it('creates no folder in the work tree of an enclosing repository', async () => {
    const top = makeCheckout('monorepo')
    execFileSync('git', ['init', '-q', top])
    const root = join(top, 'src')
    const { sandbox, run } = await open({ roots: [root], verdict: () => ({ kind: 'covered' }) })
    expect(sandbox.roots).toEqual([root, join(top, '.git')])
    expect(sandbox.views.folder?.startsWith(`${top}/`)).toBe(false)
    const { report } = await run('echo new > a; echo new > ../docs/x')
    expect(report.kept.map(({ path }) => path)).toEqual([join(root, 'a')])
  })

  it('leaves nothing behind, and hides the folder of views', async () => {
    const root = makeCheckout()
    const one = await open({ roots: [root] })
    const outside = join(dirname(root), 'outside')
    mkdirSync(outside, { mode: 0o500 })
    await one.run(`echo new > src/a; rm -r docs; mkdir -m 0 src/n; ln -s '${outside}' src/l`)
    const { stdout } = await one.run(`ls -A '${one.sandbox.views.folder}'`, { access: 'read' })
    expect(stdout.text).toBe('')
    await one.close()
    expect(readdirSync(dirname(root))).toEqual(['checkout', 'outside'])
    expect(lstatSync(outside).mode & 0o777).toBe(0o500)
  })

  it('follows no link that was created while the command ran', async () => {
    const root = makeCheckout()
    const outside = join(dirname(root), 'outside')
    mkdirSync(outside)
    const { run } = await open({
      roots: [root],
      verdict: () => {
        rmSync(join(root, 'docs'), { recursive: true, force: true })
        if (!existsSync(join(root, 'docs'))) symlinkSync(outside, join(root, 'docs'))
        return { kind: 'covered' }
      },
    })
    const { report } = await run('echo new > docs/new; echo new > docs/x')
    expect(readdirSync(outside)).toEqual([])
    expect(report.undone.length + Number(report.unknown !== undefined)).toBeGreaterThan(0)
  })
})
