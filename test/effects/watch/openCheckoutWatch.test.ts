import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesOf as names, watchedProject as project, WRITE } from '../../helpers/runs/watchedProject.ts'
import { sampled } from '../../helpers/sampled.ts'

describe('a command that works on the checkout itself', () => {
  it('keeps covered and ignored changes, and removes new files without a rule', async () => {
    const { root, play, differences, account } = project()
    const report = await play(
      'echo b > src/a; mkdir -p dist x/y; echo > dist/x; echo > x/y/z; echo > src/n; mkfifo src/pipe',
    )
    expect(report.state).toBe('watched')
    expect(names(root, report)).toEqual({ kept: ['src/a', 'src/n'], leftOut: ['x', 'x/y', 'x/y/z'], undone: [] })
    expect(differences()).toEqual(['dist', 'dist/x', 'src/a', 'src/n'])
    const { changes, unaccounted } = await account.report()
    expect(changes.map(({ path, by }) => [path, by])).toEqual([
      ['src/a', ['t']],
      ['src/n', ['t']],
    ])
    expect(unaccounted).toEqual([])
  })

  it('restores all that it may not change, wherever that lies and whatever hides it', async () => {
    const { root, play, differences } = project(
      [
        'echo .env >> .gitignore; echo S=1 > .env; mkdir -p dist/w; echo > dist/held; echo gitdir: x > dist/w/.git',
        'mkdir -p .kode-worktrees/w; echo .kode-worktrees >> .gitignore; echo a > .kode-worktrees/w/a',
        'ln -s docs docs-link; git init -q src/own; (cd src/own; git commit -qm x --allow-empty)',
      ].join('; '),
    )
    const report = await play(
      [
        'echo b > docs/a; mkdir docs/n; echo > docs/n/x; chmod 0 docs/n; ln -sfn src docs-link; echo b > src/a',
        'rm .env; echo b > dist/held; ln -s ../../x dist/out; ln -s ../.. src/out; cp /bin/true src/true; chmod 4755 src/true',
        'git init -q src/inner; git init -q dist; rm dist/w/.git; git init -q dist/w; git -C src/own config core.x y; echo b > .kode-worktrees/w/a',
        'echo "#!/bin/sh" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git config core.fsmonitor ./x',
        'echo /x > .git/objects/info/alternates; git update-index --add --cacheinfo 100644,$(git rev-parse :src/a),docs/b',
        `echo b > $'docs/\\xfe'; echo "*" > .gitignore; echo "*" > docs/.gitignore`,
      ].join('; '),
    )
    const { kept, leftOut, undone } = names(root, report)
    expect([kept, report.unknown, differences()]).toEqual([[], undefined, []])
    const places = [...leftOut, ...undone].map((path) => path.replace(/\/\.git\/.*/, '/.git'))
    expect([...new Set(places)].sort()).toEqual([
      ...['.env', '.git/config', '.git/index', '.git/objects/info/alternates', '.gitignore', '.kode-worktrees/w/a'],
      ...['dist/.git', 'dist/held', 'dist/out', 'dist/w/.git', 'docs-link', 'docs/a'],
      ...['src/inner/.git', 'src/out', 'src/own/.git', 'src/true'],
    ])
  })

  it('names what it could not restore, and calls the outcome unknown', async () => {
    const { root, play } = project()
    const report = await play('rm -r ../images/*; echo b > docs/a')
    expect(report.unknown).toBe(`these could not be restored: ${root}/docs/a`)
  })

  it('restores a file whose name is not UTF-8', { tags: 'long' }, async () => {
    const { root, sh, watch } = project("echo a > $'docs/\\xff'")
    const watched = await watch.watch(WRITE)
    sh("rm $'docs/\\xff'; echo b > $'docs/\\xff'; echo b > src/a")
    const { kept, undone, unknown } = await watched.settle()
    expect([kept, undone.map(({ why }) => why), unknown]).toEqual([[], ['its name is not UTF-8'], undefined])
    sh(`test "$(cat ${root}/docs/*)" = "$(printf 'a\\na')"; test "$(cat src/a)" = a; test "$(ls docs | wc -l)" = 2`)
  })

  it('counts git objects that are gone or changed, but not those that were packed or touched', {
    tags: 'long',
  }, async () => {
    const { play } = project()
    const fine = [
      'git gc -q; echo b > src/a; git commit -qam x; git gc -q',
      'git commit -qm y --allow-empty; touch .git/objects/??/* .git/objects/pack/*',
      'echo c > src/a; git commit -qam z; git gc -q; git commit -qm w --allow-empty',
    ]
    for (const script of fine) expect((await play(script)).unknown, script).toBeUndefined()
    const one = 'f=$(ls .git/objects/??/* | head -1); chmod u+w $f; n=$(wc -c < $f); head -c $n /dev/zero > $f'
    expect((await play(one)).unknown).toContain('1 git objects were removed or changed')
    expect((await play('true')).unknown).toBeUndefined()
  })

  it.each(
    sampled(
      [
        ['all, with the repository', 'git gc -q', 'rm -rf .git'],
        ['all, to where a link leads', 'true', 'mv .git src/g; ln -s src/g .git'],
        [
          'those that an index of a pack only claims to have',
          'true',
          `node -e '
            const { execFileSync } = require("child_process")
            const names = execFileSync("git", ["cat-file", "--batch-check=%(objectname)", "--batch-all-objects"])
            const fan = Buffer.alloc(8 + 256 * 4, 255)
            const index = Buffer.concat([fan, Buffer.from(String(names).replace(/\\n/g, ""), "hex"), Buffer.alloc(40)])
            require("fs").mkdirSync(".git/objects/pack", { recursive: true })
            require("fs").writeFileSync(".git/objects/pack/pack-" + "a".repeat(40) + ".idx", index)
          '; rm -rf .git/objects/??`,
        ],
        [
          'those that a command of git prunes',
          'git update-ref -d refs/heads/x; git reset -q; echo lost | git hash-object -w --stdin',
          'git prune',
        ],
      ],
      1,
    ),
  )('restores git objects: %s', async (_, prepare, script) => {
    const { play, sh } = project('git checkout -q -b x')
    sh('git tag t')
    sh(prepare)
    const { unknown, kept } = await play(script)
    expect([unknown, kept]).toEqual([undefined, []])
    sh('git fsck --strict; git cat-file -p t:src/a; test ! -e ../away || test -z "$(ls ../away)"')
  })

  it('restores time and content, without writing into a file that shares its content', { tags: 'long' }, async () => {
    const { root, sh, play } = project('touch -d 2020-01-01 docs/a')
    await play('ln docs/a src/shared; echo b > src/shared')
    sh('test "$(cat docs/a)" = a; test "$(date -r docs/a +%s)" = "$(date -d 2020-01-01 +%s)"')
    expect(existsSync(join(root, 'src/shared'))).toBe(false)
  })

  it('removes a hard link to a file outside the checkout', async () => {
    const { root, play, differences } = project()
    writeFileSync(join(root, '../outside'), 'x')
    const { undone } = await play('ln ../outside src/l; echo b > src/a; ln src/a src/b')
    expect([undone.map(({ why }) => why), differences()]).toEqual([
      ['it is a hard link to a file outside the checkout'],
      [],
    ])
  })

  it('keeps a covered commit, and an index that git only refreshed', { tags: 'long' }, async () => {
    const { root, play, sh } = project()
    const { undone, kept } = await play('echo b > src/a; git commit -qam x')
    expect([undone, kept.some(({ path }) => path.endsWith('/.git/refs/heads/x'))]).toEqual([[], false])
    sh('git fsck --strict; test -z "$(git status -s)"; test "$(git log --oneline | wc -l)" = 2')
    const index = readFileSync(join(root, '.git/index'))
    expect((await play('touch src/a docs/a; git status -s')).kept).toEqual([])
    expect(readFileSync(join(root, '.git/index')).equals(index)).toBe(true)
  })

  it('lets a check keep what git ignores, and fail where it changes what no rule covers', {
    tags: 'long',
  }, async () => {
    const { root, play, differences } = project()
    const check = { ...WRITE, access: 'scratch' } as const
    const report = await play('echo b > src/a; mkdir dist; echo > dist/x; echo > src/report', check)
    expect(names(root, report)).toEqual({ kept: [], leftOut: ['src/report'], undone: [] })
    expect(differences()).toEqual(['dist', 'dist/x'])
    expect(names(root, await play('echo b > docs/a', check)).undone).toEqual(['docs/a'])
  })

  it('restores everything that a read-only command changed', async () => {
    const { play, differences } = project()
    const { kept } = await play('echo b > src/a; echo > src/n', { ...WRITE, access: 'read' })
    expect([kept, differences()]).toEqual([[], []])
  })

  it('counts a restored file as unchanged', { tags: 'long' }, async () => {
    const { play, account } = project()
    expect((await play('echo b > docs/a')).undone).not.toEqual([])
    expect((await play('rm src/a docs/a')).undone).not.toEqual([])
    expect((await account.report()).unaccounted).toEqual([])
  })

  it('counts files with their old content as unchanged: rewritten, or renamed for a moment', {
    tags: 'long',
  }, async () => {
    const { play, account } = project()
    expect((await play('cp docs/a t; mv t docs/a; touch docs/a; ln src/a src/l; rm src/l')).undone).toEqual([])
    expect((await play('echo b > docs/new; ln -f src/a docs/new')).leftOut).not.toEqual([])
    expect((await account.report()).unaccounted).toEqual([])
  })

  it('still reports a change by others that a command repeated and that was undone', { tags: 'long' }, async () => {
    const { sh, play, account, root } = project()
    await play('true')
    sh('echo mine > docs/a')
    expect((await play('echo b > docs/a')).undone).not.toEqual([])
    expect((await account.report()).unaccounted).toEqual([join(root, 'docs/a')])
  })

  it('keeps what others changed while nothing was watched', { tags: 'long' }, async () => {
    const { sh, play, differences, account, root } = project()
    await play('echo b > src/a')
    sh('echo mine > docs/a')
    expect((await play('echo c > src/a')).undone).toEqual([])
    expect(differences()).toEqual(['src/a'])
    expect((await account.report()).unaccounted).toEqual([join(root, 'docs/a')])
  })
})

describe('a command that outlives its call', () => {
  it('removes a FIFO that existed while a command ran', { tags: 'long' }, async () => {
    const { root, sh, watch } = project()
    const background = await watch.watch({ ...WRITE, access: 'direct' })
    sh('mkfifo docs/.gitignore src/pipe')
    await background.look()
    expect(existsSync(join(root, 'src/pipe'))).toBe(true)
    await background.settle()
    expect(['docs/.gitignore', 'src/pipe'].filter((path) => existsSync(join(root, path)))).toEqual([])
  })

  it('is compared after each call, and only refused changes are undone', { tags: 'long' }, async () => {
    const { root, sh, watch } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    sh('echo b > src/a; echo b > docs/a')
    const first = await background.look()
    expect(names(root, first)).toEqual({ kept: ['src/a'], leftOut: [], undone: ['docs/a'] })
    sh('test "$(cat docs/a)" = a; test "$(cat src/a)" = b')
    sh('echo c > docs/a; echo > .gitignore; echo > src/n')
    expect(names(root, await background.settle())).toEqual({
      kept: ['src/n'],
      leftOut: [],
      undone: ['.gitignore', 'docs/a'],
    })
    sh('test "$(cat src/a)" = b')
  })

  it('has not made a file that git ignores no more since it changed an ignore file', async () => {
    const { root, sh, watch } = project('echo x > src/.gitignore; echo > src/x')
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    sh('echo y > src/.gitignore; echo b > src/a')
    expect(names(root, await background.look()).kept).toEqual(['src/.gitignore', 'src/a'])
    expect(names(root, await background.settle()).kept).toEqual([])
  })

  it('has its changes judged before another command starts, and reported as its own', async () => {
    const { root, sh, watch } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    sh('echo b > docs/a; echo > docs/new; echo > src/early')
    const other = await watch.watch(WRITE)
    sh(
      'test "$(cat docs/a)" = a; test ! -e docs/new; test -e src/early; echo b > src/a; echo b > docs/a; git branch side',
    )
    expect(names(root, await other.settle())).toEqual({
      kept: ['.git/refs/heads/side', 'src/a'],
      leftOut: [],
      undone: ['docs/a'],
    })
    sh('echo > src/late')
    const all = await background.settle()
    expect(names(root, all)).toEqual({ kept: ['src/early', 'src/late'], leftOut: ['docs/new'], undone: ['docs/a'] })
    expect(all).toMatchObject({ state: 'watched', scratch: {} })
    expect(all).not.toHaveProperty('unknown')
  })

  it('tells at its end what could not be restored before another command started', async () => {
    const { root, sh, watch } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    sh('rm -r ../images/*; echo b > docs/a')
    const other = await watch.watch(WRITE)
    const open = `these could not be restored: ${root}/docs/a`
    // The first time for what it had done before the other started.
    expect([(await other.settle()).unknown, (await background.settle()).unknown]).toEqual([open, `${open}; ${open}`])
  })

  it('is not blamed for a worktree that kode-run makes meanwhile, but for what it writes beside it', async () => {
    const { root, sh, watch } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    const places = async () => ({ own: [join(root, 'tree'), join(root, 'other')], shared: [join(root, 'docs/shared')] })
    await watch.changeWorktree(places, async () =>
      sh('mkdir -p tree/in; echo > tree/in/x; echo > docs/shared; echo > docs/b'),
    )
    expect(names(root, await background.settle())).toEqual({ kept: [], leftOut: ['docs/b'], undone: [] })
    sh('test -e tree/in/x; test -e docs/shared; test ! -e docs/b')
  })

  it('leaves no backup behind at the end', async () => {
    const { root, play, watch } = project()
    await play('echo b > src/a')
    expect(existsSync(join(root, '../images'))).toBe(true)
    await watch.close()
    expect(existsSync(join(root, '../images'))).toBe(false)
  })

  it('is compared as a whole though the end of the run is near', async () => {
    const { root, sh, watch } = project()
    const watched = await watch.watch(WRITE)
    sh('echo b > src/a; echo b > docs/a')
    const [report] = await Promise.all([watched.settle(), watch.close()])
    expect(names(root, report)).toEqual({ kept: [], leftOut: [], undone: ['docs/a'] })
    sh('test "$(cat docs/a src/a)" = "$(printf "a\\na")"')
  })

  it('accounts for a file that it repeatedly changes and restores', { tags: 'long' }, async () => {
    const { root, sh, watch, account } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    for (let round = 0; round < 2; round++) {
      sh('echo b > src/a; echo b > docs/a; echo a > src/a; echo a > docs/a')
      expect(names(root, await background.look())).toEqual({ kept: [], leftOut: [], undone: [] })
      expect((await account.report()).unaccounted).toEqual([])
    }
    sh('echo b > src/a; echo b > docs/a')
    expect(names(root, await background.settle())).toMatchObject({ kept: ['src/a'], undone: ['docs/a'] })
    expect((await account.report()).unaccounted).toEqual([])
  })

  it('is caught writing while its last changes are judged', { tags: 'long' }, async () => {
    const { root, sh, watch, meanwhile } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    sh('echo b > src/a; echo b > docs/a')
    meanwhile('echo c > src/a; echo more > docs/b; echo c > docs/a; mkdir docs/in; echo > docs/in/x')
    expect(names(root, await background.look())).toMatchObject({ kept: ['src/a'], undone: ['docs/a'] })
    expect(names(root, await background.settle())).toMatchObject({ leftOut: ['docs/b', 'docs/in', 'docs/in/x'] })
    sh('test "$(cat docs/a)" = a; test "$(cat src/a)" = c; test "$(ls docs)" = a')
  })

  it('is caught writing after its last changes were judged', { tags: 'long' }, async () => {
    const { root, sh, watch, onAfter } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    sh('echo b > src/a; echo b > docs/a')
    onAfter('echo c > src/a; echo c > docs/a')
    await background.look()
    expect(names(root, await background.settle())).toMatchObject({ kept: ['src/a'], undone: ['docs/a'] })
    sh('test "$(cat docs/a)" = a; test "$(cat src/a)" = c')
  })

  it('restores what it replaced with a file that is never kept', { tags: 'long' }, async () => {
    const { sh, watch } = project('mkdir -p dist/w; echo gitdir: x > dist/w/.git')
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    sh('rm dist/w/.git src/a; mkdir dist/w/.git; ln -s / src/a')
    await background.look()
    sh('test "$(cat dist/w/.git)" = "gitdir: x"; test "$(cat src/a)" = a')
  })

  it('a restored file counts as changed by nobody', { tags: 'long' }, async () => {
    const { root, play, account } = project()
    await play('echo b > docs/a; echo > docs/new; rm -r src')
    expect(readFileSync(join(root, 'docs/a'), 'utf8')).toBe('a\n')
    expect(await account.report()).toMatchObject({ changes: [], unaccounted: [] })
  })
})
