import { kept, only, rows, series, stopped, together, undone } from '../EffectRow.ts'
import { SECRET, writeFiles } from '../makeProject.ts'

const GUIDE = 'docs/guide.md'
const py = (...lines: string[]) => ({ files: { 'src/w.py': `import os, shutil, stat, socket\n${lines.join('\n')}\n` } })
const RUN = 'python3 src/w.py'
const ALL = { allow: ['Bash', 'Edit(**)'] }

/** Places that are protected whatever is allowed. */
const PLACES: readonly (readonly [path: string, why: string])[] = [
  ['.github/workflows/ci.yml', 'GitHub runs it'],
  ['.github/workflows/new.yml', 'GitHub runs it'],
  ['.github/actions/x/action.yml', 'GitHub runs it'],
  ['.npmrc', 'it steers npm'],
  ['.mcp.json', 'it steers agents'],
  ['.claude/settings.json', 'it steers agents'],
  ['.kode/policy.yml', 'it steers agents'],
  ['.vscode/tasks.json', 'it steers editors'],
  ['.husky/pre-commit', 'git runs it'],
  ['.gitattributes', 'it names programs that git runs'],
  ['src/.gitattributes', 'it names programs that git runs, at any depth'],
  ['.gitmodules', 'it steers git'],
  ['.envrc', 'shells run it'],
  ['.gitlab-ci.yml', 'CI runs it'],
  ['.pre-commit-config.yaml', 'hooks run what it names'],
  ['src/.npmrc', 'at any depth'],
  ['.GitHub/Workflows/ci.yml', 'whatever its case'],
]

export const PROTECTED = [
  ...rows(
    'protected',
    { policy: ALL },
    ...PLACES.map(
      ([path, why]) =>
        [
          `${path}: ${why}`,
          RUN,
          stopped(path.split('/')[0] ?? ''),
          py(`os.makedirs(os.path.dirname('${path}') or '.', exist_ok=True)`, `open('${path}', 'w').write('x')`),
        ] as const,
    ),
    [
      'in an ignored folder it is as ignored as the rest',
      RUN,
      kept('+ node_modules/x/.npmrc', '+ node_modules/x/.github/workflows/a.yml'),
      py(
        "os.makedirs('node_modules/x/.github/workflows')",
        "open('node_modules/x/.npmrc', 'w').close()",
        "open('node_modules/x/.github/workflows/a.yml', 'w').close()",
      ),
    ],
    [
      'one that exists is removed',
      RUN,
      undone('.github/workflows/ci.yml'),
      py("os.remove('.github/workflows/ci.yml')"),
    ],
    ['its folder is renamed', RUN, undone(), py("shutil.move('.github', 'hub')")],
    [
      'a folder is renamed to it',
      RUN,
      stopped(),
      py(
        "os.makedirs('x/workflows')",
        "open('x/workflows/a.yml', 'w').close()",
        "shutil.rmtree('.github')",
        "os.rename('x', '.github')",
      ),
    ],
    [
      'one named by a rule may be changed',
      RUN,
      kept('~ .github/workflows/ci.yml'),
      {
        ...py("open('.github/workflows/ci.yml', 'w').write('x')"),
        policy: { allow: ['Bash', 'Edit(.github/workflows/**)'] },
      },
    ],
    [
      'a deny by its pattern',
      RUN,
      undone(GUIDE),
      { ...py("open('docs/guide.md', 'w').write('x')"), policy: { ...ALL, deny: ['Edit(docs/**)'] } },
    ],
    [
      'a deny of a name anywhere',
      RUN,
      undone('package.json'),
      { ...py("open('package.json', 'w').write('{}')"), policy: { ...ALL, deny: ['Edit(package.json)'] } },
    ],
    [
      'a deny of Edit at all',
      RUN,
      undone('src/a.js'),
      { ...py("open('src/a.js', 'w').write('')"), policy: { allow: ['Bash'], deny: ['Edit'] } },
    ],
    [
      'no Edit rule at all',
      RUN,
      undone('src/a.js'),
      { ...py("open('src/a.js', 'w').write('')"), policy: { allow: ['Bash'] } },
    ],
    [
      'Edit without a path',
      RUN,
      kept('~ docs/guide.md'),
      { ...py("open('docs/guide.md', 'w').write('x')"), policy: { allow: ['Bash', 'Edit'] } },
    ],
  ),
  ...rows(
    'the tools',
    {},
    ['Write outside', { name: 'Write', input: { file_path: 'docs/new.md', content: 'x' } }, stopped('docs/new.md')],
    ['Write inside', { name: 'Write', input: { file_path: 'src/new.js', content: 'x' } }, kept('+ src/new.js')],
    ['Write elsewhere', { name: 'Write', input: { file_path: '../outside/new', content: 'x' } }, stopped()],
    [
      'Write through a link',
      { name: 'Write', input: { file_path: 'src/d/new.md', content: 'x' } },
      stopped(),
      {
        prepare: ({ project }) => {
          writeFiles(project, {})
          linkTo(project)
        },
      },
    ],
    ['a nested repository', { name: 'Write', input: { file_path: 'src/x/.git', content: 'gitdir: ../..' } }, stopped()],
  ),
  ...rows(
    'elsewhere',
    {},
    ['a redirect', 'echo x > ../outside/new', stopped('outside/new')],
    [
      'a program',
      RUN,
      only(),
      {
        ...py('try:', "  open('../outside/new', 'w').write('x')", 'except OSError as e:', '  print(e)'),
        watched: only('+ ../outside/new'),
      },
    ],
    [
      'a program, an existing file',
      RUN,
      only(),
      {
        ...py('try:', "  open('../outside/keep.txt', 'w').write('x')", 'except OSError as e:', '  print(e)'),
        watched: only('~ ../outside/keep.txt'),
      },
    ],
    ['home', RUN, only(), { ...py("open(os.path.expanduser('~/x'), 'w').write('x')"), watched: only('+ ../home/x') }],
    [
      'a login file of home',
      RUN,
      only(),
      { ...py("open(os.path.expanduser('~/.bashrc'), 'w').write('x')"), watched: only('+ ../home/.bashrc') },
    ],
    [
      '/etc',
      RUN,
      only(),
      py(
        'try:',
        "  open('/etc/kode-run-test', 'w').write('x')",
        "  os.remove('/etc/kode-run-test')",
        'except OSError as e:',
        '  print(e)',
      ),
    ],
    [
      'the folder above the checkout',
      RUN,
      only(),
      { ...py('try:', "  os.mkdir('../made')", 'except OSError as e:', '  print(e)'), watched: only('+ ../made') },
    ],
    [
      'the checkout itself is renamed',
      RUN,
      only(),
      {
        ...py(
          'try:',
          "  os.rename('.', '../other')",
          'except OSError as e:',
          '  print(e)',
          'try:',
          "  os.rename(os.getcwd(), os.getcwd() + '2')",
          'except OSError as e:',
          '  print(e)',
        ),
        watched: 'nothing holds a checkout in its place there',
      },
    ],
  ),
]

function linkTo(project: string): void {
  writeFiles(project, {})
  symlink('../docs', `${project}/src/d`)
}

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
    ['python', 'python3 src/r.py; true', only(), { files: { 'src/r.py': "print(open('conf/key.yml').read())\n" } }],
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
      'python3 src/r.py; true',
      only(),
      {
        files: {
          'src/r.py':
            "import os\ntry:\n  os.chmod('conf/key.yml', 0o644)\nexcept OSError as e:\n  print(e)\nprint(open('conf/key.yml').read())\n",
        },
      },
    ],
    ['by a link', 'ln -s ../conf/key.yml src/k; cat src/k; rm -f src/k', only()],
    [
      'by a hard link',
      'python3 src/r.py; true',
      only(),
      {
        files: {
          'src/r.py':
            "import os\ntry:\n  os.link('conf/key.yml', '/tmp/k')\n  print(open('/tmp/k').read())\nexcept OSError as e:\n  print(e)\n",
        },
      },
    ],
    [
      'the folder renamed',
      'python3 src/r.py; true',
      only(),
      {
        tolerates: /^\+ src\/c\//,
        files: {
          'src/r.py':
            "import os, shutil\ntry:\n  shutil.move('conf', 'src/c')\n  print(open('src/c/key.yml').read())\nexcept OSError as e:\n  print(e)\n",
        },
      },
    ],
    ['/proc/self/root', 'cat /proc/self/root$PWD/conf/key.yml; true', only()],
    [
      '/proc/self/cwd',
      'python3 src/r.py; true',
      only(),
      { files: { 'src/r.py': "print(open('/proc/self/cwd/conf/key.yml').read())\n" } },
    ],
    [
      'a new one of its own',
      'python3 src/r.py; true',
      only(),
      {
        files: {
          'src/r.py':
            "try:\n  open('conf/mine.yml', 'w').write('mine')\n  print(open('conf/mine.yml').read())\nexcept OSError as e:\n  print(e)\n",
        },
      },
    ],
    [
      'it is not changed either',
      'python3 src/r.py; true',
      only(),
      {
        files: {
          'src/r.py':
            "import os\ntry:\n  os.chmod('conf/key.yml', 0o644)\n  open('conf/key.yml', 'w').write('x')\nexcept OSError as e:\n  print(e)\n",
        },
      },
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
    ['.env by a program', 'python3 src/r.py; true', only(), { files: { 'src/r.py': "print(open('.env').read())\n" } }],
    ['.env by grep -r', 'grep -r TOKEN . ; true', only()],
    ['.env by sh', 'sh src/r.sh; true', only(), { files: { 'src/r.sh': '. ./.env\necho "$TOKEN"\n' } }],
    [
      'a key at any depth',
      'python3 src/r.py; true',
      only(),
      { files: { 'src/r.py': "print(open('src/deep/server.pem').read())\n", 'src/deep/server.pem': SECRET } },
    ],
    [
      'a key of ssh',
      'python3 src/r.py; true',
      only(),
      { files: { 'src/r.py': "print(open('docs/id_ed25519').read())\n", 'docs/id_ed25519': SECRET } },
    ],
    ['a template is no secret', 'cat .env.example', kept(), { files: { '.env.example': 'TOKEN=\n' }, shows: 'TOKEN=' }],
    ['a file of home', 'cat ~/notes.txt; true', only()],
    [
      'a file of home by a program',
      'python3 src/r.py; true',
      only(),
      { files: { 'src/r.py': "import os\nprint(open(os.path.expanduser('~/notes.txt')).read())\n" } },
    ],
    ['home in a listing', 'ls -la ~ && find ~ -type f | head; true', only()],
    [
      'a login of home',
      'python3 src/r.py; true',
      only(),
      {
        files: { 'src/r.py': "import os\nprint(open(os.path.expanduser('~/.netrc')).read())\n" },
        prepare: ({ home }) => writeFiles(home, { '.netrc': SECRET }),
      },
    ],
    [
      'beside the checkout',
      'python3 src/r.py; true',
      only(),
      {
        files: { 'src/r.py': "print(open('../outside/secret.txt').read())\n" },
        prepare: ({ outside }) => writeFiles(outside, { 'secret.txt': SECRET }),
      },
    ],
    [
      'an operand beside the checkout',
      'cat ../outside/secret.txt',
      stopped(),
      { prepare: ({ outside }) => writeFiles(outside, { 'secret.txt': SECRET }) },
    ],
    [
      'a deny by pattern at any depth',
      'python3 src/r.py; true',
      only(),
      {
        policy: { allow: ['Bash', 'Edit(src/**)'], deny: ['Read(*.sqlite)'] },
        files: { 'src/r.py': "print(open('src/x/data.sqlite').read())\n", 'src/x/data.sqlite': SECRET },
      },
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

import { symlinkSync as symlink } from 'node:fs'
import { gitIn } from '../makeProject.ts'

function commitAll(project: string): void {
  gitIn(project, 'add', '-A')
  gitIn(project, 'commit', '-qm', 'all')
}
