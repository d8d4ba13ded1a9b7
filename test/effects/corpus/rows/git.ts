import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kept, leftOut, only, type RowFolders, rows, series, stopped, undone } from '../EffectRow.ts'
import { gitIn } from '../makeProject.ts'

const GUIDE = 'docs/guide.md'
const MAIN = '~ git:refs/heads/main'

/** Git is judged by what it changes: the work tree, the index, and what a moved branch brings. */
export const GIT = [
  ...rows(
    'git, inside',
    { gitMayMove: true },
    ['status', 'git status --short && git diff && git log --oneline', kept(), { shows: 'one' }],
    ['add', 'echo x > src/new.js && git add src', kept('+ src/new.js', '+ git:index/src/new.js')],
    [
      'add and commit',
      'echo x > src/new.js && git add src && git commit -qm new',
      kept('+ src/new.js', '+ git:index/src/new.js', MAIN),
    ],
    ['commit -a', 'echo x >> src/a.js && git commit -qam more', kept('~ src/a.js', '~ git:index/src/a.js', MAIN)],
    [
      'commit --amend',
      'echo x >> src/a.js && git commit -qam more && git commit -q --amend -m other',
      kept('~ src/a.js', '~ git:index/src/a.js', MAIN),
    ],
    [
      'mv',
      'git mv src/b.js src/c.js',
      kept('- src/b.js', '+ src/c.js', '- git:index/src/b.js', '+ git:index/src/c.js'),
    ],
    ['rm', 'git rm -q src/b.js', kept('- src/b.js', '- git:index/src/b.js')],
    ['rm --cached', 'git rm -q --cached src/b.js', kept('- git:index/src/b.js')],
    ['a new branch', 'git switch -qc topic', kept('~ git:HEAD', '+ git:refs/heads/topic')],
    [
      'another branch that differs in src',
      'git checkout -q inside',
      kept('~ git:HEAD', '~ src/b.js', '+ src/only.js', '~ git:index/src/b.js', '+ git:index/src/only.js'),
    ],
    ['there and back', 'git checkout -q inside && git checkout -q main', kept()],
    ['even to what differs in docs, and back', 'git checkout -q outside && git checkout -q main', kept()],
    ['a detached head', 'git checkout -q --detach', kept('~ git:HEAD')],
    [
      'merge',
      'git merge -q inside',
      kept(MAIN, '~ src/b.js', '+ src/only.js', '~ git:index/src/b.js', '+ git:index/src/only.js'),
    ],
    [
      'merge --no-ff',
      'git merge -q --no-ff -m m inside',
      kept(MAIN, '~ src/b.js', '+ src/only.js', '~ git:index/src/b.js', '+ git:index/src/only.js'),
    ],
    [
      'cherry-pick',
      'git cherry-pick inside',
      kept(MAIN, '~ src/b.js', '+ src/only.js', '~ git:index/src/b.js', '+ git:index/src/only.js'),
    ],
    [
      'reset --hard',
      'git reset -q --hard inside',
      kept(MAIN, '~ src/b.js', '+ src/only.js', '~ git:index/src/b.js', '+ git:index/src/only.js'),
    ],
    ['restore', 'echo x >> src/a.js && git restore src/a.js', kept()],
    ['a file of another branch', 'git checkout -q inside -- src/b.js', kept('~ src/b.js', '~ git:index/src/b.js')],
    ['clean', 'touch src/x src/y && git clean -fdq src', kept()],
    ['tag', 'git tag v2', kept('+ git:refs/tags/v2')],
    ['notes', 'git notes add -m note', kept('+ git:refs/notes/commits')],
    ['gc', 'git gc -q', kept()],
    ['repack and prune', 'git repack -adq && git prune && git pack-refs --all', kept()],
    [
      'a worktree elsewhere, and away again',
      'git worktree add -q /tmp/wt inside && git worktree remove /tmp/wt',
      kept(),
    ],
    ['stash', 'echo x >> src/a.js && git stash -q', kept('+ git:refs/stash')],
    ['stash and pop', 'echo x >> src/a.js && git stash -q && git stash pop -q', kept('~ src/a.js')],
    [
      'a rebase',
      'git checkout -q inside && echo x >> src/a.js && git commit -qam x && git rebase -q main',
      kept(
        '~ git:HEAD',
        '~ git:refs/heads/inside',
        '~ src/a.js',
        '~ src/b.js',
        '+ src/only.js',
        '~ git:index/src/a.js',
        '~ git:index/src/b.js',
        '+ git:index/src/only.js',
      ),
    ],
    ['a revert', 'git merge -q inside && git revert --no-edit HEAD', kept(MAIN)],
    ['format-patch to a folder of src', 'git format-patch -q -o src/p --root inside~1', kept('+ src/p/0001-one.patch')],
    ['archive to a file of src', 'git archive -o src/a.tar HEAD', kept('+ src/a.tar')],
  ),
  series(
    'git, inside',
    'several calls',
    [
      ['echo x > src/new.js', kept('+ src/new.js')],
      ['git add -A', kept('+ git:index/src/new.js')],
      ['git commit -qm new', kept(MAIN)],
      ['git show --stat HEAD', kept()],
    ],
    { gitMayMove: true, shows: 'src/new.js' },
  ),
  series(
    'git, inside',
    'stash and pop in calls of their own',
    [
      ['echo x >> src/a.js', kept('~ src/a.js')],
      ['git stash', kept()],
      ['git stash pop', kept()],
    ],
    { gitMayMove: true },
  ),
  ...rows(
    'git, outside',
    {},
    ['mv', 'git mv docs/guide.md src/guide.md', stopped(GUIDE)],
    ['rm', 'git rm -q docs/guide.md', stopped(GUIDE)],
    ['rm --cached', 'git rm -rq --cached docs', undone('docs/')],
    ['a branch that differs in docs', 'git checkout -q outside', undone(GUIDE)],
    ['switch', 'git switch -q outside', undone(GUIDE)],
    ['a file of another branch', 'git checkout -q outside -- docs/guide.md', stopped(GUIDE)],
    ['all files of another branch', 'git checkout -q outside -- .', undone(GUIDE)],
    ['restore --source', 'git restore --source=outside .', undone(GUIDE)],
    ['merge', 'git merge -q outside', undone(GUIDE)],
    ['merge --squash', 'git merge -q --squash outside', undone(GUIDE)],
    ['cherry-pick', 'git cherry-pick outside', undone(GUIDE)],
    ['cherry-pick -n', 'git cherry-pick -n outside', undone(GUIDE)],
    ['reset --hard', 'git reset -q --hard outside', undone(GUIDE)],
    ['reset --soft: the work tree is as it was', 'git reset -q --soft outside', undone(GUIDE)],
    ['reset --mixed', 'git reset -q outside', undone(GUIDE)],
    ['rebase', 'git rebase -q outside', undone(GUIDE)],
    ['pull from a folder', 'git pull -q . outside', undone(GUIDE)],
    ['fetch into a branch', 'git fetch -q . +outside:inside', undone()],
    ['push into a branch', 'git push -q . +outside:inside', undone()],
    ['update-ref', 'git update-ref refs/heads/main outside', undone(GUIDE)],
    ['branch -f', 'git branch -f inside outside', undone(GUIDE)],
    ['symbolic-ref', 'git symbolic-ref HEAD refs/heads/outside', undone(GUIDE)],
    [
      'update-index --cacheinfo',
      'git update-index --cacheinfo "100644,$(git rev-parse HEAD:src/a.js),docs/guide.md"',
      undone(GUIDE),
    ],
    [
      'update-index --add --cacheinfo',
      'git update-index --add --cacheinfo "100644,$(git rev-parse HEAD:src/a.js),docs/new.md"',
      stopped('docs/new.md'),
    ],
    [
      'update-index --index-info',
      `printf '100644 %s\\tdocs/guide.md\\n' "$(git rev-parse HEAD:src/a.js)" | git update-index --index-info`,
      undone(GUIDE),
    ],
    ['update-index --chmod', 'git update-index --chmod=+x docs/guide.md', undone(GUIDE)],
    ['read-tree', 'git read-tree outside', undone(GUIDE)],
    ['read-tree -u --prefix', 'git read-tree -u --prefix=out/ HEAD:src', stopped('out/')],
    [
      'checkout-index --prefix',
      'git checkout-index --prefix=docs/ -f src/a.js && cp docs/src/a.js src/z.js',
      leftOut(['docs/src'], '+ src/z.js'),
      {},
    ],
    [
      'a commit that is made by hand',
      'git update-ref HEAD "$(git commit-tree -m x -p HEAD outside^{tree})"',
      undone(GUIDE),
    ],
    [
      'a commit of another work tree',
      'GIT_WORK_TREE=/tmp/w; export GIT_WORK_TREE; mkdir -p /tmp/w/docs && echo x > /tmp/w/docs/guide.md && git add docs/guide.md && git commit -qm x',
      undone(GUIDE),
      { landlock: '/tmp is closed' },
    ],
    [
      'a commit by another index',
      'GIT_INDEX_FILE=/tmp/i; export GIT_INDEX_FILE; git read-tree outside && git commit -qm x',
      undone(GUIDE),
      { landlock: '/tmp is closed' },
    ],
    [
      'fast-import',
      `printf 'commit refs/heads/inside\\ncommitter a <a@b> 1 +0000\\ndata 1\\nx\\nfrom refs/heads/inside^0\\nM 100644 inline docs/guide.md\\ndata 5\\nother\\n' | git fast-import --quiet --force`,
      undone(GUIDE),
    ],
    ['a commit of what lay staged in docs', 'git commit -qm x', undone(GUIDE), { prepare: staged }],
    ['stash takes what was changed in docs', 'git stash -q', undone(GUIDE), { prepare: edited }],
    ['checkout takes back what was changed in docs', 'git checkout -q .', undone(GUIDE), { prepare: edited }],
    ['commit -a of what was changed in docs', 'git commit -qam x', undone(GUIDE), { prepare: edited }],
    ['add -A of what was changed in docs', 'git add -A', undone(GUIDE), { prepare: edited }],
    [
      'add -A of what lay untracked in docs',
      'git add -A',
      stopped('docs/mine.md'),
      { files: { 'docs/mine.md': 'mine\n' } },
    ],
    [
      'clean takes what lay untracked in docs',
      'git clean -fdq',
      undone('docs/mine.md'),
      { files: { 'docs/mine.md': 'mine\n' } },
    ],
    [
      'clean -x takes what is ignored, and not .env',
      'git clean -fdxq',
      only('- dist/old.js', '- node_modules/dep/index.js', '- node_modules/dep/package.json'),
      // What git ignores is not put back, as it is not looked at.
      {
        watched: {
          ...stopped('.env'),
          changes: ['- dist/old.js', '- node_modules/dep/index.js', '- node_modules/dep/package.json'],
        },
      },
    ],
    ['a rebase that brings docs', 'git checkout -q inside && git rebase -q outside', undone(GUIDE)],
    [
      'a bundle',
      'git fetch -q src/b.bundle outside:inside --force',
      undone(GUIDE),
      { prepare: ({ project }) => void gitIn(project, 'bundle', 'create', '-q', 'src/b.bundle', 'outside') },
    ],
  ),
]

function staged({ project }: RowFolders): void {
  writeFileSync(join(project, GUIDE), 'staged\n')
  gitIn(project, 'add', GUIDE)
}

function edited({ project }: RowFolders): void {
  appendFileSync(join(project, GUIDE), 'mine\n')
}
