import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { EffectsReport } from '../../src/contracts/effects.ts'
import { openTestEffects, probeViews, type TestEffects, type TestEffectsOptions } from '../helpers/openTestEffects.ts'
import { treeOf } from '../helpers/treeOf.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'effects-test-')))
let opened: TestEffects[] = []
afterEach(async () => {
  for (const each of opened) await each.close()
  opened = []
})
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+rwX', base])
  rmSync(base, { recursive: true, force: true })
})

const { isReady, missing } = await probeViews()

/** A checkout with `src/a`, `src/b`, `docs/x`, `docs/y`, `docs/sub/z`, `README.md` and an ignored `dist/old`. */
function makeCheckout(name = 'checkout'): string {
  const root = join(mkdtempSync(join(base, 'place-')), name)
  for (const folder of ['src', 'docs/sub', 'dist']) mkdirSync(join(root, folder), { recursive: true })
  for (const path of ['src/a', 'src/b', 'docs/x', 'docs/y', 'docs/sub/z', 'README.md', 'dist/old']) {
    writeFileSync(join(root, path), `${path}\n`)
  }
  return root
}

async function open(options: TestEffectsOptions): Promise<TestEffects> {
  const one = await openTestEffects(options)
  opened.push(one)
  return one
}

function namesOf(root: string, report: EffectsReport) {
  const short = (path: string) => path.slice(root.length + 1)
  return {
    kept: report.kept.map(({ kind, path }) => `${kind} ${short(path)}`).sort(),
    leftOut: report.leftOut.map(({ change }) => short(change.path)).sort(),
    undone: report.undone.map(({ change }) => `${change.kind} ${short(change.path)}`).sort(),
    scratch: report.scratch,
  }
}

const NONE = { kept: [], leftOut: [], undone: [], scratch: {} }

describe.skipIf(!isReady)(`a command as a transaction${missing}`, () => {
  it.each([
    ['changes nothing', 'cat README.md', {}, NONE],
    ['modifies what is covered', 'echo new > src/a', { 'src/a': 'new\n' }, { ...NONE, kept: ['modified src/a'] }],
    ['appends to it', 'echo new >> src/a', { 'src/a': 'src/a\nnew\n' }, { ...NONE, kept: ['modified src/a'] }],
    ['makes a file', 'echo new > src/c', { 'src/c': 'new\n' }, { ...NONE, kept: ['created src/c'] }],
    ['deletes one', 'rm src/b', { 'src/b': undefined }, { ...NONE, kept: ['deleted src/b'] }],
    [
      'moves one',
      'mv src/a src/c',
      { 'src/a': undefined, 'src/c': 'src/a\n' },
      { ...NONE, kept: ['created src/c', 'deleted src/a'] },
    ],
    [
      'makes a folder with files',
      'mkdir -p src/n/m && echo 1 > src/n/1 && echo 2 > src/n/m/2',
      { 'src/n': 'folder', 'src/n/1': '1\n', 'src/n/m': 'folder', 'src/n/m/2': '2\n' },
      { ...NONE, kept: ['created src/n', 'created src/n/1', 'created src/n/m', 'created src/n/m/2'] },
    ],
    ['makes a link', 'ln -s a src/l', { 'src/l': '-> a' }, { ...NONE, kept: ['created src/l'] }],
    [
      'replaces a file by a link',
      'ln -sf a src/b',
      { 'src/b': '-> a' },
      { ...NONE, kept: ['created src/b', 'deleted src/b'] },
    ],
    [
      'replaces a file by a folder',
      'rm src/b && mkdir src/b && echo 1 > src/b/1',
      { 'src/b': 'folder', 'src/b/1': '1\n' },
      { ...NONE, kept: ['created src/b', 'created src/b/1', 'deleted src/b'] },
    ],
    [
      'writes what git ignores',
      'echo 1 > dist/new && rm dist/old && mkdir -p node_modules/p && echo 1 > node_modules/p/i',
      {
        'dist/new': '1\n',
        'dist/old': undefined,
        node_modules: 'folder',
        'node_modules/p': 'folder',
        'node_modules/p/i': '1\n',
      },
      { ...NONE, scratch: { dist: 2, node_modules: 1 } },
    ],
    [
      'makes a new file that no rule covers: the rest is kept',
      'echo 1 > junit.xml && echo new > src/a',
      { 'src/a': 'new\n' },
      { ...NONE, kept: ['modified src/a'], leftOut: ['junit.xml'] },
    ],
    [
      'makes a new folder that no rule covers: only the folder is named',
      'mkdir -p out/deep && echo 1 > out/deep/1 && echo 2 > out/2',
      {},
      { ...NONE, leftOut: ['out'] },
    ],
    [
      'changes an existing file that no rule covers: nothing is kept',
      'echo new > README.md; echo new > src/a; echo 1 > dist/new; echo 1 > junit.xml',
      {},
      { ...NONE, undone: ['modified README.md'] },
    ],
    ['deletes one', 'rm README.md; echo new > src/a', {}, { ...NONE, undone: ['deleted README.md'] }],
    ['moves one', 'mv README.md src/r', {}, { ...NONE, undone: ['deleted README.md'] }],
    ['re-modes one', 'chmod +x README.md; echo new > src/a', {}, { ...NONE, undone: ['mode README.md'] }],
    [
      'makes what is never taken over',
      'mkdir src/.git; echo new > src/a',
      {},
      { ...NONE, undone: ['created src/.git'] },
    ],
    [
      'leaves sockets and FIFOs out without a word',
      'mkfifo src/f && mkdir src/n && mkfifo src/n/f && echo 1 > src/n/1',
      { 'src/n': 'folder', 'src/n/1': '1\n' },
      { ...NONE, kept: ['created src/n', 'created src/n/1'] },
    ],
    [
      'writes the same bytes, or only opens for writing, or touches: nothing has changed',
      'echo README.md > README.md; : >> docs/x; touch docs/y; chmod u+x docs/x; chmod u-x docs/x',
      {},
      NONE,
    ],
    [
      'makes a folder again: what was in it is deleted',
      'rm -rf docs && mkdir -p docs/sub && echo new > docs/new && cp README.md docs/x',
      {},
      { ...NONE, undone: ['deleted docs/sub/z', 'deleted docs/y', 'modified docs/x'] },
    ],
    [
      'makes a covered folder again',
      'rm -rf src && mkdir src && echo new > src/c && echo src/b > src/b',
      { 'src/a': undefined, 'src/c': 'new\n' },
      { ...NONE, kept: ['created src/c', 'deleted src/a'] },
    ],
    [
      'moves a folder away and back',
      'mv src s && mv s src && rm src/b',
      { 'src/b': undefined },
      { ...NONE, kept: ['deleted src/b'] },
    ],
  ])('%s: %s', async (_what, script, expected, names) => {
    const root = makeCheckout()
    const before = treeOf(root)
    const { run } = await open({ roots: [root] })
    const { report, exitCode, stderr } = await run(script)
    expect({ exitCode, stderr: stderr.text }).toEqual({ exitCode: 0, stderr: '' })
    expect(namesOf(root, report)).toEqual(names)
    const after = Object.fromEntries(
      Object.entries({ ...before, ...expected }).filter(([, text]) => text !== undefined),
    )
    expect(treeOf(root)).toEqual(after)
  })

  it('keeps modes and times, and takes over a change of mode alone', async () => {
    const root = makeCheckout()
    chmodSync(join(root, 'src/a'), 0o640)
    const inode = lstatSync(join(root, 'src/b')).ino
    const { run } = await open({ roots: [root] })
    const { report } = await run(
      'echo new > src/a; chmod 755 src/b; echo 1 > src/c; chmod 600 src/c; touch -d 2001-02-03T04:05:06Z src/c; mkdir -m 750 src/n',
    )
    expect(namesOf(root, report).kept).toEqual(['created src/c', 'created src/n', 'mode src/b', 'modified src/a'])
    const mode = (path: string) => (lstatSync(join(root, path)).mode & 0o7777).toString(8)
    expect(['src/a', 'src/b', 'src/c', 'src/n'].map(mode)).toEqual(['640', '755', '600', '750'])
    expect(lstatSync(join(root, 'src/b')).ino).toBe(inode)
    expect(lstatSync(join(root, 'src/c')).mtime.toISOString()).toBe('2001-02-03T04:05:06.000Z')
  })

  it('sees a set-user-id bit, also on a file that was there', async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    const { report } = await run('chmod u+s src/a')
    expect(report.undone).toMatchObject([{ change: { kind: 'mode', isSetId: true } }])
    expect(lstatSync(join(root, 'src/a')).mode & 0o4000).toBe(0)
  })

  it('takes over a folder that the command locked, and what is in it', async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    const { report } = await run('mkdir -p src/n/m; echo 1 > src/n/m/1; chmod 500 src/n/m; chmod 0 src/n')
    expect(namesOf(root, report).kept).toHaveLength(3)
    expect(lstatSync(join(root, 'src/n')).mode & 0o7777).toBe(0)
    chmodSync(join(root, 'src/n'), 0o700)
    expect(lstatSync(join(root, 'src/n/m')).mode & 0o7777).toBe(0o500)
    expect(readFileSync(join(root, 'src/n/m/1'), 'utf8')).toBe('1\n')
  })

  it('does not write through a hard link to a file elsewhere', async () => {
    const root = makeCheckout()
    const outside = join(dirname(root), 'outside')
    writeFileSync(outside, 'outside\n')
    execFileSync('ln', [outside, join(root, 'src/linked')])
    const { run } = await open({ roots: [root] })
    await run('echo new > src/linked')
    expect(readFileSync(join(root, 'src/linked'), 'utf8')).toBe('new\n')
    expect(readFileSync(outside, 'utf8')).toBe('outside\n')
  })

  it('names the file that a name of other bytes than UTF-8 stands for, and leaves it out', async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    const { report } = await run("echo 1 > $'src/\\xff'; echo new > src/a")
    expect(report.leftOut).toMatchObject([{ why: 'its name is not UTF-8' }])
    expect(namesOf(root, report).kept).toEqual(['modified src/a'])
    expect(readdirSync(join(root, 'src'))).toEqual(['a', 'b'])
  })

  it('judges what a command left behind when its time was over', async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    const { report, isTimedOut } = await run('echo new > src/a; (setsid sleep 60 &) ; sleep 60', { timeoutMs: 700 })
    expect(isTimedOut).toBe(true)
    expect(namesOf(root, report).kept).toEqual(['modified src/a'])
  })

  it('reads the view when nothing writes it any more', async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    for (let round = 0; round < 5; round++) {
      const script = `setsid bash -c 'i=0; while :; do i=$((i+1)); echo $i > src/a; done' >/dev/null 2>&1 & sleep 0.05`
      await run(script)
      const text = readFileSync(join(root, 'src/a'), 'utf8')
      expect(text).toMatch(/^\d+\n$|^$|^src\/a\n$/)
    }
  })

  it('tells the account before and after, and only of what rules cover', async () => {
    const root = makeCheckout()
    const { run, account } = await open({ roots: [root] })
    await run('echo new > src/a; echo 1 > dist/new; echo 1 > junit.xml')
    expect(account).toEqual(['before src/a', 'toolu_1 modified src/a'])
  })
})

describe.skipIf(!isReady)(`the ground of a command${missing}`, () => {
  it('is read-only for one that only reads', async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    const { exitCode, stderr, report } = await run('echo new > src/a', { access: 'read' })
    expect(exitCode).toBe(1)
    expect(stderr.text).toContain('Read-only file system')
    expect(report).toMatchObject({ state: 'enforced', kept: [] })
  })

  it('lets readers run while a writer does, and writers one after the other', async () => {
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

  it('keeps of a check only what git ignores', async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    const { report } = await run('echo 1 > dist/new; echo new > src/a; echo 1 > src/c; rm src/b', { access: 'scratch' })
    expect(namesOf(root, report)).toEqual({ ...NONE, scratch: { dist: 1 }, leftOut: ['src/c'] })
    expect(readdirSync(join(root, 'src'))).toEqual(['a', 'b'])
    expect(readFileSync(join(root, 'src/a'), 'utf8')).toBe('src/a\n')
  })

  it('has the checkout’s own folders where sandbox.writable names them, or a background command writes', async () => {
    const root = makeCheckout()
    const [target, cache] = [join(root, 'target'), join(root, 'docs/sub')]
    const { run } = await open({ roots: [root], writable: [target], directFolders: () => [cache] })
    const { report } = await run('echo 1 > target/1; echo 1 > docs/sub/1')
    expect(namesOf(root, report)).toEqual(NONE)
    expect(existsSync(join(target, '1')) && existsSync(join(cache, '1'))).toBe(true)
  })

  it.each(['a b', 'a,b', 'a:b', 'a\\b', 'a\nb', 'a\'b"$c', 'ä', '-a', 'lowerdir=x,upperdir=y'])(
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

  it('does not copy a large pack whose times git sets', async () => {
    const root = makeCheckout()
    const packs = join(root, '.git/objects/pack')
    mkdirSync(packs, { recursive: true })
    for (const [name, size] of [
      ['large', 64],
      ['small', 1],
    ] as const) {
      writeFileSync(join(packs, `pack-${name}.pack`), '')
      truncateSync(join(packs, `pack-${name}.pack`), size * 1024 * 1024)
    }
    const { run } = await open({ roots: [root] })
    const touch = (name: string) => run(`touch .git/objects/pack/pack-${name}.pack`)
    expect((await touch('large')).stderr.text).toContain('Read-only file system')
    expect((await touch('small')).exitCode).toBe(0)
  })

  it('has a view of the repository too, where that is outside of the checkout', async () => {
    const main = makeCheckout('main')
    const root = join(dirname(main), 'worktree')
    const by = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
    const git = (...args: string[]) => execFileSync('git', ['-C', main, ...by, ...args], { encoding: 'utf8' })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'zero')
    git('worktree', 'add', '-q', '-b', 'side', root)
    const { run } = await open({ roots: [root], verdict: () => ({ kind: 'covered' }) })
    const commit = `echo new > src/a && git ${by.join(' ')} commit -qam one && git log --oneline | wc -l`
    const { report, stdout, stderr } = await run(commit)
    expect({ stdout: stdout.text, stderr: stderr.text }).toEqual({ stdout: '2\n', stderr: '' })
    expect(report.kept.map(({ path }) => path)).toContain(join(main, '.git/refs/heads/side'))
    expect(git('log', '--oneline', 'side').split('\n')).toHaveLength(3)
    expect(git('fsck')).toBe('')
    const refused = await open({ roots: [root] })
    expect((await refused.run(commit.replace('new', 'newer'))).report.undone).not.toEqual([])
    expect(git('log', '--oneline', 'side').split('\n')).toHaveLength(3)
  })

  it('copies where the view is on another file system', async () => {
    if (!existsSync('/dev/shm') || lstatSync('/dev/shm').dev === lstatSync(base).dev) return
    const root = makeCheckout()
    chmodSync(dirname(root), 0o500)
    const { run, sandbox } = await open({ roots: [root], views: ['/dev/shm'] })
    if (process.getuid?.() !== 0) expect(sandbox.views.folder).toMatch(/^\/dev\/shm/)
    const { report } = await run(
      'echo new > src/a; rm src/b; mkdir -p src/n/m; echo 1 > src/n/m/1; ln -s m src/n/l; rm -r dist',
    )
    chmodSync(dirname(root), 0o700)
    expect(report.unknown).toBeUndefined()
    expect(treeOf(join(root, 'src'))).toEqual({
      a: 'new\n',
      n: 'folder',
      'n/l': '-> m',
      'n/m': 'folder',
      'n/m/1': '1\n',
    })
    expect(existsSync(join(root, 'dist'))).toBe(false)
  })

  it('leaves nothing behind, and hides the folder of the views', async () => {
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

  it('follows no link that something put in the way while the command ran', async () => {
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
