import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kept, leftOut, only, rows, series, stopped, undone } from '../EffectRow.ts'
import { gitIn } from '../makeProject.ts'

const GUIDE = 'docs/guide.md'
const py = (...lines: string[]) => ({ files: { 'src/w.py': `import os, shutil, stat, socket\n${lines.join('\n')}\n` } })
const RUN = 'python3 src/w.py'

/** Kinds of files, links, odd names, and what git ignores. */
export const FILES = [
  ...rows(
    'never taken over',
    { policy: { allow: ['Bash', 'Edit(**)'] } },
    ['a nested repository', 'git init -q src/nested', undone('src/nested/.git')],
    [
      'a nested repository in an ignored folder',
      'git init -q node_modules/x',
      undone('node_modules/x/.git'),
      { tolerates: /^\+ node_modules\/x$/ },
    ],
    ['a clone', 'git clone -q . src/clone', undone('src/clone/.git')],
    [
      'a clone in an ignored folder',
      'git clone -q . dist/clone',
      undone('dist/clone/.git'),
      { tolerates: /^\+ dist\/clone\/(?!.*\.git\/)/ },
    ],
    ['a folder of that name', 'mkdir -p src/x/.git', stopped('src/x/.git')],
    ['a file of that name', "printf 'gitdir: ../.git\\n' > src/.git", stopped('src/.git')],
    ['a link of that name', RUN, undone('src/.git'), py("os.symlink('../.git', 'src/.git')")],
    ['a copy of the repository', RUN, undone('src/g/.git'), py("shutil.copytree('.git', 'src/g/.git')")],
    [
      'a repository renamed into place',
      RUN,
      undone('.git'),
      py("shutil.copytree('.git', 'src/g/x')", "os.rename('src/g/x', 'src/g/.git')"),
    ],
    [
      'a worktree below',
      'git worktree add -q dist/wt inside',
      undone('dist/wt/.git'),
      { tolerates: /^\+ dist\/wt\/(?!\.git$)/ },
    ],
    [
      'a bare repository is only files',
      'git init -q --bare src/bare.git && rm -rf src/bare.git && git init -q --bare /tmp/b',
      kept(),
    ],
    ['a set-uid bit', 'chmod u+s src/a.js', undone('src/a.js')],
    ['a set-gid bit', 'chmod g+s src/a.js', undone('src/a.js')],
    ['a new set-uid file', 'install -m 4755 /bin/true src/true', undone('src/true')],
    ['a new set-uid file in an ignored folder', 'install -m 4755 /bin/true dist/true', undone('dist/true')],
    ['a link to a system file', 'ln -s /etc/passwd src/p', undone('src/p')],
    ['a link out by dots', 'ln -s ../../outside src/o', undone('src/o')],
    ['a link to the folder above', 'ln -s ../.. src/up', undone('src/up')],
    ['a link to the root', 'ln -s / src/root', undone('src/root')],
    ['a link to home', 'ln -s "$HOME" src/home', undone('src/home')],
    ['a link through a link', RUN, undone(), py("os.symlink('..', 'src/one')", "os.symlink('one/../..', 'src/two')")],
    [
      'a link that was changed to lead out',
      RUN,
      undone('src/l'),
      {
        ...py("os.remove('src/l')", "os.symlink('/etc', 'src/l')"),
        prepare: ({ project }) => symlinkSync('a.js', join(project, 'src/l')),
      },
    ],
    ['a link out in an ignored folder', 'ln -s /etc/passwd dist/p', undone('dist/p')],
    [
      'a link that lies there and leads out stays',
      'echo x > src/new.js; cp -P src/old src/old2; rm src/old2',
      kept('+ src/new.js'),
      { prepare: ({ project, outside }) => symlinkSync(outside, join(project, 'src/old')) },
    ],
    ['a link inside by its whole path', 'ln -s "$PWD/src/a.js" src/l', kept('+ src/l')],
    ['a link to itself', 'ln -s l src/l', only('+ src/l')],
    ['a fifo', 'mkfifo src/f; echo x > src/new.js', kept('+ src/new.js'), { watched: kept('+ src/new.js') }],
    [
      'a socket',
      RUN,
      kept('+ src/new.js'),
      py('s = socket.socket(socket.AF_UNIX)', "s.bind('src/s')", "open('src/new.js', 'w').close()"),
    ],
    [
      'a fifo in the place of a file',
      RUN,
      kept('- docs/guide.md'),
      py("os.remove('docs/guide.md')", "os.mkfifo('docs/guide.md')"),
    ],
    ['a device', 'mknod src/null c 1 3', only(), { policy: { allow: ['Bash', 'Edit(**)'] } }],
  ),
  ...rows(
    'never taken over, in the simplest policy',
    {},
    [
      'a fifo in the place of a file',
      RUN,
      undone(GUIDE),
      py("os.remove('docs/guide.md')", "os.mkfifo('docs/guide.md')"),
    ],
    [
      'a fifo in the place of a covered file',
      RUN,
      only('- src/a.js'),
      py("os.remove('src/a.js')", "os.mkfifo('src/a.js')"),
    ],
  ),
  ...rows(
    'hard links',
    {},
    [
      'to a file that no rule covers',
      'ln docs/guide.md src/g.md',
      kept('+ src/g.md'),
      { watched: kept('+ src/g.md'), tolerates: /^l / },
    ],
    [
      'and written through',
      RUN,
      undone(GUIDE),
      py("os.link('docs/guide.md', 'src/g.md')", "open('src/g.md', 'a').write('x')"),
    ],
    ['from a covered file', RUN, leftOut(['docs/a.js']), py("os.link('src/a.js', 'docs/a.js')")],
    ['between covered files', 'ln src/a.js src/a2.js', only('+ src/a2.js', 'l src/a.js'), { enforced: 'see below' }],
    [
      'one that lay there, written by its covered name',
      'echo x >> src/g.md',
      only('~ src/g.md'),
      {
        prepare: ({ project }) => linkSync(join(project, GUIDE), join(project, 'src/g.md')),
        tolerates: /^l /,
        watched: undone(GUIDE),
      },
    ],
    [
      'one that lay there, written by its other name',
      RUN,
      undone(GUIDE),
      {
        ...py("open('docs/guide.md', 'a').write('x')"),
        prepare: ({ project }) => linkSync(join(project, GUIDE), join(project, 'src/g.md')),
        tolerates: /^l /,
      },
    ],
    [
      'one to a file elsewhere that lay there',
      'echo x >> src/k.txt',
      only('~ src/k.txt', 'l ../outside/keep.txt'),
      {
        prepare: ({ project, outside }) => linkSync(join(outside, 'keep.txt'), join(project, 'src/k.txt')),
        watched: only('~ src/k.txt', '~ ../outside/keep.txt'),
      },
    ],
  ),
  series(
    'hard links',
    'made by one call, written by the next',
    [
      ['ln docs/guide.md src/g.md', only()],
      ['echo x >> src/g.md; true', only('+ src/g.md')],
    ],
    { watched: 'the first is undone there' },
  ),
  ...rows(
    'odd names, inside',
    {},
    ['a newline', RUN, kept('+ src/a\nb.js'), py("open('src/a\\nb.js', 'w').close()")],
    ['not UTF-8', RUN, leftOut([]), py("open(b'src/\\xff\\xfe.js', 'w').close()")],
    [
      'a leading dash',
      RUN,
      kept('+ src/-rf', '+ src/--'),
      py("open('src/-rf', 'w').close()", "open('src/--', 'w').close()"),
    ],
    ['255 bytes', RUN, kept(`+ src/${'n'.repeat(255)}`), py("open('src/' + 'n' * 255, 'w').close()")],
    [
      'blanks, stars, quotes, backslashes',
      RUN,
      kept('+ src/ a*b?[c]\'"\\ '),
      py(`open('src/ a*b?[c]\\'"\\\\ ', 'w').close()`),
    ],
    [
      'escape sequences',
      RUN,
      kept('+ src/\u001b[31mred\u001b[0m'),
      py("open('src/\\x1b[31mred\\x1b[0m', 'w').close()"),
    ],
    [
      'not composed',
      RUN,
      kept('+ src/u\u0308.js', '+ src/\u00fc.js'),
      py("open('src/u\\u0308.js', 'w').close()", "open('src/\\u00fc.js', 'w').close()"),
    ],
    [
      'deeper than a path may be long',
      RUN,
      kept(`+ src/${`${'d'.repeat(200)}/`.repeat(24)}f`),
      {
        ...py(
          "os.chdir('src')",
          'for i in range(24):',
          "  os.mkdir('d' * 200)",
          "  os.chdir('d' * 200)",
          "open('f', 'w').close()",
        ),
        skip: () => 'the state of such a tree cannot be read by paths',
      },
    ],
    [
      'deep',
      RUN,
      kept(`+ src/${'d/'.repeat(300)}f`),
      py("os.makedirs('src/' + 'd/' * 300)", "open('src/' + 'd/' * 300 + 'f', 'w').close()"),
    ],
    [
      'whiteouts by their names',
      RUN,
      kept('+ src/.wh.a.js', '+ src/.wh..wh..opq'),
      py("open('src/.wh.a.js', 'w').close()", "open('src/.wh..wh..opq', 'w').close()"),
    ],
    [
      'names of patterns',
      RUN,
      kept('+ src/**', '+ src/!a', '+ src/#b'),
      py("open('src/**', 'w').close()", "open('src/!a', 'w').close()", "open('src/#b', 'w').close()"),
    ],
  ),
  ...rows(
    'odd names, outside',
    {},
    ['a newline', RUN, leftOut([]), py("open('docs/a\\nb', 'w').close()")],
    [
      'a newline that reads like a covered one',
      RUN,
      leftOut([]),
      py("os.mkdir('docs\\nsrc')", "open('docs\\nsrc/b', 'w').close()"),
    ],
    ['not UTF-8', RUN, leftOut([]), py("open(b'docs/\\xff', 'w').close()")],
    [
      'not UTF-8, where only the wrong bytes tell it from src',
      RUN,
      leftOut([]),
      py("os.mkdir(b'src\\xff')", "open(b'src\\xff/x', 'w').close()"),
    ],
    [
      'an existing one, not UTF-8',
      RUN,
      undone(),
      {
        ...py("open(b'docs/\\xff', 'w').write('x')"),
        prepare: ({ project }) => writeFileSync(Buffer.from(`${project}/docs/\xff`, 'latin1'), 'mine'),
      },
    ],
    [
      'an existing one with a newline',
      RUN,
      undone(),
      {
        ...py("open('docs/a\\nb', 'w').write('x')"),
        files: { ...py("open('docs/a\\nb', 'w').write('x')").files, 'docs/a\nb': 'mine' },
      },
    ],
    ['escape sequences', RUN, leftOut([]), py("open('docs/\\x1b[31mred', 'w').close()")],
    ['another case', RUN, leftOut(['SRC']), py("os.mkdir('SRC')", "open('SRC/x.js', 'w').close()")],
    ['a pattern as a name', RUN, leftOut([]), py("os.mkdir('**')", "open('**/x', 'w').close()")],
    [
      'dots that look like the folder above',
      RUN,
      leftOut(['...']),
      py("os.mkdir('...')", "open('.../x', 'w').close()"),
    ],
  ),
  ...rows(
    'ignored',
    {},
    ['a build', 'rm -rf dist && mkdir -p dist/js && echo 1 > dist/js/a.js', kept('- dist/old.js', '+ dist/js/a.js')],
    ['a file in a build', 'echo 1 > dist/old.js', kept('~ dist/old.js')],
    [
      'packages',
      'rm -rf node_modules && mkdir -p node_modules/other && echo 1 > node_modules/other/index.js',
      kept('- node_modules/dep/index.js', '- node_modules/dep/package.json', '+ node_modules/other/index.js'),
    ],
    [
      'links among packages',
      'mkdir -p node_modules/.bin && ln -s ../dep/index.js node_modules/.bin/dep',
      kept('+ node_modules/.bin/dep'),
    ],
    [
      'a log',
      'node src/w.js',
      kept('+ debug.log'),
      { files: { 'src/w.js': "import fs from 'node:fs'\nfs.writeFileSync('debug.log', 'x')\n" } },
    ],
    ['caches of python', 'python3 -m compileall -q src', kept('+ src/__pycache__/w.cpython-311.pyc'), py('x = 1')],
    [
      'by info/exclude',
      RUN,
      kept('+ out/x'),
      {
        ...py("os.mkdir('out')", "open('out/x', 'w').close()"),
        prepare: ({ project }) => writeFileSync(join(project, '.git/info/exclude'), 'out/\n'),
      },
    ],
    [
      'by a nested ignore file',
      RUN,
      kept('+ docs/build/x'),
      {
        ...py("os.mkdir('docs/build')", "open('docs/build/x', 'w').close()"),
        prepare: ({ project }) => writeFileSync(join(project, 'docs/.gitignore'), 'build/\n'),
      },
    ],
    [
      'five thousand files',
      RUN,
      only(),
      {
        ...py(
          "os.makedirs('dist/many')",
          "for i in range(5000): open('dist/many/%d' % i, 'w').close()",
          "shutil.rmtree('dist/many')",
        ),
      },
    ],
    [
      'a virtual environment',
      'python3 -m venv --without-pip .venv && rm -rf .venv/lib64 && find .venv -type f -delete && ls -l .venv/bin',
      only(
        '+ .venv/bin/python',
        '+ .venv/bin/python3',
        '+ .venv/bin/python3.11',
        '+ .venv/include/python3.11',
        '+ .venv/lib/python3.11/site-packages',
      ),
      { prepare: ({ project }) => writeFileSync(join(project, '.git/info/exclude'), '.venv\n') },
    ],
    [
      'a tracked file that a rule would ignore',
      'echo x > dist/old.js',
      stopped('dist/old.js'),
      {
        prepare: ({ project }) => {
          gitIn(project, 'add', '-f', 'dist/old.js')
          gitIn(project, 'commit', '-qm', 'x')
        },
      },
    ],
    [
      'an ignore file that the line writes',
      RUN,
      undone('.gitignore'),
      py("open('.gitignore', 'a').write('report/\\n')", "os.mkdir('report')", "open('report/x', 'w').close()"),
    ],
    [
      'a new ignore file that the line writes',
      RUN,
      leftOut(['docs/x']),
      py("open('docs/.gitignore', 'w').write('*\\n')", "open('docs/x', 'w').close()"),
    ],
    [
      'a covered ignore file that the line writes',
      RUN,
      leftOut(['docs/x'], '+ docs/.gitignore'),
      {
        ...py("open('docs/.gitignore', 'w').write('*\\n')", "open('docs/x', 'w').close()"),
        policy: { allow: ['Bash', 'Edit(**/.gitignore)'] },
      },
    ],
    [
      'a deny, new',
      RUN,
      leftOut(['dist/new.js']),
      {
        ...py("open('dist/new.js', 'w').close()"),
        policy: { allow: ['Bash', 'Edit(src/**)'], deny: ['Edit(dist/**)'] },
      },
    ],
    [
      'a deny, existing',
      RUN,
      undone('dist/old.js'),
      {
        ...py("open('dist/old.js', 'w').close()"),
        policy: { allow: ['Bash', 'Edit(src/**)'], deny: ['Edit(dist/**)'] },
      },
    ],
    [
      'a secret that git ignores',
      RUN,
      only(),
      { ...py("os.chmod('.env', 0o600)", "open('.env', 'w').write('x')"), watched: stopped('.env') },
    ],
    ['a secret that git ignores, removed', RUN, only(), { ...py("os.remove('.env')"), watched: stopped('.env') }],
    ['moved from ignored to nowhere', RUN, undone(), py("shutil.move('dist', 'out')")],
    [
      'an ignored file moved into src',
      RUN,
      kept('- dist/old.js', '+ src/old.js'),
      py("os.rename('dist/old.js', 'src/old.js')"),
    ],
  ),
  series('ignored', 'an ignore file of one call counts for the next', [
    ['echo "*.tmp" > src/.gitignore', kept('+ src/.gitignore')],
    ['echo 1 > src/x.tmp', kept('+ src/x.tmp')],
  ]),
  ...rows(
    'writable',
    { policy: { allow: ['Bash', 'Edit(src/**)'], sandbox: 'writable: [data]' } },
    [
      'a folder that is bound',
      RUN,
      kept('+ data/x'),
      {
        ...py("open('data/x', 'w').close()"),
        prepare: ({ project }) => mkdirSync(join(project, 'data')),
        watched: 'such a folder is for the sandbox',
      },
    ],
    [
      'what lies in it',
      RUN,
      kept('~ data/old', '+ data/b'),
      {
        files: { ...py("open('data/old', 'w').close()", "open('data/b', 'w').close()").files, 'data/old': 'x' },
        watched: 'such a folder is for the sandbox',
      },
    ],
    [
      'beside it',
      RUN,
      leftOut(['data2']),
      {
        ...py("os.mkdir('data2')", "open('data2/x', 'w').close()"),
        prepare: ({ project }) => mkdirSync(join(project, 'data')),
      },
    ],
    [
      'a link out of it',
      RUN,
      only('+ data/l'),
      {
        ...py("os.symlink('../docs/guide.md', 'data/l')", "open('data/l', 'w').write('x')"),
        prepare: ({ project }) => mkdirSync(join(project, 'data')),
        watched: 'such a folder is for the sandbox',
        enforced: 'the command is undone, the bound folder is not',
      },
    ],
    [
      'a link out of it, what it leads to',
      RUN,
      only('+ data/l'),
      {
        ...py("os.symlink('../docs/guide.md', 'data/l')", "open('data/l', 'w').write('x')"),
        prepare: ({ project }) => mkdirSync(join(project, 'data')),
        watched: 'such a folder is for the sandbox',
      },
    ],
  ),
  ...rows(
    'large',
    {},
    [
      'a large file that no rule covers',
      RUN,
      undone('docs/big.bin'),
      {
        ...py("open('docs/big.bin', 'r+b').write(b'x')"),
        prepare: ({ project }) => execFileSync('truncate', ['-s', '50M', join(project, 'docs/big.bin')]),
      },
    ],
    [
      'two thousand files of which one is not covered',
      RUN,
      undone(GUIDE),
      py("for i in range(2000): open('src/f%d' % i, 'w').close()", "os.remove('docs/guide.md')"),
    ],
    [
      'two thousand covered files',
      RUN,
      only(),
      py(
        "os.mkdir('src/many')",
        "for i in range(2000): open('src/many/f%d' % i, 'w').close()",
        "shutil.rmtree('src/many')",
      ),
    ],
  ),
]
