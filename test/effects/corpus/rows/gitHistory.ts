import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { denied, kept, only, type RowFolders, rows, stopped, undone } from '../EffectRow.ts'
import { gitIn, writeFiles } from '../makeProject.ts'
import { py } from './scripts.ts'

const GUIDE = 'docs/guide.md'

/** What a commit, the index or a moved branch brings that no rule covers. */
export const GIT_HISTORY = [
  ...rows(
    'git, its own files',
    {},
    ['config', 'git config core.fsmonitor ./src/x', stopped()],
    ['config of a worktree', 'git config --worktree core.hooksPath src', stopped()],
    ['remote add', 'git remote add x https://example.com/x', stopped()],
    ['a hook by a redirect', 'echo x > .git/hooks/pre-commit', stopped()],
    [
      'a hook by a program',
      py("os.makedirs('.git/hooks', exist_ok=True)", "open('.git/hooks/pre-commit', 'w').write('x')"),
      stopped('.git/hooks/pre-commit'),
    ],
    [
      'the config by a program',
      py("open('.git/config', 'a').write('[core]\\n\\tfsmonitor = ./src/x\\n')"),
      undone('.git/config'),
    ],
    [
      'config.worktree',
      py("open('.git/config.worktree', 'w').write('[core]\\n\\tfsmonitor = ./src/x\\n')"),
      stopped('.git/config.worktree'),
    ],
    [
      'info/attributes',
      py("os.makedirs('.git/info', exist_ok=True)", "open('.git/info/attributes', 'w').write('* filter=x\\n')"),
      stopped('.git/info/attributes'),
    ],
    ['info/exclude', py("open('.git/info/exclude', 'w').write('*\\n')"), stopped('.git/info/exclude')],
    ['info/grafts', py("open('.git/info/grafts', 'w').write('')"), stopped('.git/info/grafts')],
    ['commondir', py("open('.git/commondir', 'w').write('../src/x')"), stopped('.git/commondir')],
    [
      'alternates',
      py(
        "os.makedirs('.git/objects/info', exist_ok=True)",
        "open('.git/objects/info/alternates', 'w').write('/tmp\\n')",
      ),
      stopped('alternates'),
    ],
    [
      'a module\u2019s config',
      py("os.makedirs('.git/modules/x')", "open('.git/modules/x/config', 'w').write('[core]\\n')"),
      stopped('.git/modules/x/config'),
    ],
    ['an unknown file', py("open('.git/evil', 'w').write('x')"), stopped('.git/evil')],
    ['the folder replaced', py("shutil.move('.git', 'src/g')", "os.symlink('src/g', '.git')"), undone()],
    ['the folder gone', 'rm -rf .git', stopped()],
    [
      'init again with a template',
      'git init -q --template=src/t',
      stopped(),
      { files: { 'src/t/hooks/pre-commit': '#!/bin/sh\n' } },
    ],
    [
      'HEAD as a link',
      py(
        "os.remove('.git/HEAD')",
        "os.symlink('../src/h', '.git/HEAD')",
        "open('src/h', 'w').write('ref: refs/heads/main\\n')",
      ),
      undone('.git/HEAD'),
    ],
    ['a ref as a link', py("os.symlink('/etc/hostname', '.git/refs/heads/x')"), stopped('.git/refs/heads/x')],
    [
      'a submodule that is not there yet',
      'git submodule add -q ./src/r src/sub',
      only(),
      { prepare: ({ project }) => void gitIn(project, 'init', '-q', '/tmp/none') },
    ],
    ['a lock that is left', py("open('.git/index.lock', 'w').close()"), only()],
  ),
  ...rows(
    'git, without a rule for it',
    { policy: { allow: ['Bash(node *)', 'Bash(python3 *)', 'Edit(src/**)'] } },
    ['git is denied', 'git commit -qam x', denied()],
    [
      'a program commits',
      py(
        "open('src/a.js', 'a').write('//')",
        "subprocess.run(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qam', 'x'])",
      ),
      undone('.git'),
    ],
    [
      'a program moves a ref',
      py("subprocess.run(['git', 'update-ref', 'refs/heads/main', 'outside'])"),
      undone('.git'),
    ],
    ['a program writes an object', py("subprocess.run(['git', 'hash-object', '-w', 'src/w.py'])"), only()],
    [
      'a program only looks',
      py("print(subprocess.run(['git', 'log', '--oneline'], capture_output=True).stdout)"),
      kept(),
      { shows: 'one' },
    ],
    ['a program refreshes the index', py("os.utime('README.md')", "subprocess.run(['git', 'status'])"), only()],
  ),
  ...rows(
    'git, a linked worktree',
    { prepare: linked, gitMayMove: true, tolerates: /outside\/main\/\.git\/(?:objects|logs|worktrees)/ },
    [
      'commit',
      'echo x >> src/a.js && git commit -qam x',
      only('~ src/a.js', '~ git:index/src/a.js', '~ git:refs/heads/linked', '~ ../outside/main/.git/refs/heads/linked'),
      {},
    ],
    ['a branch of the main checkout', 'git update-ref refs/heads/main outside', undone(GUIDE)],
    [
      'a hook of the main checkout',
      'python3 src/w.py',
      stopped(),
      {
        prepare: ({ project }) =>
          writeFiles(project, {
            'src/w.py':
              "import os\np = open('.git').read().split(' ')[1].strip() + '/../../hooks'\nos.makedirs(p, exist_ok=True)\nopen(p + '/pre-commit', 'w').write('x')\n",
          }),
      },
    ],
    [
      'files of the main checkout',
      'python3 src/w.py',
      only(),
      {
        prepare: ({ project }) =>
          writeFiles(project, {
            'src/w.py': "try:\n  open('../outside/main/README.md', 'w').write('x')\nexcept OSError as e:\n  print(e)\n",
          }),
        watched: 'no wall around files elsewhere',
      },
    ],
  ),
]

/** The project becomes a linked worktree of a checkout that lies elsewhere. */
function linked({ project, outside }: RowFolders): void {
  const main = join(outside, 'main')
  renameSync(project, main)
  gitIn(main, 'worktree', 'add', '-q', '-b', 'linked', project)
  mkdirSync(join(project, 'dist'))
}
