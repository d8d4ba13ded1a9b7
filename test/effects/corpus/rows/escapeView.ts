import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type EffectRow, kept, only, type RowFolders, rows, undone } from '../EffectRow.ts'
import { py } from './scripts.ts'

const GUIDE = 'docs/guide.md'
const DANGER = 'it would reach what else runs on the machine'

const view = rows(
  'escapes, the view',
  {},
  [
    'a whiteout by hand, for a file that no rule covers',
    py("os.remove('docs/guide.md')", "attempt(os.mknod, 'docs/guide.md', stat.S_IFCHR | 0o600, 0)"),
    undone(GUIDE),
  ],
  [
    'a whiteout by hand, new',
    py(
      "print(attempt(os.mknod, 'src/zz', stat.S_IFCHR | 0o600, 0))",
      "print(attempt(os.mknod, 'docs/zz', stat.S_IFCHR | 0o600, 0))",
    ),
    only(),
  ],
  [
    'an opaque mark on a covered folder',
    py(
      "print(attempt(os.setxattr, 'src/lib', 'user.overlay.opaque', b'y'))",
      "open('src/lib/x', 'w').close()",
      "os.remove('src/lib/x')",
    ),
    only(),
  ],
  [
    'an opaque mark on a folder that no rule covers',
    py("print(attempt(os.setxattr, 'docs', 'user.overlay.opaque', b'y'))"),
    only(),
  ],
  ['an opaque mark on the root', py("print(attempt(os.setxattr, '.', 'user.overlay.opaque', b'y'))"), only()],
  [
    'a redirect to another folder',
    py("os.mkdir('src/r')", "print(attempt(os.setxattr, 'src/r', 'user.overlay.redirect', b'/docs'))"),
    only(),
    { tolerates: /^\+ src\/r$/ },
  ],
  [
    'a metacopy mark',
    py(
      "open('src/m', 'w').close()",
      "print(attempt(os.setxattr, 'src/m', 'user.overlay.metacopy', b''))",
      "print(attempt(os.setxattr, 'src/m', 'user.overlay.redirect', b'/docs/guide.md'))",
    ),
    only(),
    { tolerates: /^\+ src\/m$/ },
  ],
  [
    'a whiteout by its mark',
    py(
      "open('docs/w', 'w').close()",
      "print(attempt(os.setxattr, 'docs/w', 'user.overlay.whiteout', b'y'))",
      "print(attempt(os.setxattr, 'docs', 'user.overlay.opaque', b'x'))",
    ),
    only(),
  ],
  ['an origin mark', py("print(attempt(os.setxattr, 'src/a.js', 'user.overlay.origin', b'x'))"), only()],
  ['marks of trusted.*', py("print(attempt(os.setxattr, 'docs', 'trusted.overlay.opaque', b'y'))"), only()],
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
    py(
      "print(call('unshare', 0x10000000 | 0x00020000))",
      "mounts = [l.split(' ')[4] for l in open('/proc/self/mountinfo')]",
      'for m in reversed(mounts): print(m, call("umount2", m.encode(), 2))',
      "attempt(lambda: open('docs/guide.md', 'w').write('x')) if 'docs' in os.listdir('.') and os.path.exists('/never') else None",
    ),
    only(),
  ],
  [
    'the paths of the view',
    py(
      "text = open('/proc/self/mountinfo').read()",
      'import re',
      "for p in set(re.findall(r'(?:upperdir|workdir|lowerdir)=([^, ]+)', text)):",
      "  print(p, attempt(os.listdir, p), attempt(lambda: open(p + '/docs/guide.md', 'w').write('x')))",
    ),
    only(),
  ],
  [
    'roots of other processes',
    py(
      'here = os.getcwd()',
      "for p in os.listdir('/proc'):",
      '  if p.isdigit() and int(p) != os.getpid():',
      "    for way in ('root' + here, 'cwd'):",
      "      f = '/proc/%s/%s/docs/guide.md' % (p, way)",
      '      s = attempt(os.stat, f)',
      "      if not isinstance(s, OSError) and s.st_ino != os.stat('docs/guide.md').st_ino: open(f, 'w').write('x')",
    ),
    only(),
    { watched: DANGER },
  ],
  [
    'descriptors that were left open',
    py(
      "left = [(f, attempt(os.readlink, '/proc/self/fd/' + f)) for f in os.listdir('/proc/self/fd') if int(f) > 2]",
      "left = [x for x in left if isinstance(x[1], str) and x[1].startswith('/') and not x[1].startswith('/proc')]",
      "print('left open:', left)",
    ),
    only(),
    { shows: 'left open: []' },
  ],
  [
    'the memory of other processes',
    py(
      "for p in os.listdir('/proc'):",
      "  if p.isdigit() and int(p) != os.getpid(): attempt(lambda: open('/proc/%s/mem' % p, 'r+b').close())",
      "print('seized:', [p for p in os.listdir('/proc') if p.isdigit() and int(p) not in (os.getpid(), os.getppid()) and call('ptrace', 0x4206, int(p), 0, 0) == 0 and False])",
    ),
    only(),
    { watched: DANGER },
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
    py(
      "def push(fd): [fcntl.ioctl(fd, 0x5412, bytes([c])) for c in b'touch pwned\\n']",
      'for fd in (0, 1, 2): print(attempt(push, fd))',
      "t = attempt(os.open, '/dev/tty', os.O_RDWR)",
      'print(t if isinstance(t, OSError) else push(t))',
    ),
    only(),
    { watched: DANGER },
  ],
  [
    'no way to more rights',
    py(
      "status = dict(l.split(':\\t', 1) for l in open('/proc/self/status'))",
      "names = {2: 'dac_read_search', 12: 'net_admin', 16: 'sys_module', 17: 'sys_rawio', 19: 'sys_ptrace', 21: 'sys_admin', 22: 'sys_boot', 25: 'sys_time', 27: 'mknod'}",
      "held = [n for b, n in names.items() if int(status['CapEff'], 16) >> b & 1]",
      "print('no new rights:', status['NoNewPrivs'].strip(), held)",
    ),
    kept(),
    { shows: 'no new rights: 1 []', watched: 'as whoever started the run' },
  ],
  [
    'settings of the kernel',
    py(
      "names = ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/sys/kernel/uevent_helper', '/proc/sys/vm/drop_caches', '/proc/sys/kernel/modprobe', '/sys/fs/cgroup/release_agent']",
      'got = [n for n in names if not isinstance(attempt(os.open, n, os.O_WRONLY), OSError)]',
      "print('open for writing:', got)",
    ),
    only(),
    { shows: 'open for writing: []', watched: DANGER },
  ],
  [
    'disks',
    py(
      "print(attempt(os.mknod, '/tmp/disk', stat.S_IFBLK | 0o600, os.makedev(8, 0)))",
      "print('disks:', [d for d in os.listdir('/dev') if d[:2] in ('sd', 'vd', 'nv')])",
    ),
    only(),
    { shows: 'disks: []', watched: DANGER },
  ],
  [
    'the network',
    py(
      'import socket',
      's = socket.socket()',
      's.settimeout(3)',
      "print('connected' if not isinstance(attempt(s.connect, ('1.1.1.1', 53)), OSError) else 'no way out')",
    ),
    only(),
    { shows: 'no way out', watched: 'the network is open there' },
  ],
  [
    'the key',
    py(
      'found = []',
      "for p in os.listdir('/proc'):",
      '  if p.isdigit():',
      "    for n in ('environ', 'cmdline'):",
      "      t = attempt(lambda: open('/proc/%s/%s' % (p, n), 'rb').read())",
      "      if isinstance(t, bytes) and b'0123456789abcdef' in t and b'tna-ks'[::-1] in t: found.append(p)",
      "print('key in', len(found), 'processes')",
    ),
    only(),
    { shows: 'key in 0 processes', watched: 'said in the record there' },
  ],
)

/** Ways around a view by its marks and its folders. */
export const VIEW_ESCAPES: readonly EffectRow[] = view

function untouched({ project }: RowFolders): string | undefined {
  return statSync(join(project, GUIDE)).size === 8 ? undefined : 'docs/guide.md was changed'
}
