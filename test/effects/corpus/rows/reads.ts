import { symlinkSync } from 'node:fs'
import { denied, kept, only, rows, series, stopped, together } from '../EffectRow.ts'
import { gitIn, SECRET, writeFiles } from '../makeProject.ts'
import { tried } from './scripts.ts'

const hidden = {
  policy: { allow: ['Bash', 'Edit(src/**)'], deny: ['Read(conf/**)'] },
  hidden: SECRET,
  files: { 'conf/key.yml': `key: ${SECRET}\n`, 'conf/deep/key.txt': `${SECRET}\n` },
}

/** What a Read rule hides never comes to be said, and is not moved to where it can be. */
export const READS = [
  ...rows(
    'hidden by a rule',
    { ...hidden },
    ['cat', 'cat conf/key.yml', stopped()],
    ['cat in a glob', 'cat conf/*; true', only()],
    ['grep -r', 'grep -rn key . ; true', only()],
    ['grep -r of all', "grep -rh '' conf; true", only()],
    ['python', tried("print(open('conf/key.yml').read())"), only()],
    [
      'node',
      'node src/r.js; true',
      only(),
      { files: { 'src/r.js': "import fs from 'node:fs'\nconsole.log(fs.readFileSync('conf/key.yml', 'utf8'))\n" } },
    ],
    [
      'npm test',
      'npm test; true',
      only(),
      {
        files: { 'test/a.test.js': "import fs from 'node:fs'\nconsole.log(fs.readFileSync('conf/key.yml', 'utf8'))\n" },
      },
    ],
    ['tar', 'tar cf - conf | tr -d "\\0"; true', only()],
    ['awk', "awk '{ print }' conf/key.yml", stopped()],
    ['a script in the project', 'sh src/r.sh; true', only(), { files: { 'src/r.sh': 'cat conf/key.yml\n' } }],
    ['find -exec', "find . -name 'key*' -exec cat {} +; true", only()],
    [
      'chmod first',
      tried(
        'try:',
        "  os.chmod('conf/key.yml', 0o644)",
        'except OSError as e:',
        '  print(e)',
        "print(open('conf/key.yml').read())",
      ),
      only(),
    ],
    ['by a link', 'ln -s ../conf/key.yml src/k; cat src/k; rm -f src/k', only()],
    [
      'by a hard link',
      tried(
        'try:',
        "  os.link('conf/key.yml', '/tmp/k')",
        "  print(open('/tmp/k').read())",
        'except OSError as e:',
        '  print(e)',
      ),
      only(),
      { watched: 'the new name is outside of the checkout' },
    ],
    [
      'the folder renamed',
      tried(
        'try:',
        "  shutil.move('conf', 'src/c')",
        "  print(open('src/c/key.yml').read())",
        'except OSError as e:',
        '  print(e)',
      ),
      only(),
      { tolerates: /^\+ src\/c\// },
    ],
    ['/proc/self/root', 'cat /proc/self/root$PWD/conf/key.yml; true', only()],
    ['/proc/self/cwd', tried("print(open('/proc/self/cwd/conf/key.yml').read())"), only()],
    [
      'a new one of its own',
      tried(
        'try:',
        "  open('conf/mine.yml', 'w').write('mine')",
        "  print(open('conf/mine.yml').read())",
        'except OSError as e:',
        '  print(e)',
      ),
      only(),
    ],
    [
      'it is not changed either',
      tried(
        'try:',
        "  os.chmod('conf/key.yml', 0o644)",
        "  open('conf/key.yml', 'w').write('x')",
        'except OSError as e:',
        '  print(e)',
      ),
      only(),
    ],
    [
      'a file that is named in git',
      'git show HEAD:conf/key.yml',
      stopped(),
      { prepare: ({ project }) => void commitAll(project) },
    ],
    ['by the work tree of git', 'git diff --no-index /dev/null conf/key.yml; true', only()],
    ['git add and show', 'git add conf; git show :conf/key.yml; git reset -q; true', only(), { gitMayMove: true }],
  ),
  ...rows(
    'hidden by its name',
    { hidden: SECRET },
    ['.env by cat', 'cat .env', stopped()],
    ['.env by a program', tried("print(open('.env').read())"), only()],
    ['.env by grep -r', 'grep -r TOKEN . ; true', only()],
    ['.env by sh', 'sh src/r.sh; true', only(), { files: { 'src/r.sh': '. ./.env\necho "$TOKEN"\n' } }],
    [
      'a key at any depth',
      tried("print(open('src/deep/server.pem').read())"),
      only(),
      { files: { 'src/deep/server.pem': SECRET } },
    ],
    ['a key of ssh', tried("print(open('docs/id_ed25519').read())"), only(), { files: { 'docs/id_ed25519': SECRET } }],
    ['a template is no secret', 'cat .env.example', kept(), { files: { '.env.example': 'TOKEN=\n' }, shows: 'TOKEN=' }],
    ['a file of home', 'cat ~/notes.txt; true', only()],
    ['a file of home by a program', tried("print(open(os.path.expanduser('~/notes.txt')).read())"), only()],
    ['home in a listing', 'ls -la ~ && find ~ -type f | head; true', only()],
    [
      'a login of home',
      tried("print(open(os.path.expanduser('~/.netrc')).read())"),
      only(),
      { prepare: ({ home }) => writeFiles(home, { '.netrc': SECRET }) },
    ],
    [
      'beside the checkout',
      tried("print(open('../outside/secret.txt').read())"),
      only(),
      { prepare: ({ outside }) => writeFiles(outside, { 'secret.txt': SECRET }) },
    ],
    [
      // A bare `Bash` covers operands too: there the view alone hides what lies beside.
      'an operand beside the checkout',
      'cat /opt/../etc/hostname',
      stopped('/etc/hostname'),
      { policy: { allow: ['Bash(cat *)'] } },
    ],
    [
      'an operand beside the checkout, under a bare Bash',
      'cat ../outside/secret.txt; true',
      only(),
      {
        watched: denied('outside/secret.txt'),
        prepare: ({ outside }) => writeFiles(outside, { 'secret.txt': SECRET }),
      },
    ],
    [
      'a link to what lies beside, under a bare Bash',
      'cat src/link; true',
      only(),
      {
        watched: denied('src/link'),
        prepare: ({ outside, project }) => {
          writeFiles(outside, { 'secret.txt': SECRET })
          symlinkSync('../../outside/secret.txt', `${project}/src/link`)
        },
      },
    ],
    [
      'input from beside the checkout, under a bare Bash',
      'head -1 < ../outside/secret.txt; true',
      only(),
      {
        watched: denied('outside/secret.txt'),
        prepare: ({ outside }) => writeFiles(outside, { 'secret.txt': SECRET }),
      },
    ],
    [
      'a copy to a place beside the checkout, under a bare Bash',
      'cp src/a.js ../outside/a.js; true',
      only(),
      { watched: denied('outside/a.js') },
    ],
    ['output to home, under a bare Bash', 'echo x > ~/made.txt; true', only(), { watched: denied('made.txt') }],
    [
      'an operand beside the checkout that a rule names',
      'cat ../outside/open.txt; true',
      only(),
      {
        policy: { allow: ['Bash', 'Read(../outside/open.txt)'] },
        watched: kept(),
        prepare: ({ outside }) => writeFiles(outside, { 'open.txt': 'open' }),
      },
    ],
    [
      'a deny by pattern at any depth',
      tried("print(open('src/x/data.sqlite').read())"),
      only(),
      { policy: { allow: ['Bash', 'Edit(src/**)'], deny: ['Read(*.sqlite)'] }, files: { 'src/x/data.sqlite': SECRET } },
    ],
    [
      'one that another call made is its own',
      'echo mine > src/new.pem; cat src/new.pem; true',
      only(),
      { policy: { allow: ['Bash', 'Edit(src/**)'] }, enforced: 'see below' },
    ],
  ),
  series(
    'hidden by a rule',
    'copied by one call, read by the next',
    [
      ['cp conf/key.yml src/k.yml; true', only()],
      ['python3 src/r.py; cat src/k.yml; true', only()],
    ],
    {
      tolerates: /^\+ src\/k2?\.yml$/,
      ...hidden,
      files: {
        ...hidden.files,
        'src/r.py':
          "import shutil\ntry:\n  shutil.copyfile('conf/key.yml', 'src/k2.yml')\n  print(open('src/k2.yml').read())\nexcept OSError as e:\n  print(e)\n",
      },
      watched: 'nothing hides a file there',
    },
  ),
  together(
    'hidden by a rule',
    'several that look for it at once',
    [
      ['grep -rh key . ; true', only()],
      ['python3 src/r.py; true', only()],
      ['find . -type f -exec cat {} + ; true', only()],
    ],
    { ...hidden, files: { ...hidden.files, 'src/r.py': "print(open('conf/key.yml').read())\n" } },
  ),
]

function commitAll(project: string): void {
  gitIn(project, 'add', '-A')
  gitIn(project, 'commit', '-qm', 'all')
}
