import { describe, expect, it } from 'vitest'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import { type PlayOptions, playChanges } from '../../helpers/effects/playChanges.ts'
import { sampled } from '../../helpers/sampled.ts'
import { ALTERNATE, badIn, checkout, inGit, row, useGitCheckout } from './gitCheckout.ts'

useGitCheckout()

describe('symbolic refs', () => {
  const CHANGED = 'git update-ref refs/remotes/origin/x code'
  it.each(
    sampled(
      [
        row(
          'a branch that leads to a name that is not judged',
          'git symbolic-ref refs/heads/x refs/remotes/origin/x',
          CHANGED,
        ),
        row('a tag', 'git symbolic-ref refs/tags/x refs/remotes/origin/x', CHANGED),
        row('HEAD', 'git symbolic-ref HEAD refs/remotes/origin/x', 'git update-ref refs/remotes/origin/x main'),
        row(
          'a branch that led there before the run',
          'git update-ref refs/remotes/origin/x other',
          `${CHANGED}; git symbolic-ref refs/heads/x refs/remotes/origin/x`,
        ),
        row(
          'a branch with another white space at its end',
          'printf "ref: refs/heads/main\\302\\240\\n" > .git/HEAD',
          'git branch "main$(printf "\\302\\240")" other',
        ),
        row(
          'a name that is no text',
          'printf "ref: refs/heads/main\\377\\n" > .git/HEAD',
          'cp .git/refs/heads/other ".git/refs/heads/main$(printf "\\377")"',
        ),
        row('a branch that names a tree', 'git rev-parse HEAD^{tree} > .git/refs/heads/x'),
      ],
      1,
    ),
  )('are refused: $why', async ({ script, prepare }) => {
    const { verdicts } = await checkout(prepare).play(script)
    expect(badIn(verdicts).length).toBeGreaterThan(0)
  })

  it('may point to branches; other refs only to their own kind', async () => {
    const script =
      'git symbolic-ref refs/heads/x refs/heads/code; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/x'
    expect((await checkout(CHANGED).play(script)).reasons).toEqual({})
  })
})

describe("objects outside the repository's object folder", () => {
  it('uses those of the repository, whatever lies beside the new ones', { tags: 'long' }, async () => {
    const forge = `t=$(git rev-parse other^{tree}); mkdir -p src/objs/$(echo $t | cut -c-2) .git/objects/info
      (printf 'tree %s\\0' $(git cat-file -s HEAD^{tree}); git cat-file tree HEAD^{tree}) |
        node -e 'process.stdout.write(require("zlib").deflateSync(require("fs").readFileSync(0)))' > src/objs/$(echo $t | sed s:..:\\&/:)
      git update-ref refs/heads/main $(git commit-tree -p HEAD -m x $t)
      echo "$PWD/src/objs" > .git/objects/info/alternates`
    const { verdicts, processes } = await checkout('true').play(forge)
    expect([badIn(verdicts).includes('.git/refs/heads/main refused'), processes]).toEqual([true, 0])
  })
})

describe('git files that commands must not change', () => {
  it.each(
    sampled(
      [
        row('configuration', 'git config core.pager x'),
        row('configuration among such that is dropped', 'git config user.name x; git config alias.x !x'),
        row('configuration of a worktree', 'echo > .git/config.worktree'),
        row('other objects in the place of those that are asked for', 'git replace main other'),
        row('a worktree', 'git worktree add -q src/wt code'),
        row(
          'an object that was changed',
          'f=.git/objects/$(git rev-parse :src/a | sed s:..:\\&/:); chmod +w $f; echo x > $f',
        ),
        row(
          'an object with the name of another',
          'o=$(echo evil | git hash-object -w --stdin | sed s:..:\\&/:); mkdir -p .git/objects/12; mv -f .git/objects/$o .git/objects/12/34567812345678123456781234567812345678',
        ),
      ],
      1,
    ),
  )('$why', async ({ script, prepare }) => {
    const { reasons } = await checkout(prepare).play(script)
    expect(Object.keys(reasons).some((path) => path.startsWith('.git/') || path === 'src/wt/.git')).toBe(true)
  })
})

describe('files that point git to other objects', () => {
  const commit = 'echo b > src/a; git commit -qam x'
  it.each(
    sampled(
      [
        row('a list', `${commit}; echo /x > .git/objects/info/alternates`),
        row('a list that was changed', `${commit}; echo /x > .git/objects/info/alternates`, ALTERNATE),
        row('a list that is gone', `rm .git/objects/info/alternates`, ALTERNATE),
        row('a FIFO', `${commit}; mkfifo .git/objects/info/alternates`),
        row('a list of addresses', `${commit}; echo http://x > .git/objects/info/http-alternates`),
        row('a FIFO as a name', `${commit}; mkfifo .git/refs/heads/x`),
      ],
      1,
      3,
    ),
  )('undoes the command without running git: $why', async ({ script, prepare }) => {
    const { verdicts, reasons, processes } = await checkout(prepare).play(script)
    expect([Object.values(reasons).some((why) => /other objects|keeps only files/.test(why)), processes]).toEqual([
      true,
      0,
    ])
    expect(verdicts.filter((line) => /^\.git\/.* covered$/.test(line))).toEqual([])
  })
})

describe('repositories in other places', () => {
  const WORKTREE =
    'git init -q main; (cd main; mkdir src docs; echo a > src/a; echo a > docs/a; git add -A; git commit -qm s; git branch other; git worktree add -q ../wt -b work); echo "gitdir: ../main/.git/worktrees/wt" > wt/.git; echo > wt/docs/untracked'
  const elsewhere = (prepare: string, roots: (root: string) => string[]) => {
    const played = playChanges(/^wt\/src(?:\/|$)/, (root) => ({ checkout: openCheckout(roots(root)) }))
    played.prepare(prepare)
    return played
  }

  it('judges a linked worktree by its own HEAD and index', { tags: 'long' }, async () => {
    const played = elsewhere(WORKTREE, (root) => [`${root}/wt`, `${root}/main/.git`])
    const good = await played.play('cd wt; echo b > src/a; git commit -qam x; git status')
    expect([good.reasons, good.processes]).toEqual([{}, 2])
    expect(good.verdicts).toContain('main/.git/refs/heads/work covered')
    const bad = await played.play('cd wt; git add -A')
    expect(bad.reasons['main/.git/worktrees/wt/index']).toBe('the index brings docs/untracked: no Edit rule covers it')
    const { reasons } = await played.play('cd wt; git branch -f other $(git commit-tree -m x HEAD^{tree})')
    expect(reasons).toEqual({})
    for (const name of ['gitdir', 'commondir'])
      expect((await played.play(`echo x > main/.git/worktrees/wt/${name}`)).verdicts).toEqual([
        `main/.git/worktrees/wt/${name} refused`,
      ])
    expect((await played.play('echo "gitdir: x" > wt/.git')).verdicts).toEqual(['wt/.git never'])
  })

  it('judges a subfolder of a repository by paths from its top', { tags: 'long' }, async () => {
    const prepare =
      'git init -q; mkdir -p wt/src docs; echo a > wt/src/a; echo a > docs/a; git add -A; git commit -qm s'
    const played = elsewhere(prepare, (root) => [`${root}/wt`, `${root}/.git`])
    expect((await played.play('echo b > wt/src/a; git commit -qam x')).reasons).toEqual({})
    const { reasons } = await played.play(
      'git update-index --cacheinfo 100644,$(git rev-parse :wt/src/a | tr 0-9 1-90),docs/a',
    )
    expect(reasons['.git/index']).toBe('the index brings docs/a: no Edit rule covers it')
  })

  it('judges submodules by the rules for their files, as the repository around them', { tags: 'long' }, async () => {
    const prepare =
      'git init -q ../lib; (cd ../lib; echo > x; git add -A; git commit -qm l); git init -q; git -c protocol.file.allow=always submodule -q add ../lib wt/src/lib; git -c protocol.file.allow=always submodule -q add ../lib docs/lib; git add -A; git commit -qm s'
    const played = elsewhere(prepare, (root) => [root])
    const looked = await played.play('touch wt/src/lib/x; git -C wt/src/lib status; git status')
    expect(looked.reasons).toEqual({})
    expect((await played.play('cd wt/src/lib; echo b > x; git commit -qam x')).reasons).toEqual({})
    expect((await played.play('cd docs/lib; echo b > x; git commit -qam x')).reasons).toMatchObject({
      '.git/modules/docs/lib/refs/heads/main': 'the index brings x: no Edit rule covers it',
    })
  })

  it('counts the entries of a SHA-256 repository', { tags: 'long' }, async () => {
    const prepare =
      'git init -q --object-format=sha256; mkdir -p wt/src docs; echo a > wt/src/a; echo a > docs/a; git add -A; git commit -qm s'
    const played = elsewhere(prepare, (root) => [root])
    expect((await played.play('echo b > wt/src/a; git commit -qam x')).reasons).toEqual({})
    expect((await played.play('echo b > docs/a; git commit -qam x')).reasons).toMatchObject({
      '.git/refs/heads/main': 'the index brings docs/a: no Edit rule covers it',
    })
  })
})

describe('a line without git', () => {
  const without: PlayOptions = { mayChangeGit: false }
  it.each([
    row('changes no name', 'echo b > src/a; git commit -qam x'),
    row('changes no index', 'echo b > src/a; git add -A'),
    row('changes no HEAD', 'git symbolic-ref HEAD refs/heads/code'),
  ])('$why', async ({ script }) => {
    expect(badIn((await checkout('true').play(script, without)).verdicts).length).toBeGreaterThan(0)
  })

  it('may read: objects and a refreshed index are silently left out', async () => {
    const played = checkout('true')
    const { verdicts, reasons } = await played.play(
      'touch src/a docs/a; git status -s; git write-tree; echo x | git hash-object -w --stdin',
      without,
    )
    expect([inGit(verdicts), reasons]).toEqual([['.git/index skipped'], {}])
  })
})
