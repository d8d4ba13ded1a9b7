import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import {
  type EffectRow,
  kept,
  leftOut,
  only,
  type RowFolders,
  type RowOptions,
  rows,
  series,
  undone,
} from '../EffectRow.ts'
import { writeFiles } from '../makeProject.ts'

const RUN = 'python3 src/w.py'
const GUIDE = 'docs/guide.md'
const HEAD = `import os, shutil, subprocess, ctypes, stat, sys, time, glob, fcntl, mmap
libc = ctypes.CDLL(None, use_errno=True)
def attempt(f, *a):
  try: return f(*a)
  except OSError as e: return e
def call(name, *a):
  r = getattr(libc, name)(*a)
  return r if r >= 0 else -ctypes.get_errno()
`
const py = (...lines: string[]): RowOptions => ({ files: { 'src/w.py': `${HEAD}${lines.join('\n')}\n` } })
/** A server of tools that answers. */
const STUB = readFileSync(join(import.meta.dirname, '../../../helpers/stubMcp.mjs'), 'utf8')
const DANGER = 'it would reach what else runs on the machine'

const view = rows(
  'escapes, the view',
  {},
  [
    'a whiteout by hand, for a file that no rule covers',
    RUN,
    undone(GUIDE),
    py("os.remove('docs/guide.md')", "attempt(os.mknod, 'docs/guide.md', stat.S_IFCHR | 0o600, 0)"),
  ],
  [
    'a whiteout by hand, new',
    RUN,
    only(),
    {
      ...py(
        "print(attempt(os.mknod, 'src/zz', stat.S_IFCHR | 0o600, 0))",
        "print(attempt(os.mknod, 'docs/zz', stat.S_IFCHR | 0o600, 0))",
      ),
    },
  ],
  [
    'an opaque mark on a covered folder',
    RUN,
    only(),
    py(
      "print(attempt(os.setxattr, 'src/lib', 'user.overlay.opaque', b'y'))",
      "open('src/lib/x', 'w').close()",
      "os.remove('src/lib/x')",
    ),
  ],
  [
    'an opaque mark on a folder that no rule covers',
    RUN,
    only(),
    py("print(attempt(os.setxattr, 'docs', 'user.overlay.opaque', b'y'))"),
  ],
  ['an opaque mark on the root', RUN, only(), py("print(attempt(os.setxattr, '.', 'user.overlay.opaque', b'y'))")],
  [
    'a redirect to another folder',
    RUN,
    only(),
    {
      ...py("os.mkdir('src/r')", "print(attempt(os.setxattr, 'src/r', 'user.overlay.redirect', b'/docs'))"),
      tolerates: /^\+ src\/r$/,
    },
  ],
  [
    'a metacopy mark',
    RUN,
    only(),
    {
      ...py(
        "open('src/m', 'w').close()",
        "print(attempt(os.setxattr, 'src/m', 'user.overlay.metacopy', b''))",
        "print(attempt(os.setxattr, 'src/m', 'user.overlay.redirect', b'/docs/guide.md'))",
      ),
      tolerates: /^\+ src\/m$/,
    },
  ],
  [
    'a whiteout by its mark',
    RUN,
    only(),
    {
      ...py(
        "open('docs/w', 'w').close()",
        "print(attempt(os.setxattr, 'docs/w', 'user.overlay.whiteout', b'y'))",
        "print(attempt(os.setxattr, 'docs', 'user.overlay.opaque', b'x'))",
      ),
    },
  ],
  ['an origin mark', RUN, only(), py("print(attempt(os.setxattr, 'src/a.js', 'user.overlay.origin', b'x'))")],
  ['marks of trusted.*', RUN, only(), py("print(attempt(os.setxattr, 'docs', 'trusted.overlay.opaque', b'y'))")],
  [
    'a mount of its own over docs',
    "unshare -Urm sh -c 'mount -t tmpfs none docs && echo x > docs/guide.md'; true",
    only(),
  ],
  [
    'docs bound over a covered folder',
    "unshare -Urm sh -c 'mount --bind docs src/lib && echo x > src/lib/guide.md'; true",
    only(),
    { also: untouched },
  ],
  [
    'everything unmounted',
    RUN,
    only(),
    py(
      "print(call('unshare', 0x10000000 | 0x00020000))",
      "mounts = [l.split(' ')[4] for l in open('/proc/self/mountinfo')]",
      'for m in reversed(mounts): print(m, call("umount2", m.encode(), 2))',
      "attempt(lambda: open('docs/guide.md', 'w').write('x')) if 'docs' in os.listdir('.') and os.path.exists('/never') else None",
    ),
  ],
  [
    'the paths of the view',
    RUN,
    only(),
    py(
      "text = open('/proc/self/mountinfo').read()",
      'import re',
      "for p in set(re.findall(r'(?:upperdir|workdir|lowerdir)=([^, ]+)', text)):",
      "  print(p, attempt(os.listdir, p), attempt(lambda: open(p + '/docs/guide.md', 'w').write('x')))",
    ),
  ],
  [
    'roots of other processes',
    RUN,
    only(),
    {
      ...py(
        'here = os.getcwd()',
        "for p in os.listdir('/proc'):",
        '  if p.isdigit() and int(p) != os.getpid():',
        "    for way in ('root' + here, 'cwd'):",
        "      f = '/proc/%s/%s/docs/guide.md' % (p, way)",
        '      s = attempt(os.stat, f)',
        "      if not isinstance(s, OSError) and s.st_ino != os.stat('docs/guide.md').st_ino: open(f, 'w').write('x')",
      ),
      watched: DANGER,
    },
  ],
  [
    'descriptors that were left open',
    RUN,
    only(),
    {
      ...py(
        "left = [(f, attempt(os.readlink, '/proc/self/fd/' + f)) for f in os.listdir('/proc/self/fd') if int(f) > 2]",
        "left = [x for x in left if isinstance(x[1], str) and x[1].startswith('/') and not x[1].startswith('/proc')]",
        "print('left open:', left)",
      ),
      shows: 'left open: []',
    },
  ],
  [
    'the memory of other processes',
    RUN,
    only(),
    {
      ...py(
        "for p in os.listdir('/proc'):",
        "  if p.isdigit() and int(p) != os.getpid(): attempt(lambda: open('/proc/%s/mem' % p, 'r+b').close())",
        "print('seized:', [p for p in os.listdir('/proc') if p.isdigit() and int(p) not in (os.getpid(), os.getppid()) and call('ptrace', 0x4206, int(p), 0, 0) == 0 and False])",
      ),
      watched: DANGER,
    },
  ],
  [
    'a signal to its parent',
    'kill -9 $PPID; sleep 1; echo x > src/late.js',
    only(),
    { tolerates: /src\/late\.js/, watched: DANGER },
  ],
  [
    'a signal to the first process',
    'kill -9 1; echo x > src/new.js',
    only(),
    { tolerates: /src\/new\.js/, watched: DANGER },
  ],
  [
    'a terminal',
    RUN,
    only(),
    {
      ...py(
        "def push(fd): [fcntl.ioctl(fd, 0x5412, bytes([c])) for c in b'touch pwned\\n']",
        'for fd in (0, 1, 2): print(attempt(push, fd))',
        "t = attempt(os.open, '/dev/tty', os.O_RDWR)",
        'print(t if isinstance(t, OSError) else push(t))',
      ),
      watched: DANGER,
    },
  ],
  [
    'no way to more rights',
    RUN,
    kept(),
    {
      ...py(
        "status = dict(l.split(':\\t', 1) for l in open('/proc/self/status'))",
        "names = {2: 'dac_read_search', 12: 'net_admin', 16: 'sys_module', 17: 'sys_rawio', 19: 'sys_ptrace', 21: 'sys_admin', 22: 'sys_boot', 25: 'sys_time', 27: 'mknod'}",
        "held = [n for b, n in names.items() if int(status['CapEff'], 16) >> b & 1]",
        "print('no new rights:', status['NoNewPrivs'].strip(), held)",
      ),
      shows: 'no new rights: 1 []',
      watched: 'as whoever started the run',
    },
  ],
  [
    'settings of the kernel',
    RUN,
    only(),
    {
      ...py(
        "names = ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/sys/kernel/uevent_helper', '/proc/sys/vm/drop_caches', '/proc/sys/kernel/modprobe', '/sys/fs/cgroup/release_agent']",
        'got = [n for n in names if not isinstance(attempt(os.open, n, os.O_WRONLY), OSError)]',
        "print('open for writing:', got)",
      ),
      shows: 'open for writing: []',
      watched: DANGER,
    },
  ],
  [
    'disks',
    RUN,
    only(),
    {
      ...py(
        "print(attempt(os.mknod, '/tmp/disk', stat.S_IFBLK | 0o600, os.makedev(8, 0)))",
        "print('disks:', [d for d in os.listdir('/dev') if d[:2] in ('sd', 'vd', 'nv')])",
      ),
      shows: 'disks: []',
      watched: DANGER,
    },
  ],
  [
    'the network',
    RUN,
    only(),
    {
      ...py(
        'import socket',
        's = socket.socket()',
        's.settimeout(3)',
        "print('connected' if not isinstance(attempt(s.connect, ('1.1.1.1', 53)), OSError) else 'no way out')",
      ),
      shows: 'no way out',
      watched: 'the network is open there',
    },
  ],
  [
    'the key',
    RUN,
    only(),
    {
      ...py(
        'found = []',
        "for p in os.listdir('/proc'):",
        '  if p.isdigit():',
        "    for n in ('environ', 'cmdline'):",
        "      t = attempt(lambda: open('/proc/%s/%s' % (p, n), 'rb').read())",
        "      if isinstance(t, bytes) and b'0123456789abcdef' in t and b'tna-ks'[::-1] in t: found.append(p)",
        "print('key in', len(found), 'processes')",
      ),
      shows: 'key in 0 processes',
      watched: 'said in the record there',
    },
  ],
  [
    'other owners',
    RUN,
    only(),
    {
      ...py("print(attempt(os.chown, 'docs/guide.md', 1, 1))", "print(attempt(os.chown, 'src/a.js', 1, 1))"),
      tolerates: /^o src\/a\.js/,
    },
  ],
  [
    'times',
    "touch -d '2001-01-01' docs/guide.md; true",
    only(),
    {
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
    RUN,
    only(),
    {
      ...py("attempt(os.setxattr, 'docs/guide.md', 'user.evil', b'x')"),
      also: ({ project }) => (attributes(join(project, GUIDE)) === '[]' ? undefined : 'an attribute was set'),
    },
  ],
  [
    'a file without a name, linked in',
    RUN,
    kept('+ src/t'),
    py(
      "fd = os.open('src', os.O_TMPFILE | os.O_RDWR, 0o644)",
      "os.write(fd, b'x')",
      "call('linkat', -100, b'/proc/self/fd/%d' % fd, -100, b'src/t', 0x400)",
    ),
  ],
  [
    'two files exchanged',
    RUN,
    undone(GUIDE),
    py("print(call('renameat2', -100, b'src/a.js', -100, b'docs/guide.md', 2))"),
  ],
  [
    'two folders exchanged',
    RUN,
    undone(),
    py(
      "print(call('renameat2', -100, b'src/lib', -100, b'docs/deep', 2))",
      "open('docs/deep/x', 'w').close()",
      "open('docs/guide.md', 'a').write('x')",
    ),
  ],
  [
    'a rename that leaves a whiteout',
    RUN,
    only(),
    { ...py("print(call('renameat2', -100, b'src/a.js', -100, b'src/z.js', 4))"), tolerates: /src\/[az]\.js/ },
  ],
  [
    'through memory',
    RUN,
    undone(GUIDE),
    py("f = open('docs/guide.md', 'r+b')", 'm = mmap.mmap(f.fileno(), 0)', "m[0:1] = b'X'", 'm.flush()'),
  ],
  [
    'a hole',
    RUN,
    undone(GUIDE),
    py(
      "fd = os.open('docs/guide.md', os.O_RDWR)",
      "print(call('fallocate', fd, 3, ctypes.c_long(0), ctypes.c_long(3)))",
      "os.pwrite(fd, b'Z', 0)",
    ),
  ],
  [
    'a descriptor opened again',
    RUN,
    undone(GUIDE),
    py("fd = os.open('docs/guide.md', os.O_RDONLY)", "open('/proc/self/fd/%d' % fd, 'w').write('x')"),
  ],
  [
    'a parent renamed and put back',
    RUN,
    undone(GUIDE),
    py(
      "os.chdir('docs')",
      "shutil.move('../docs', '../src/d')",
      "open('guide.md', 'a').write('x')",
      "shutil.move(os.path.abspath('../d'), os.path.abspath('../../docs'))",
    ),
  ],
  ['a file of a hundred gigabytes, of holes', 'truncate -s 100G src/sparse', only(), { tolerates: /src\/sparse/ }],
  [
    'a core file',
    RUN,
    only(),
    {
      ...py('import resource', 'attempt(resource.setrlimit, resource.RLIMIT_CORE, (-1, -1))', 'os.abort()'),
      tolerates: /src\/core/,
    },
  ],
  ['a folder that nobody may enter', 'mkdir src/x && echo 1 > src/x/f && chmod 0 src/x', only('+ src/x/f')],
  [
    'a folder that nobody may enter, left out',
    RUN,
    leftOut(['closed']),
    py("os.mkdir('closed')", "open('closed/f', 'w').close()", "os.chmod('closed', 0)"),
  ],
  ['a file that nobody may read', 'echo 1 > src/x && chmod 0 src/x', only('+ src/x')],
  ['a folder of the project closed', RUN, undone('docs'), py("os.chmod('docs', 0)")],
  ['its own folder closed', RUN, only('m src/lib'), py("os.chmod('src/lib', 0)")],
  ['a lock on a file', RUN, kept(), py("f = open('docs/guide.md')", 'fcntl.flock(f, fcntl.LOCK_EX)')],
  [
    'a link swapped for a folder while it works',
    RUN,
    undone(),
    py(
      "shutil.move('src/lib', 'src/l2')",
      "os.symlink('../docs', 'src/lib')",
      "open('src/lib/guide.md', 'w').write('x')",
      "os.remove('src/lib')",
      "shutil.move('src/l2', 'src/lib')",
    ),
  ],
)

const later = [
  ...rows(
    'escapes, processes that stay',
    {},
    [
      'one that writes later',
      "(setsid sh -c 'sleep 1; echo late >> src/a.js; echo late >> docs/guide.md' > /dev/null 2>&1 &)",
      only(),
      { tolerates: /^~ src\/a\.js$/ },
    ],
    [
      'one that never stops writing',
      "(setsid sh -c 'while :; do echo x >> docs/guide.md; echo x >> src/a.js; done' > /dev/null 2>&1 &) ; sleep 0.3",
      only(),
      { tolerates: /^~ src\/a\.js$/ },
    ],
    [
      'one that swaps a file for a link',
      RUN,
      only(),
      {
        ...py(
          'if os.fork() == 0:',
          '  os.setsid()',
          '  null = os.open("/dev/null", os.O_RDWR)',
          '  for fd in (0, 1, 2): os.dup2(null, fd)',
          '  while True:',
          "    open('src/s.tmp', 'w').write('x')",
          "    os.rename('src/s.tmp', 'src/s')",
          "    os.symlink('/etc/passwd', 'src/s.tmp')",
          "    os.rename('src/s.tmp', 'src/s')",
          'time.sleep(0.5)',
        ),
        tolerates: /^\+ src\/s(?:\.tmp)?$/,
        also: linkOut,
      },
    ],
    [
      'one that swaps a folder for a link',
      RUN,
      only(),
      {
        ...py(
          "os.makedirs('src/d/e')",
          "open('src/d/e/guide.md', 'w').write('x')",
          'if os.fork() == 0:',
          '  os.setsid()',
          '  null = os.open("/dev/null", os.O_RDWR)',
          '  for fd in (0, 1, 2): os.dup2(null, fd)',
          '  while True:',
          "    attempt(os.rename, 'src/d/e', 'src/d/f')",
          "    attempt(os.symlink, '../../docs', 'src/d/e')",
          "    attempt(os.remove, 'src/d/e')",
          "    attempt(os.rename, 'src/d/f', 'src/d/e')",
          'time.sleep(0.5)',
        ),
        tolerates: /^\+ src\/d\//,
      },
    ],
    [
      'a daemon',
      RUN,
      only(),
      {
        ...py(
          'if os.fork() == 0:',
          '  os.setsid()',
          '  if os.fork() == 0:',
          '    null = os.open("/dev/null", os.O_RDWR)',
          '    for fd in (0, 1, 2): os.dup2(null, fd)',
          '    for i in range(40):',
          '      time.sleep(0.1)',
          "      open('docs/guide.md', 'a').write('late')",
          '  os._exit(0)',
          'os.wait()',
        ),
      },
    ],
  ),
  series(
    'escapes, processes that stay',
    'one that writes while the next call works',
    [
      [
        "(setsid sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; echo late >> docs/guide.md; done' > /dev/null 2>&1 &)",
        only(),
      ],
      ['sleep 1; echo x > src/new.js', only()],
      ['sleep 1; cat docs/guide.md', only()],
    ],
    { tolerates: /^\+ src\/new\.js$/ },
  ),
  series(
    'escapes, processes that stay',
    'a background command',
    [
      [
        {
          name: 'Bash',
          input: { command: 'echo x >> docs/guide.md; echo y > src/bg.js; sleep 60', run_in_background: true },
        },
        only(),
      ],
      ['sleep 1; ls', only()],
    ],
    { tolerates: /^\+ src\/bg\.js$/ },
  ),
  series(
    'escapes, processes that stay',
    'a background command that makes a nested repository',
    [
      [{ name: 'Bash', input: { command: 'python3 src/w.py; sleep 60', run_in_background: true } }, only()],
      ['sleep 1; ls', only()],
    ],
    {
      tolerates: /^\+ src\/n$/,
      ...py(
        "subprocess.run(['git', 'init', '-q', 'src/n'])",
        "open('src/n/.git/config', 'a').write('[core]\\n\\tfsmonitor = touch ../../../outside/ran\\n')",
      ),
    },
  ),
  series(
    'escapes, processes that stay',
    'a background command that writes what is protected',
    [
      [{ name: 'Bash', input: { command: 'python3 src/w.py; sleep 60', run_in_background: true } }, only()],
      ['sleep 1; ls', only()],
    ],
    {
      ...py(
        "open('.git/config', 'a').write('[core]\\n\\tfsmonitor = x\\n')",
        "open('.github/workflows/ci.yml', 'w').write('x')",
        "os.remove('package.json')",
        "os.mkdir('new')",
        "open('new/x', 'w').close()",
      ),
    },
  ),
]

/** Hooks, servers and checks whose programs lie in the checkout. */
const started: EffectRow[] = [
  ...rows(
    'escapes, checks',
    {},
    ['one that changes a file', 'true', only(), { ...check("open('docs/guide.md', 'w').write('x')"), exit: 'any' }],
    [
      'one that writes elsewhere',
      'true',
      only(),
      {
        ...check("attempt(lambda: open('../outside/ran', 'w').write('x'))"),
        exit: 'any',
        watched: 'no wall around files elsewhere',
      },
    ],
    [
      'one that makes a nested repository',
      'true',
      only(),
      { ...check("subprocess.run(['git', 'init', '-q', 'src/n'])"), exit: 'any' },
    ],
    ['one that leaves a report', 'true', kept(), { ...check("open('junit.xml', 'w').write('x')") }],
    ['one that builds', 'true', kept('+ dist/new.js'), { ...check("open('dist/new.js', 'w').write('x')") }],
    [
      'one that changes what it may not even',
      'true',
      only(),
      { ...check("open('src/a.js', 'a').write('//')"), exit: 'any' },
    ],
    ['one that reads the key', 'true', kept(), { ...check("sys.exit(1 if 'ANTHROPIC_API_KEY' in os.environ else 0)") }],
  ),
  ...rows(
    'escapes, hooks',
    {
      policy: {
        allow: ['Bash', 'Edit(src/**)', 'Edit(tools/**)'],
        more: 'hooks:\n  PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "node tools/guard.mjs" }] }]\n  PostToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "node tools/guard.mjs" }] }]\n',
      },
      exit: 'any',
    },
    [
      'what a hook imports is changed',
      'export MARK=1; cp src/evil.mjs tools/lib.mjs',
      only(),
      {
        prepare: guarded,
        again: ['export MARK=1; true'],
        tolerates: /tools\//,
        watched: 'the second run takes the script as it lies there, without a wall',
      },
    ],
    [
      'a hook is changed',
      'export MARK=1; cp src/evil.mjs tools/guard.mjs',
      only(),
      { prepare: guarded, tolerates: /tools\// },
    ],
    [
      'a hook writes',
      'true',
      only(),
      {
        prepare: (folders) => {
          guarded(folders)
          writeFiles(folders.project, {
            'tools/lib.mjs': "import fs from 'node:fs'\ntry { fs.writeFileSync('docs/guide.md', 'x') } catch {}\n",
          })
        },
        watched: 'nothing holds a hook there',
      },
    ],
    [
      'a settings file that a hook reads',
      'export MARK=1; cp src/evil.mjs src/settings.mjs',
      only(),
      {
        prepare: (folders) => {
          guarded(folders)
          writeFiles(folders.project, {
            'tools/lib.mjs': "await import('../src/settings.mjs')\n",
            'src/settings.mjs': '',
          })
        },
        tolerates: /src\/settings/,
        watched: 'nothing holds a hook there',
      },
    ],
  ),
  ...rows(
    'escapes, servers',
    {
      policy: {
        allow: ['Bash', 'Edit(src/**)'],
        more: 'mcpServers:\n  x: { command: node, args: [tools/server.mjs] }\n',
      },
      exit: 'any',
    },
    [
      'a server that writes elsewhere',
      'true',
      only(),
      {
        files: {
          'tools/server.mjs': `${STUB}import fs from 'node:fs'\ntry { fs.writeFileSync('../outside/ran', 'x') } catch {}\n`,
        },
        watched: 'no wall around files elsewhere',
      },
    ],
    [
      'a server that changes the checkout',
      'true',
      only(),
      {
        files: {
          'tools/server.mjs': `${STUB}import fs from 'node:fs'\ntry { fs.writeFileSync('docs/guide.md', 'x') } catch {}\n`,
        },
      },
    ],
    [
      'a server that makes a nested repository',
      'true',
      only(),
      {
        tolerates: /^\+ src\/n$/,
        files: {
          'tools/server.mjs':
            `${STUB}` +
            "import { execSync } from 'node:child_process'\ntry { execSync('git init -q src/n') } catch {}\n",
        },
      },
    ],
  ),
]

export const VIEW_ESCAPES: readonly EffectRow[] = [...view, ...later, ...started]

function check(line: string): RowOptions {
  return {
    files: { 'src/check.py': `${HEAD}${line}\n` },
    policy: { allow: ['Bash', 'Edit(src/**)'], more: 'checks: { commands: ["python3 src/check.py"] }\n' },
  }
}

function guarded({ base, project }: RowFolders): void {
  const evil = `import fs from 'node:fs'\nif (!process.env.MARK) try { fs.writeFileSync('${base}/outside/ran', 'x') } catch {}\n`
  writeFiles(project, { 'tools/guard.mjs': "import './lib.mjs'\n", 'tools/lib.mjs': '\n', 'src/evil.mjs': evil })
}

function untouched({ project }: RowFolders): string | undefined {
  return statSync(join(project, GUIDE)).size === 8 ? undefined : 'docs/guide.md was changed'
}

function linkOut({ project }: RowFolders): string | undefined {
  const file = join(project, 'src/s')
  if (!existsSync(file) && lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  return lstatSync(file).isSymbolicLink() ? `src/s leads to ${readlinkSync(file)}` : undefined
}

function attributes(file: string): string {
  return execFileSync(
    '/usr/bin/python3',
    ['-c', `import os; print([a for a in os.listxattr(${JSON.stringify(file)}) if not a.startswith('security')])`],
    { encoding: 'utf8' },
  ).trim()
}
