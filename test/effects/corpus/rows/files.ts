import { linkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { denied, kept, leftOut, only, rows, series, stopped, undone } from '../EffectRow.ts'
import { py } from './scripts.ts'

const GUIDE = 'docs/guide.md'
/** Without a wall around the checkout, a command that names what lies outside of it does not start. */
const UNWALLED = { watched: denied() }

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
    ['a link of that name', py("os.symlink('../.git', 'src/.git')"), undone('src/.git')],
    ['a copy of the repository', py("shutil.copytree('.git', 'src/g/.git')"), undone('src/g/.git')],
    [
      'a repository renamed into place',
      py("shutil.copytree('.git', 'src/g/x')", "os.rename('src/g/x', 'src/g/.git')"),
      undone('.git'),
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
    ['a new set-uid file', 'install -m 4755 /bin/true src/true', undone('src/true'), UNWALLED],
    ['a new set-uid file in an ignored folder', 'install -m 4755 /bin/true dist/true', undone('dist/true'), UNWALLED],
    ['a link to a system file', py("os.symlink('/etc/passwd', 'src/p')"), undone('src/p')],
    ['a link out by dots', 'ln -s ../../outside src/o', undone('src/o'), UNWALLED],
    ['a link to the folder above', 'ln -s ../.. src/up', undone('src/up'), UNWALLED],
    ['a link to the root', 'ln -s / src/root', undone('src/root'), UNWALLED],
    ['a link to home', 'ln -s "$HOME" src/home', undone('src/home'), UNWALLED],
    ['a link through a link', py("os.symlink('..', 'src/one')", "os.symlink('one/../..', 'src/two')"), undone()],
    [
      'a link that was changed to lead out',
      py("os.remove('src/l')", "os.symlink('/etc', 'src/l')"),
      undone('src/l'),
      { prepare: ({ project }) => symlinkSync('a.js', join(project, 'src/l')) },
    ],
    ['a link out in an ignored folder', 'ln -s /etc/passwd dist/p', undone('dist/p'), UNWALLED],
    [
      'a link that lies there and leads out stays',
      'echo x > src/new.js; cp -P src/old src/old2; rm src/old2',
      kept('+ src/new.js'),
      { ...UNWALLED, prepare: ({ project, outside }) => symlinkSync(outside, join(project, 'src/old')) },
    ],
    ['a redirect to a name known at run time', 't=$(echo src/new.js); echo x > "$t"', only('+ src/new.js')],
    ['a link inside by its whole path', 'ln -s "$PWD/src/a.js" src/l', kept('+ src/l')],
    ['a link to itself', 'ln -s l src/l', only('+ src/l')],
    ['a fifo', 'mkfifo src/f; echo x > src/new.js', kept('+ src/new.js'), { watched: kept('+ src/new.js') }],
    [
      'a socket',
      py('s = socket.socket(socket.AF_UNIX)', "s.bind('src/s')", "open('src/new.js', 'w').close()"),
      kept('+ src/new.js'),
    ],
    [
      'a fifo in the place of a file',
      py("os.remove('docs/guide.md')", "os.mkfifo('docs/guide.md')"),
      kept('- docs/guide.md'),
    ],
    ['a device', 'mknod src/null c 1 3', only(), { policy: { allow: ['Bash', 'Edit(**)'] } }],
  ),
  ...rows(
    'never taken over, in the simplest policy',
    {},
    ['a redirect to a name known only at run time', 't=$(echo docs/guide.md); echo x > "$t"', undone(GUIDE)],
    ['a fifo in the place of a file', py("os.remove('docs/guide.md')", "os.mkfifo('docs/guide.md')"), undone(GUIDE)],
    ['a fifo in the place of a covered file', py("os.remove('src/a.js')", "os.mkfifo('src/a.js')"), only('- src/a.js')],
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
      py("os.link('docs/guide.md', 'src/g.md')", "open('src/g.md', 'a').write('x')"),
      undone(GUIDE),
    ],
    ['from a covered file', py("os.link('src/a.js', 'docs/a.js')"), leftOut(['docs/a.js'])],
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
      py("open('docs/guide.md', 'a').write('x')"),
      undone(GUIDE),
      { prepare: ({ project }) => linkSync(join(project, GUIDE), join(project, 'src/g.md')), tolerates: /^l / },
    ],
    [
      'one to a file elsewhere that lay there',
      'echo x >> src/k.txt',
      only('~ src/k.txt', 'l ../outside/keep.txt'),
      {
        prepare: ({ project, outside }) => linkSync(join(outside, 'keep.txt'), join(project, 'src/k.txt')),
        watched: only('~ src/k.txt', '~ ../outside/keep.txt'),
        landlock: 'it sees names, and both are names of one file',
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
    ['a newline', py("open('src/a\\nb.js', 'w').close()"), kept('+ src/a\nb.js')],
    ['not UTF-8', py("open(b'src/\\xff\\xfe.js', 'w').close()"), leftOut([])],
    [
      'a leading dash',
      py("open('src/-rf', 'w').close()", "open('src/--', 'w').close()"),
      kept('+ src/-rf', '+ src/--'),
    ],
    ['255 bytes', py("open('src/' + 'n' * 255, 'w').close()"), kept(`+ src/${'n'.repeat(255)}`)],
    [
      'blanks, stars, quotes, backslashes',
      py(`open('src/ a*b?[c]\\'"\\\\ ', 'w').close()`),
      kept('+ src/ a*b?[c]\'"\\ '),
    ],
    ['escape sequences', py("open('src/\\x1b[31mred\\x1b[0m', 'w').close()"), kept('+ src/\u001b[31mred\u001b[0m')],
    [
      'not composed',
      py("open('src/u\\u0308.js', 'w').close()", "open('src/\\u00fc.js', 'w').close()"),
      kept('+ src/u\u0308.js', '+ src/\u00fc.js'),
    ],
    [
      'deeper than a path may be long',
      py(
        "os.chdir('src')",
        'for i in range(24):',
        "  os.mkdir('d' * 200)",
        "  os.chdir('d' * 200)",
        "open('f', 'w').close()",
      ),
      kept(`+ src/${`${'d'.repeat(200)}/`.repeat(24)}f`),
      { skip: () => 'the state of such a tree cannot be read by paths' },
    ],
    [
      'deep',
      py("os.makedirs('src/' + 'd/' * 300)", "open('src/' + 'd/' * 300 + 'f', 'w').close()"),
      kept(`+ src/${'d/'.repeat(300)}f`),
    ],
    [
      'whiteouts by their names',
      py("open('src/.wh.a.js', 'w').close()", "open('src/.wh..wh..opq', 'w').close()"),
      kept('+ src/.wh.a.js', '+ src/.wh..wh..opq'),
    ],
    [
      'names of patterns',
      py("open('src/**', 'w').close()", "open('src/!a', 'w').close()", "open('src/#b', 'w').close()"),
      kept('+ src/**', '+ src/!a', '+ src/#b'),
    ],
  ),
  ...rows(
    'odd names, outside',
    {},
    ['a newline', py("open('docs/a\\nb', 'w').close()"), leftOut([])],
    [
      'a newline that reads like a covered one',
      py("os.mkdir('docs\\nsrc')", "open('docs\\nsrc/b', 'w').close()"),
      leftOut([]),
    ],
    ['not UTF-8', py("open(b'docs/\\xff', 'w').close()"), leftOut([])],
    [
      'not UTF-8, where only the wrong bytes tell it from src',
      py("os.mkdir(b'src\\xff')", "open(b'src\\xff/x', 'w').close()"),
      leftOut([]),
    ],
    [
      'an existing one, not UTF-8',
      py("open(b'docs/\\xff', 'w').write('x')"),
      undone(),
      { prepare: ({ project }) => writeFileSync(Buffer.from(`${project}/docs/\xff`, 'latin1'), 'mine') },
    ],
    [
      'an existing one with a newline',
      py("open('docs/a\\nb', 'w').write('x')"),
      undone(),
      { files: { 'docs/a\nb': 'mine' } },
    ],
    ['escape sequences', py("open('docs/\\x1b[31mred', 'w').close()"), leftOut([])],
    ['another case', py("os.mkdir('SRC')", "open('SRC/x.js', 'w').close()"), leftOut(['SRC'])],
    ['a pattern as a name', py("os.mkdir('**')", "open('**/x', 'w').close()"), leftOut([])],
    ['dots that look like the folder above', py("os.mkdir('...')", "open('.../x', 'w').close()"), leftOut(['...'])],
  ),
]
