import { execFileSync } from 'node:child_process'
import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type EffectRow, kept, leftOut, only, rows, undone } from '../EffectRow.ts'
import { py } from './scripts.ts'

const GUIDE = 'docs/guide.md'

const view = rows(
  'escapes, the view',
  {},

  [
    'other owners',
    py("print(attempt(os.chown, 'docs/guide.md', 1, 1))", "print(attempt(os.chown, 'src/a.js', 1, 1))"),
    only(),
    { tolerates: /^o src\/a\.js/ },
  ],
  [
    'times',
    "touch -d '2001-01-01' docs/guide.md; true",
    only(),
    {
      watched: 'a file with the same content has not changed: its time stays as it is',
      also: ({ project }) =>
        statSync(join(project, GUIDE)).mtimeMs === 1_000_000_000_000 ? undefined : 'the time was changed',
      prepare: ({ project }) => utimesSync(join(project, GUIDE), 1_000_000_000, 1_000_000_000),
    },
  ],
  [
    'times of what is not looked at stay',
    "sed -i 's/1/2/' src/a.js",
    only('~ src/a.js'),
    {
      also: ({ project }) =>
        statSync(join(project, GUIDE)).mtimeMs === 1_000_000_000_000 ? undefined : 'the time was changed',
      prepare: ({ project }) => utimesSync(join(project, GUIDE), 1_000_000_000, 1_000_000_000),
    },
  ],
  [
    'attributes',
    py("attempt(os.setxattr, 'docs/guide.md', 'user.evil', b'x')"),
    only(),
    {
      watched: 'extended attributes are not looked at',
      also: ({ project }) => (attributes(join(project, GUIDE)) === '[]' ? undefined : 'an attribute was set'),
    },
  ],
  [
    'a file without a name, linked in',
    py(
      "fd = os.open('src', os.O_TMPFILE | os.O_RDWR, 0o644)",
      "os.write(fd, b'x')",
      "call('linkat', -100, b'/proc/self/fd/%d' % fd, -100, b'src/t', 0x400)",
    ),
    kept('+ src/t'),
  ],
  ['two files exchanged', py("print(call('renameat2', -100, b'src/a.js', -100, b'docs/guide.md', 2))"), undone(GUIDE)],
  [
    'two folders exchanged',
    py(
      "print(call('renameat2', -100, b'src/lib', -100, b'docs/deep', 2))",
      "open('docs/deep/x', 'w').close()",
      "open('docs/guide.md', 'a').write('x')",
    ),
    undone(),
  ],
  [
    'a rename that leaves a whiteout',
    py("print(call('renameat2', -100, b'src/a.js', -100, b'src/z.js', 4))"),
    only(),
    { tolerates: /src\/[az]\.js/ },
  ],
  [
    'through memory',
    py("f = open('docs/guide.md', 'r+b')", 'm = mmap.mmap(f.fileno(), 0)', "m[0:1] = b'X'", 'm.flush()'),
    undone(GUIDE),
  ],
  [
    'a hole',
    py(
      "fd = os.open('docs/guide.md', os.O_RDWR)",
      "print(call('fallocate', fd, 3, ctypes.c_long(0), ctypes.c_long(3)))",
      "os.pwrite(fd, b'Z', 0)",
    ),
    undone(GUIDE),
  ],
  [
    'a descriptor opened again',
    py("fd = os.open('docs/guide.md', os.O_RDONLY)", "open('/proc/self/fd/%d' % fd, 'w').write('x')"),
    undone(GUIDE),
  ],
  [
    'a parent renamed and put back',
    py(
      "os.chdir('docs')",
      "shutil.move('../docs', '../src/d')",
      "open('guide.md', 'a').write('x')",
      "shutil.move(os.path.abspath('../d'), os.path.abspath('../../docs'))",
    ),
    undone(GUIDE),
  ],
  ['a file of a hundred gigabytes, of holes', 'truncate -s 100G src/sparse', only(), { tolerates: /src\/sparse/ }],
  [
    'a core file',
    py('import resource', 'attempt(resource.setrlimit, resource.RLIMIT_CORE, (-1, -1))', 'os.abort()'),
    only(),
    { tolerates: /src\/core/ },
  ],
  ['a folder that nobody may enter', 'mkdir src/x && echo 1 > src/x/f && chmod 0 src/x', only('+ src/x/f')],
  [
    'a folder that nobody may enter, left out',
    py("os.mkdir('closed')", "open('closed/f', 'w').close()", "os.chmod('closed', 0)"),
    leftOut(['closed']),
  ],
  ['a file that nobody may read', 'echo 1 > src/x && chmod 0 src/x', only('+ src/x')],
  ['a folder of the project closed', py("os.chmod('docs', 0)"), undone('docs')],
  ['its own folder closed', py("os.chmod('src/lib', 0)"), only('m src/lib')],
  ['a lock on a file', py("f = open('docs/guide.md')", 'fcntl.flock(f, fcntl.LOCK_EX)'), kept()],
  [
    'a link swapped for a folder while it works',
    py(
      "shutil.move('src/lib', 'src/l2')",
      "os.symlink('../docs', 'src/lib')",
      "open('src/lib/guide.md', 'w').write('x')",
      "os.remove('src/lib')",
      "shutil.move('src/l2', 'src/lib')",
    ),
    undone(),
  ],
)

/** Ways around a view by kinds of files, modes and locks. */
export const FILE_ESCAPES: readonly EffectRow[] = view

function attributes(file: string): string {
  return execFileSync(
    '/usr/bin/python3',
    ['-c', `import os; print([a for a in os.listxattr(${JSON.stringify(file)}) if not a.startswith('security')])`],
    { encoding: 'utf8' },
  ).trim()
}
