import { beforeAll, describe, expect, it } from 'vitest'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import { type PlayedCheckout, playChanges } from '../../helpers/effects/playChanges.ts'
import { sampled } from '../../helpers/sampled.ts'
import { table } from '../../helpers/table.ts'

/** `main`: src/a and docs/a; the branch `other` has another docs/a, the branch `code` another src/a. */
const START = [
  'git init -q; mkdir src docs; echo a > src/a; echo a > docs/a; git add -A; git commit -qm start',
  'git checkout -qb other; echo o > docs/a; git commit -qam other',
  'git checkout -qb code main; echo c > src/a; git commit -qam code; git checkout -q main',
].join('\n')

let start: PlayedCheckout
beforeAll(() => {
  start = playChanges(/^/)
  start.prepare(START)
})

function checkout(prepare: string): PlayedCheckout {
  const played = playChanges(/^src(?:\/|$)/)
  played.startFrom(start.root)
  if (prepare !== 'true') played.prepare(prepare)
  return played
}

const inGit = (verdicts: readonly string[]) => verdicts.filter((line) => line.startsWith('.git/'))
const badIn = (verdicts: readonly string[]) => verdicts.filter((line) => / (?:refused|never)$/.test(line))

describe('git changes within the rules', () => {
  const within = table`
    a commit of all that is changed, on an unborn branch
      | git update-ref -d HEAD; git commit -qm x | git rm -q --cached docs/a; git commit -qm gone
    a new branch, a tag and an annotated tag on what is there
      | git branch x other; git checkout -qb y; git tag v1 other; git tag -a v2 -m x main
    a branch that is put back over a covered commit | git branch -f code main
    a merge, and one that stops with a conflict | git merge -q code || true | echo m > src/a; git commit -qam m
    an interactive rebase that stops
      | GIT_SEQUENCE_EDITOR="sed -i s/pick/edit/" git rebase -qi HEAD~1 | echo m > src/a; git commit -qam m
    a cherry-pick of two that stops
      | git cherry-pick code code~1..code >/dev/null 2>&1 || true | echo m > src/a; git commit -qam m
    git am that stops
      | git format-patch -q -o ../p code~1..code; git am -q ../p/* 2>/dev/null || true
      | echo m > src/a; git commit -qam m
    packed refs, and refs that were packed before
      | git pack-refs --all; git checkout -qb z; echo b > src/a; git commit -qam x | git pack-refs --all
    an index of another version | git update-index --index-version 4; echo b > src/a; git add src
  `
  it.each(sampled(within, 1, 5))('%s', async (_, script = '', prepare = 'true') => {
    const { verdicts, reasons } = await checkout(prepare).play(script)
    expect([badIn(verdicts), reasons]).toEqual([[], {}])
  })

  it('needs two git processes for an ordinary commit, and none for an index', async () => {
    const played = checkout('true')
    expect((await played.play('echo b > src/a; git commit -qam x')).processes).toBe(2)
    expect((await played.play('echo b > src/a; git add -A')).processes).toBe(0)
    const refreshed = await played.play('touch docs/a; git status -s')
    expect([inGit(refreshed.verdicts), refreshed.processes]).toEqual([['.git/index skipped'], 0])
  })

  it('drops the identity and the upstream of a branch: both are only for the command', { tags: 'long' }, async () => {
    const played = checkout('git remote add origin ..; git update-ref refs/remotes/origin/far code')
    const script =
      'git config user.name x; git config user.email x@y; git checkout -q far; echo b > src/a; git commit -qam x'
    const { verdicts, reasons } = await played.play(script)
    expect([verdicts.filter((line) => line.startsWith('.git/config')), reasons]).toEqual([['.git/config skipped'], {}])
  })

  it('lets git pack existing objects, and keeps the old copies', { tags: 'long' }, async () => {
    const played = checkout('true')
    const { verdicts, reasons } = await played.play('git gc -q --prune=now; git repack -adq')
    expect([badIn(verdicts), reasons]).toEqual([[], {}])
    const removed = await played.play('rm -rf .git/objects/??')
    expect([removed.verdicts, removed.reasons]).toEqual([[], {}])
  })

  it('leaves out caches and leftovers', { tags: 'long' }, async () => {
    const played = checkout('true')
    const script =
      'git commit-graph write; git repack -q; git multi-pack-index write; touch .git/index.lock .git/objects/tmp_obj_x'
    expect(badIn((await played.play(script)).verdicts)).toEqual([])
  })
})

describe('git changes beyond the rules', () => {
  const beyond = table`
    a path hidden from git | git update-index --skip-worktree docs/a
    a path that git is told not to look at | git update-index --assume-unchanged docs/a
    a tag of such a commit | git tag v1 $(git commit-tree -p HEAD -m x other^{tree})
    an annotated tag of a tree | git tag -a v1 -m x other^{tree}
    a branch in packed-refs alone
      | h=$(git commit-tree -p HEAD -m x other^{tree}); echo "$h refs/heads/x" >> .git/packed-refs | git pack-refs --all
    such a branch beside a name that is not UTF-8
      | h=$(git commit-tree -p HEAD -m x other^{tree}); printf "$h refs/heads/x\\n$h refs/heads/\\377\\n" >> .git/packed-refs; git rev-parse -q --verify refs/heads/x
      | git pack-refs --all
    a moved branch that is packed | git update-ref refs/heads/code other; git pack-refs --all
    a submodule in a commit
      | git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),lib; git commit -qm x; git rm -q --cached lib
    a path of git itself in a tree
      | t=$(printf "100644 blob $(git rev-parse :src/a)\\tx" |git mktree); t=$(printf "040000 tree $t\\tx" |git mktree); git update-ref refs/heads/x $(git commit-tree -p HEAD -m x $t)
    a ref that git reads, and nothing else
      | h=$(git commit-tree -p HEAD -m x other^{tree}); printf "$h\\trefs/heads/x\\n" >> .git/packed-refs
      | git pack-refs --all
    one that is named twice
      | h=$(git commit-tree -p HEAD -m x other^{tree}); (printf "$h refs/heads/code\\n"; cat .git/packed-refs) > p; mv p .git/packed-refs
      | git pack-refs --all
    one that ends elsewhere | git rev-parse other >> .git/shallow | git rev-parse HEAD > .git/shallow
    a split index | git update-index --split-index; echo b > src/a; git add src
    a commit that is not there | echo 1234567812345678123456781234567812345678 > .git/refs/heads/main
    a branch that led aside before the run
      | git update-ref refs/remotes/origin/x other
      | git update-ref refs/remotes/origin/x code; git symbolic-ref refs/heads/x refs/remotes/origin/x
    a branch with another white space at its end
      | printf "ref: refs/heads/main\\302\\240\\n" > .git/HEAD | git branch "main$(printf "\\302\\240")" other
    a name that is no text
      | printf "ref: refs/heads/main\\377\\n" > .git/HEAD
      | cp .git/refs/heads/other ".git/refs/heads/main$(printf "\\377")"
    a branch that names a tree | git rev-parse HEAD^{tree} > .git/refs/heads/x
    HEAD of another worktree
      | git rev-parse code > .git/worktrees/wt/HEAD | git worktree add -q ../wt other --detach; git branch -D other
  `
  it.each(sampled(beyond, 1, 10))('%s', async (_, script = '', prepare = 'true') => {
    expect(badIn((await checkout(prepare).play(script)).verdicts).length).toBeGreaterThan(0)
  })

  it('names the path, and the ref that brings it', { tags: 'long' }, async () => {
    const played = checkout('true')
    expect((await played.play('echo b > docs/a; git commit -qam x')).reasons['.git/HEAD']).toBeUndefined()
    const { reasons } = await played.play('git checkout -q other')
    expect(reasons['.git/HEAD']).toBe('the index brings docs/a: no Edit rule covers it')
    const { reasons: byName } = await played.play('git symbolic-ref HEAD refs/heads/other')
    expect(byName['.git/HEAD']).toBe('HEAD brings docs/a: no Edit rule covers it')
  })

  it('knows the value of a ref that was removed earlier', { tags: 'long' }, async () => {
    const played = checkout('true')
    await played.play('git branch -qD code', { keep: true })
    expect(badIn((await played.play('git branch code other')).verdicts)).toEqual(['.git/refs/heads/code refused'])
    expect(badIn((await played.play('git branch elsewhere other')).verdicts)).toEqual([])
  })
})

/** Commits one after the other, each with `content` in docs/a; prints the last. */
const CHAIN = `chain() {
  tip=HEAD
  for content in "$@"; do
    export GIT_INDEX_FILE=$PWD/../index; git read-tree $tip
    git update-index --cacheinfo 100644,$(echo $content | git hash-object -w --stdin),docs/a
    tip=$(git commit-tree -p $tip -m $content $(git write-tree)); unset GIT_INDEX_FILE
  done
  echo $tip
}
`

describe('a history with changes that its ends do not show', () => {
  const hidden = table`
    a branch whose last commit takes back the one before | git update-ref refs/heads/main $(chain b a)
    a new branch of that kind | git branch x $(chain b a)
    a new tag of that kind | git tag v1 $(chain b a)
    one that a merge takes back
      | git update-ref refs/heads/main $(git commit-tree -p HEAD -p $(chain b) -m x HEAD^{tree})
    a merge of what was there that is no state of either, and a commit that takes it back
      | m=$(git commit-tree -p HEAD -p other -m m other^{tree}); git branch x $(git commit-tree -p $m -m y HEAD^{tree})
    one behind an end of history | git branch x $(chain b a) | git rev-parse HEAD > .git/shallow
    one that a name holds that nobody judged | git tag v1 refs/remotes/origin/x
  `
  it.each(sampled(hidden, 0, 3))('is refused: %s', async (_, script = '', prepare = 'true') => {
    const played = checkout(prepare)
    if (script.includes('origin/x')) {
      const aside = await played.play(`${CHAIN}git update-ref refs/remotes/origin/x $(chain b)`, { keep: true })
      expect(badIn(aside.verdicts)).toEqual([])
    }
    const { reasons } = await played.play(CHAIN + script)
    expect(Object.values(reasons).some((why) => /^commit [0-9a-f]{10} brings docs\/a: /.test(why))).toBe(true)
  })

  it('is refused for a stash that this run made', { tags: 'long' }, async () => {
    const played = checkout('true')
    const stash = await played.play('echo b > docs/a; git stash -q', { keep: true })
    expect(badIn(stash.verdicts)).toEqual([])
    const { verdicts } = await played.play("git branch x 'stash@{0}'; git tag v1 'stash@{0}'")
    expect(badIn(verdicts)).toEqual(['.git/refs/heads/x refused', '.git/refs/tags/v1 refused'])
  })

  it.each([
    ['a stash', 'echo b > docs/a; git stash -q', "git branch x 'stash@{0}'"],
    ['a note', 'git update-ref refs/notes/x $(git commit-tree -p HEAD -m x other^{tree})', 'git tag v1 refs/notes/x'],
  ])(
    'is refused of %s that lay there at the start: an earlier run may have made it',
    { tags: 'long' },
    async (_, prepare, script) => {
      const { verdicts } = await checkout(prepare).play(script)
      expect(badIn(verdicts)).not.toEqual([])
    },
  )

  it('is fine if each commit is covered: a merge, a shallow clone, a new root', { tags: 'long' }, async () => {
    const merge = 'git checkout -qb x; echo m > src/m; git add -A; git commit -qm m; git merge -q --no-edit code'
    expect((await checkout('true').play(merge)).reasons).toEqual({})
    const more = 'echo 1 > src/a; git commit -qam 1; echo 2 > src/a; git commit -qam 2; git branch y HEAD~1'
    expect((await checkout('git rev-parse HEAD > .git/shallow').play(more)).reasons).toEqual({})
    const root = 'git checkout -q --orphan z; echo z > src/a; git commit -qam z'
    expect((await checkout('true').play(root)).reasons).toEqual({})
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
