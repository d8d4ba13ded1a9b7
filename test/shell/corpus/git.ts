import { type Attack, attacks, type Everyday, everyday } from './row.ts'

const FILES = { '.git!': '', a: 'a\n', 'sub/x': 'EVIL\n', 'safe/x': 'fine\n' }
const BLOB = '"$(git rev-parse HEAD:sub/x)"'
const TREE = '"$(git rev-parse HEAD:sub)"'
const RULES = { allow: ['git *', 'cat *', 'printf *'], edit: ['sub'] }

/** What nobody wrote there comes to stand in `safe` or `out`. */
const forged = attacks(
  RULES,
  ...[
    `git update-index --cacheinfo 100644,${BLOB},safe/x && git checkout -- . && cat safe/x`,
    `git update-index --add --cacheinfo 100644 ${BLOB} out/x && git checkout -- . && cat out/x`,
    `printf '100644 %s\\tsafe/x\\n' ${BLOB} | git update-index --index-info && git checkout -- . && cat safe/x`,
    `git merge -q "$(printf '100644 blob %s\\tx\\n' ${BLOB} | git mktree | git commit-tree -m x -p HEAD)" || cat sub/x`,
    `git replace "$(git rev-parse HEAD:safe)" ${TREE} && git reset -q --hard && git read-tree HEAD; git reset -q --hard; cat safe/x; cat sub/x`,
    `printf 'tree %s\\nauthor a <a@b> 1 +0000\\ncommitter a <a@b> 1 +0000\\n\\nx\\n' ${TREE} > sub/c && git checkout -q "$(git hash-object -w -t commit sub/c)" && cat x`,
    `printf 'tree %s\\nauthor a <a@b> 1 +0000\\ncommitter a <a@b> 1 +0000\\n\\nx\\n' ${TREE} > sub/c && git checkout -q "$(git hash-object -wtcommit sub/c)" && cat x`,
    `git push -q . ${TREE}:refs/replace/"$(git rev-parse HEAD:safe)" && git checkout -q HEAD -- . && cat safe/x`,
    `git fetch -q . ${TREE}:refs/replace/"$(git rev-parse HEAD:safe)" && git checkout -q HEAD -- . && cat safe/x`,
    `git tag replace/"$(git rev-parse HEAD:safe)" ${TREE} && git fetch -q . 'refs/tags/*:refs/*' && git checkout -q HEAD -- . && cat safe/x`,
    `git fetch -q . "$(printf %s:refs/replace/%s ${TREE} "$(git rev-parse HEAD:safe)")" && git checkout -q HEAD -- . && cat safe/x`,
    `printf %s:refs/replace/%s ${TREE} "$(git rev-parse HEAD:safe)" | git fetch -q --stdin . && git checkout -q HEAD -- . && cat safe/x`,
  ].map((text) => ({ text, files: FILES, shows: 'EVIL' })),
)

const HOOK = '#!/bin/sh\ntouch ROOT/pwned\ncat > /dev/null\n'
/** Bare repositories with a hook, as files that a commit may hold. */
const bare = (folder: string): Record<string, string> => ({
  [`${folder}/HEAD`]: 'ref: refs/heads/main\n',
  [`${folder}/config`]: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
  [`${folder}/objects/x`]: '',
  [`${folder}/refs/.x`]: '',
  [`${folder}/hooks/update`]: HOOK,
})
const REPOSITORIES = {
  ...FILES,
  ...bare('sub/b'),
  ...bare('b'),
  ...bare('bb.git'),
  ...bare('main.git'),
  'settings/HEAD': 'ref: refs/heads/main\n',
  'settings/config':
    '[core]\n\trepositoryformatversion = 0\n\tbare = true\n\talternateRefsCommand = "touch ROOT/pwned;:"\n[tar "tar.gz"]\n\tcommand = "touch ROOT/pwned;cat"\n',
  'settings/objects/x': '',
  'settings/refs/.x': '',
  'settings/hooks/x': '',
}

/** A repository in a folder runs what it names. */
const folders = attacks(
  { allow: ['git *', 'cp *'], edit: ['sub'] },
  ...[
    'git push ROOT/b main',
    'git push file://ROOT/b main',
    'git push FILE://ROOT/b main; git push b main',
    'git push --receive-pack=git-receive-pack -q b main',
  ].map((text) => ({ text: text.replaceAll('ROOT', '"$PWD"'), files: REPOSITORIES })),
  ...[].map((text) => ({ text, files: REPOSITORIES })),
)

/** The same with a folder below that is written whole. */
const targets = attacks(
  { allow: ['git *'], secret: ['safe'] },
  ...[].map((text) => ({ text, files: { '.git!': '', a: 'a\n' } })),
)

const SECRETS = { '.git!': '', a: 'a\n', 'conf/key.x': 'S3CRET\n', 'src/x.ts': 'x\n' }
const shown = attacks(
  { allow: ['git *', 'echo *', 'printf *'], secret: ['conf', 'key.x'] },
  ...[].map((text) => ({ text, files: SECRETS, shows: 'S3CRET' })),
)

/** A word that is known only when it runs is an option after all. */
const options = attacks(
  { allow: ['git *', 'printf *', 'xargs *'] },
  ...[
    "git grep -f -- \"$(printf -- '-Otouch pwned;:')\" -e a; git grep '-Otouch pwned;:' a",
    'git archive HEAD --output="$(printf pwned)"',
  ].map((text) => ({ text, files: { '.git!': '', a: 'a\n', b: 'b\n' } })),
)

const SETTINGS = `[x]
	token = S3CRET
[http "https://github.com/"]
	extraheader = S3CRET
[remote "origin"]
	token = S3CRET
[core]
	sshcommand = S3CRET
	askPass = S3CRET
`
/** Settings that may hold a token. */
const settings = attacks(
  { allow: ['git config --get *', 'git config *', 'git var *'], secret: ['config'] },
  ...['git config --global --get core.sshcommand', 'git config --get core.askPass'].map((text) => ({
    text,
    files: { '.git!': '', 'home/.gitconfig': SETTINGS },
    shows: 'S3CRET',
  })),
)

/** A bundle is a repository in a file, with any tree in it. */
const bundles = attacks(
  { allow: ['git *', 'base64 *', 'cat *'], edit: ['sub', 'n', 'n.bundle'] },
  ...[].map((text) => ({ text, files: { ...FILES, pack: '' }, shows: 'EVIL', unshown: 'a bundle is made of bytes' })),
)

/** A rule that spells an option says nothing of the repository. */
const speltRemotes = attacks(
  { allow: ['git clone --template=t *'], edit: ['sub'] },
  {
    text: 'git clone --template=t -q sub/evil out && cat out/x',
    files: { 'sub/evil/HEAD': '' },
    unshown: 'a repository of files that are written one by one',
  },
)

/** Where there is no remote of that name, `origin` is a folder. */
const noOrigin = attacks(
  { allow: ['git mv *', 'git push origin *', 'mv *', 'cp *', 'mkdir *'], edit: ['src'] },
  ...[].map((text) => ({
    text,
    files: {
      '.git!': '',
      'src/o/HEAD': 'ref: refs/heads/main\n',
      'src/o/config': '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
      'src/o/objects/info/x': '',
      'src/o/refs/heads/x': '',
      'src/o/hooks/pre-receive': '#!/bin/sh\ntouch "$OLDPWD/pwned" ../pwned pwned\n',
    },
    unshown: 'a repository of files that are written one by one',
  })),
)

/** A link that is moved, or that lies in a folder that is moved, leads elsewhere. */
const moved = attacks(
  { allow: ['git mv *', 'cat *', 'echo *', 'sort *'], edit: ['src'] },
  ...[].map((text) => ({ text, files: { '.git!': '', 'src/a': 'a\n', 'src/d/e/l->': '../../pwned' } })),
)

/** Containers and other version control bring links too. */
const brought = attacks(
  { allow: ['docker *', 'svn *', 'gh *', 'echo *'], edit: ['src'] },
  ...[].map((text) => ({ text, files: { 'src/a': 'a\n' }, unshown: 'a program that is seldom installed' })),
)

/** What a folder holds is copied without it, links as they are. */
const dropped = attacks(
  { allow: ['rsync -a src/* dist/*', 'echo *', 'stow *'], edit: ['dist'] },
  ...[].map((text) => ({
    text,
    files: { 'src/deep/p->': '../pwned', 'dist/x': '' },
    unshown: 'a program that is not always installed',
  })),
)

/** The name of a patch is a place. */
const patches = attacks(
  { allow: ['git *'] },
  ...['git format-patch -q --root --suffix=/../pwned HEAD', 'git format-patch -q --root --suffix /../pwned HEAD'].map(
    (text) => ({
      text,
      files: { '.git!': '', a: 'a\n', '0001-one/y': 'y\n' },
    }),
  ),
)

export const GIT_ATTACKS: readonly Attack[] = [
  ...patches,
  ...moved,
  ...brought,
  ...dropped,
  ...noOrigin,
  ...speltRemotes,
  ...forged,
  ...folders,
  ...bundles,
  ...targets,
  ...shown,
  ...options,
  ...settings,
]

const PROJECT = { '.git!': '', 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'README.md': '# x\n', '.env': 'A=1\n' }
/** Without a denied file it does not matter which ones they are. */
const anyFile = everyday(
  { allow: ['git *', 'printf *', 'xargs *'] },
  ...[
    'git log -1 --format=%s -- "$(git rev-parse --show-prefix)README.md"',
    'git diff HEAD -- "$(git rev-parse --show-prefix)src"',
    'git diff --name-only -- "$(printf src)"',
    'git diff --name-only -z -- src | xargs -0 git add --',
    'git diff --stat --end-of-options "$(git merge-base main HEAD)"',
    'git show --stat --format=%s --end-of-options "$(git rev-parse HEAD)"',
  ].map((text) => ({ text, files: PROJECT, isVolatile: true })),
)

const beside = everyday(
  { allow: ['git *', 'printf *', 'echo *', 'find *', 'xargs *', 'date *'], secret: ['.env'], edit: ['fetch.log'] },
  ...[
    'git -P log -3 --format=%s',
    'git log --since="$(date -d yesterday +%F)" --oneline',
    'git log --format=%s --author="$(git config user.name)" -- src',
    'git log --format=%s --end-of-options "$(git rev-parse HEAD~1)..HEAD"',
    'git log --format=%s "HEAD~$(printf 1)"',
    'git diff --no-index src/a.ts src/b.ts',
    'git diff --no-index --stat src/a.ts README.md',
    "find src -name '*.ts' -exec git log -1 --format=%s -- {} \\;",
    "find src -name '*.ts' | xargs git add --",
    'git add -- *.md && git status --short',
    "git log --oneline -- '*.ts'",
    "git grep -n a -- '*.ts' 'src/*'",
    "git rm -q -f --ignore-unmatch -- '*.orig' 'src/b*' && git checkout -q HEAD -- 'src/*.ts'",
    'git commit -q --allow-empty -s -m "$(printf x)"',
    'git commit -q --allow-empty --no-verify -m "- a" -m "$(printf x)"',
    'git stash push -u -m "$(printf x)" && git stash pop -q',
    'git merge --no-ff -m "$(printf x)" HEAD',
    'git update-index --refresh; git update-index --chmod=+x src/a.ts; git update-index -q --really-refresh',
    'git update-index --assume-unchanged README.md',
    'git symbolic-ref --short HEAD',
    'git symbolic-ref HEAD',
    'git replace -l',
    "git diff --stat -- . ':!.env' ':(exclude,top)*.env' && git add -- ':^.env'",
    'git checkout -q HEAD -- .',
    'git restore --staged . && git add . && git reset -q -- . && git status --short',
    'git checkout main -- src && git restore --source=HEAD~1 src/a.ts',

    'git hash-object src/a.ts',
    'git hash-object -w src/a.ts',
    'git submodule status; git submodule update --init --recursive',
    'git checkout -q main -- src && git checkout -- . && git restore src/a.ts && git reset -q HEAD~1 -- src',
    "git log -1 --format=%s 'HEAD@{0 seconds ago}' -- src",
    'git merge -q -s ours -Xours HEAD; git rebase -q HEAD; git cherry-pick -s HEAD~1 2>/dev/null; git cherry-pick --abort; true',
    'git push origin HEAD 2>/dev/null; git push -u origin feature/x 2>/dev/null; git push --force-with-lease origin HEAD:feature/x 2>/dev/null; true',
    'git fetch --depth 1 origin main 2>/dev/null; git pull --rebase origin main 2>/dev/null; git fetch . HEAD:topic/x; true',
    'git add -A && git commit -q --allow-empty -m x && git push upstream HEAD 2>/dev/null; true',
    'git fetch upstream 2>/dev/null && git rebase upstream/main; true',
    'git pull upstream main 2>/dev/null; true',
    'git fetch upstream main 2> fetch.log; true',
    'git checkout -q -b topic/y && git push -u origin topic/y 2>/dev/null; true',
    'git remote add y https://github.com/a/b.git && git remote rename y z && git remote remove z',
    'git remote add fork https://github.com/a/b.git && git remote set-url fork git@github.com:a/b.git && git remote -v',
    'git clone -q --depth 1 -b feature/x https://127.0.0.1:1/a/b.git 2>/dev/null; true',
    'git clone -q . tmp/copy && git worktree add -q tmp/work; git init -q tmp/new',
    'git config --get user.name; git config --get remote.origin.url; git config --get core.bare; git config user.email',
    'git config --get branch.main.merge; git config --local --get init.defaultbranch; git config --type=bool --get core.ignorecase',
  ].map((text) => ({ text, files: PROJECT, isVolatile: true })),
)

export const GIT_EVERYDAY: readonly Everyday[] = [...anyFile, ...beside]
