import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kept, leftOut, only, rows, series, stopped, undone } from '../EffectRow.ts'
import { gitIn } from '../makeProject.ts'
import { js, py } from './scripts.ts'

const GUIDE = 'docs/guide.md'

/** Odd names, changed folders, and what git ignores. */
export const IGNORED_FILES = [
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
    ['a log', js("fs.writeFileSync('debug.log', 'x')"), kept('+ debug.log')],
    [
      'caches of python',
      { ...py('x = 1'), line: 'python3 -m compileall -q src' },
      kept('+ src/__pycache__/w.cpython-311.pyc'),
    ],
    [
      'by info/exclude',
      py("os.mkdir('out')", "open('out/x', 'w').close()"),
      kept('+ out/x'),
      { prepare: ({ project }) => writeFileSync(join(project, '.git/info/exclude'), 'out/\n') },
    ],
    [
      'by a nested ignore file',
      py("os.mkdir('docs/build')", "open('docs/build/x', 'w').close()"),
      kept('+ docs/build/x'),
      { prepare: ({ project }) => writeFileSync(join(project, 'docs/.gitignore'), 'build/\n') },
    ],
    [
      'five thousand files',
      py(
        "os.makedirs('dist/many')",
        "for i in range(5000): open('dist/many/%d' % i, 'w').close()",
        "shutil.rmtree('dist/many')",
      ),
      only(),
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
      py("open('.gitignore', 'a').write('report/\\n')", "os.mkdir('report')", "open('report/x', 'w').close()"),
      undone('.gitignore'),
    ],
    [
      'a new ignore file that the line writes',
      py("open('docs/.gitignore', 'w').write('*\\n')", "open('docs/x', 'w').close()"),
      leftOut(['docs/x']),
    ],
    [
      'a covered ignore file that the line writes',
      py("open('docs/.gitignore', 'w').write('*\\n')", "open('docs/x', 'w').close()"),
      leftOut(['docs/x'], '+ docs/.gitignore'),
      { policy: { allow: ['Bash', 'Edit(**/.gitignore)'] } },
    ],
    [
      'a deny, new',
      py("open('dist/new.js', 'w').close()"),
      leftOut(['dist/new.js']),
      { policy: { allow: ['Bash', 'Edit(src/**)'], deny: ['Edit(dist/**)'] } },
    ],
    [
      'a deny, existing',
      py("open('dist/old.js', 'w').close()"),
      undone('dist/old.js'),
      { policy: { allow: ['Bash', 'Edit(src/**)'], deny: ['Edit(dist/**)'] } },
    ],
    [
      'a secret that git ignores',
      py("os.chmod('.env', 0o600)", "open('.env', 'w').write('x')"),
      only(),
      { watched: stopped('.env') },
    ],
    ['a secret that git ignores, removed', py("os.remove('.env')"), only(), { watched: stopped('.env') }],
    // What git ignores is not kept where there is no view, so that nobody can tell what was moved.
    [
      'moved from ignored to nowhere',
      py("shutil.move('dist', 'out')"),
      undone(),
      { watched: leftOut(['out'], '- dist/old.js') },
    ],
    [
      'moved to an ignored name in a new folder',
      py("os.mkdir('out')", "os.rename('dist/old.js', 'out/x.log')"),
      kept('- dist/old.js', '+ out/x.log'),
    ],
    [
      'moved below a folder that took the place of a file',
      py("os.remove('docs/guide.md')", "os.mkdir('docs/guide.md')", "os.rename('dist/old.js', 'docs/guide.md/x.log')"),
      undone(GUIDE),
      { watched: only('- dist/old.js', '+ docs/guide.md.aside-0/x.log'), exit: 'any' },
    ],
    [
      'an ignored file moved into src',
      py("os.rename('dist/old.js', 'src/old.js')"),
      kept('- dist/old.js', '+ src/old.js'),
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
      py("open('data/x', 'w').close()"),
      kept('+ data/x'),
      { prepare: ({ project }) => mkdirSync(join(project, 'data')), watched: 'such a folder is for the sandbox' },
    ],
    [
      'what lies in it',
      py("open('data/old', 'w').close()", "open('data/b', 'w').close()"),
      kept('~ data/old', '+ data/b'),
      { files: { 'data/old': 'x' }, watched: 'such a folder is for the sandbox' },
    ],
    [
      'beside it',
      py("os.mkdir('data2')", "open('data2/x', 'w').close()"),
      leftOut(['data2']),
      { prepare: ({ project }) => mkdirSync(join(project, 'data')) },
    ],
    [
      'a link out of it',
      py("os.symlink('../docs/guide.md', 'data/l')", "open('data/l', 'w').write('x')"),
      only('+ data/l'),
      {
        prepare: ({ project }) => mkdirSync(join(project, 'data')),
        watched: 'such a folder is for the sandbox',
        enforced: 'the command is undone, the bound folder is not',
      },
    ],
    [
      'a link out of it, what it leads to',
      py("os.symlink('../docs/guide.md', 'data/l')", "open('data/l', 'w').write('x')"),
      only('+ data/l'),
      { prepare: ({ project }) => mkdirSync(join(project, 'data')), watched: 'such a folder is for the sandbox' },
    ],
  ),
  ...rows(
    'large',
    {},
    [
      'a large file that no rule covers',
      py("open('docs/big.bin', 'r+b').write(b'x')"),
      undone('docs/big.bin'),
      { prepare: ({ project }) => execFileSync('truncate', ['-s', '50M', join(project, 'docs/big.bin')]) },
    ],
    [
      'two thousand files of which one is not covered',
      py("for i in range(2000): open('src/f%d' % i, 'w').close()", "os.remove('docs/guide.md')"),
      undone(GUIDE),
    ],
    [
      'two thousand covered files',
      py(
        "os.mkdir('src/many')",
        "for i in range(2000): open('src/many/f%d' % i, 'w').close()",
        "shutil.rmtree('src/many')",
      ),
      only(),
    ],
  ),
]
