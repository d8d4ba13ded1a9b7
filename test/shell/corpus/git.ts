import { type Everyday, everyday } from './row.ts'

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
