import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { denied, kept, only, type RowFolders, rows, stopped, undone } from '../EffectRow.ts'
import { gitIn, writeFiles } from '../makeProject.ts'

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
      'python3 src/w.py',
      stopped('.git/hooks/pre-commit'),
      {
        files: {
          'src/w.py':
            "import os\nos.makedirs('.git/hooks', exist_ok=True)\nopen('.git/hooks/pre-commit', 'w').write('x')\n",
        },
      },
    ],
    [
      'the config by a program',
      'python3 src/w.py',
      undone('.git/config'),
      { files: { 'src/w.py': "open('.git/config', 'a').write('[core]\\n\\tfsmonitor = ./src/x\\n')\n" } },
    ],
    [
      'config.worktree',
      'python3 src/w.py',
      stopped('.git/config.worktree'),
      { files: { 'src/w.py': "open('.git/config.worktree', 'w').write('[core]\\n\\tfsmonitor = ./src/x\\n')\n" } },
    ],
    [
      'info/attributes',
      'python3 src/w.py',
      stopped('.git/info/attributes'),
      {
        files: {
          'src/w.py':
            "import os\nos.makedirs('.git/info', exist_ok=True)\nopen('.git/info/attributes', 'w').write('* filter=x\\n')\n",
        },
      },
    ],
    [
      'info/exclude',
      'python3 src/w.py',
      stopped('.git/info/exclude'),
      { files: { 'src/w.py': "open('.git/info/exclude', 'w').write('*\\n')\n" } },
    ],
    [
      'info/grafts',
      'python3 src/w.py',
      stopped('.git/info/grafts'),
      { files: { 'src/w.py': "open('.git/info/grafts', 'w').write('')\n" } },
    ],
    [
      'commondir',
      'python3 src/w.py',
      stopped('.git/commondir'),
      { files: { 'src/w.py': "open('.git/commondir', 'w').write('../src/x')\n" } },
    ],
    [
      'alternates',
      'python3 src/w.py',
      stopped('alternates'),
      {
        files: {
          'src/w.py':
            "import os\nos.makedirs('.git/objects/info', exist_ok=True)\nopen('.git/objects/info/alternates', 'w').write('/tmp\\n')\n",
        },
      },
    ],
    [
      'a module\u2019s config',
      'python3 src/w.py',
      stopped('.git/modules/x/config'),
      {
        files: {
          'src/w.py':
            "import os\nos.makedirs('.git/modules/x')\nopen('.git/modules/x/config', 'w').write('[core]\\n')\n",
        },
      },
    ],
    [
      'an unknown file',
      'python3 src/w.py',
      stopped('.git/evil'),
      { files: { 'src/w.py': "open('.git/evil', 'w').write('x')\n" } },
    ],
    [
      'the folder replaced',
      'python3 src/w.py',
      undone(),
      { files: { 'src/w.py': "import os, shutil\nshutil.move('.git', 'src/g')\nos.symlink('src/g', '.git')\n" } },
    ],
    ['the folder gone', 'rm -rf .git', stopped()],
    [
      'init again with a template',
      'git init -q --template=src/t',
      stopped(),
      { files: { 'src/t/hooks/pre-commit': '#!/bin/sh\n' } },
    ],
    [
      'HEAD as a link',
      'python3 src/w.py',
      undone('.git/HEAD'),
      {
        files: {
          'src/w.py':
            "import os\nos.remove('.git/HEAD')\nos.symlink('../src/h', '.git/HEAD')\nopen('src/h', 'w').write('ref: refs/heads/main\\n')\n",
        },
      },
    ],
    [
      'a ref as a link',
      'python3 src/w.py',
      stopped('.git/refs/heads/x'),
      { files: { 'src/w.py': "import os\nos.symlink('/etc/hostname', '.git/refs/heads/x')\n" } },
    ],
    [
      'a submodule that is not there yet',
      'git submodule add -q ./src/r src/sub',
      only(),
      { prepare: ({ project }) => void gitIn(project, 'init', '-q', '/tmp/none') },
    ],
    [
      'a lock that is left',
      'python3 src/w.py',
      only(),
      { files: { 'src/w.py': "open('.git/index.lock', 'w').close()\n" } },
    ],
  ),
  ...rows(
    'git, without a rule for it',
    { policy: { allow: ['Bash(node *)', 'Bash(python3 *)', 'Edit(src/**)'] } },
    ['git is denied', 'git commit -qam x', denied()],
    [
      'a program commits',
      'python3 src/w.py',
      undone('.git'),
      {
        files: {
          'src/w.py':
            "import subprocess\nopen('src/a.js', 'a').write('//')\nsubprocess.run(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qam', 'x'])\n",
        },
      },
    ],
    [
      'a program moves a ref',
      'python3 src/w.py',
      undone('.git'),
      {
        files: {
          'src/w.py': "import subprocess\nsubprocess.run(['git', 'update-ref', 'refs/heads/main', 'outside'])\n",
        },
      },
    ],
    [
      'a program writes an object',
      'python3 src/w.py',
      only(),
      { files: { 'src/w.py': "import subprocess\nsubprocess.run(['git', 'hash-object', '-w', 'src/w.py'])\n" } },
    ],
    [
      'a program only looks',
      'python3 src/w.py',
      kept(),
      {
        files: {
          'src/w.py':
            "import subprocess\nprint(subprocess.run(['git', 'log', '--oneline'], capture_output=True).stdout)\n",
        },
        shows: 'one',
      },
    ],
    [
      'a program refreshes the index',
      'python3 src/w.py',
      only(),
      { files: { 'src/w.py': "import subprocess, os\nos.utime('README.md')\nsubprocess.run(['git', 'status'])\n" } },
    ],
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
        files: {},
        prepare: (folders) => {
          linked(folders)
          writeFiles(folders.project, {
            'src/w.py':
              "import os\np = open('.git').read().split(' ')[1].strip() + '/../../hooks'\nos.makedirs(p, exist_ok=True)\nopen(p + '/pre-commit', 'w').write('x')\n",
          })
        },
      },
    ],
    [
      'files of the main checkout',
      'python3 src/w.py',
      only(),
      {
        prepare: (folders) => {
          linked(folders)
          writeFiles(folders.project, {
            'src/w.py': "try:\n  open('../outside/main/README.md', 'w').write('x')\nexcept OSError as e:\n  print(e)\n",
          })
        },
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
