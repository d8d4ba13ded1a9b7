import { spawnSync } from 'node:child_process'

/**
 * Starts a command behind Landlock: a program that restricts itself and then becomes the command. It is Perl, because
 * every Debian and Ubuntu image has it, it starts in 3 ms, and it can make a system call by number. Arguments: the
 * number of `prctl`, the kind of processor, the size and fields of `landlock_ruleset_attr`, rules, `--`, the command. A
 * place that is gone by now has no rule. What Landlock does not see, changes of metadata, a seccomp filter refuses.
 * Source: landlock(7), linux/landlock.h, seccomp(2), linux/filter.h, linux/audit.h.
 */
const CODE = `
my ($prctl, $arch, $size, $fs, $net, $scoped) = map { $_ + 0 } splice @ARGV, 0, 6;
my @refused;
sub no_wall { print STDERR "kode-run: landlock: $_[0]: $!\\n"; exit 126 }
my $attr = pack 'Q3', $fs, $net, $scoped;
my $set = syscall 444, $attr, $size, 0;
no_wall('create') if $set < 0;
while (defined(my $rule = shift @ARGV)) {
  last if $rule eq '--';
  my ($kind, $mask, $what) = split / /, $rule, 3;
  if ($kind eq 'call') {
    push @refused, $mask;
    next;
  }
  if ($kind eq 'port') {
    my $port = pack 'Q2', $mask, $what;
    no_wall('port') if syscall 445, $set, 2, $port, 0;
    next;
  }
  sysopen my $place, $what, 0x200000 or next;
  my $below = pack 'Ql', $mask, fileno $place;
  no_wall($what) if syscall 445, $set, 1, $below, 0;
}
# Whatever the wall, a root could read the environment of any process with sys_ptrace, sys_admin, perfmon, and make files that
# nobody can remove or put back with linux_immutable.
syscall $prctl, 24, $_, 0, 0, 0 for 9, 19, 21, 38;
no_wall('no_new_privs') if syscall $prctl, 38, 1, 0, 0, 0;
no_wall('restrict') if syscall 446, $set, 0;
if (@refused) {
  my $left = @refused;
  # Load the processor, load the call, compare; allow, or EPERM. Numbers from 2^30 on are calls of x32.
  my @steps = ([0x20, 0, 0, 4], [0x15, 1, 0, $arch], [6, 0, 0, 0x50001], [0x20, 0, 0, 0], [0x35, $left + 1, 0, 0x40000000]);
  push @steps, [0x15, $left--, 0, $_] for @refused;
  my $steps = join '', map { pack 'SCCL', @$_ } @steps, [6, 0, 0, 0x7fff0000], [6, 0, 0, 0x50001];
  my $filter = pack 'Sx![P]P', @steps + 2, $steps;
  no_wall('seccomp') if syscall $prctl, 22, 2, $filter, 0, 0;
}
exec { $ARGV[0] } @ARGV or print STDERR "kode-run: $ARGV[0]: $!\\n";
exit 127;
`

/** Numbers of a kind of processor: its own, that of `prctl`, and those of the calls that change metadata or avoid the filter. */
type Calls = { readonly arch: number; readonly prctl: number; readonly refused: readonly number[] }

/** On every processor: setxattrat, removexattrat, file_setattr, fchmodat2, io_uring_setup. */
const NEW_CALLS = [463, 466, 469, 452, 425]
/** First chmod and its kind, then chown, utime, setxattr, removexattr. Source: the tables of asm/unistd.h. */
const CALLS: Readonly<Record<string, Calls>> = {
  x64: {
    ...{ arch: 0xc000003e, prctl: 157 },
    refused: [90, 91, 268, 92, 93, 94, 260, 132, 235, 261, 280, 188, 189, 190, 197, 198, 199, ...NEW_CALLS],
  },
  arm64: { arch: 0xc00000b7, prctl: 167, refused: [52, 53, 54, 55, 88, 5, 6, 7, 14, 15, 16, ...NEW_CALLS] },
}

/** The version of Landlock that this kernel has, and that this program can use; undefined if there is none. */
export function landlockVersion(perl: string): number | undefined {
  if (CALLS[process.arch] === undefined) return undefined
  const { stdout } = spawnSync(perl, ['-e', 'print syscall(444, 0, 0, 1)'], { encoding: 'utf8', timeout: 5_000 })
  const version = Number(stdout || '-1')
  return version > 0 ? version : undefined
}

export type LandlockRules = {
  /** Rights below existing places, by their real path. */
  readonly places: readonly { readonly path: string; readonly rights: bigint }[]
  /** The TCP ports that commands may connect to; undefined: any, and any may be bound. */
  readonly ports: readonly number[] | undefined
  /** True: no mode, owner, time or extended attribute of any file can be changed either. */
  readonly keepsMetadata?: boolean
}

/** The words before a command that put it behind these rules. */
export function landlockWords(
  perl: string,
  version: number,
  { places, ports, keepsMetadata = false }: LandlockRules,
): readonly string[] {
  const calls = CALLS[process.arch] ?? { arch: 0, prctl: 0, refused: [] }
  const { files, connect, scopes } = LANDLOCK_RIGHTS
  const handled = rightsOf(files, version)
  const net = ports === undefined ? 0n : rightsOf(connect, version)
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8
  const fields = [calls.prctl, calls.arch, size, handled, net, rightsOf(scopes, version)]
  const below = places.flatMap(({ path, rights }) => {
    const mask = rights & handled
    return mask === 0n ? [] : [`path ${mask} ${path}`]
  })
  const open = net === 0n ? [] : (ports ?? []).map((port) => `port ${net} ${port}`)
  const refused = keepsMetadata ? calls.refused.map((call) => `call ${call} -`) : []
  return [perl, '-e', CODE, ...fields.map(String), ...below, ...open, ...refused, '--']
}

/** A right of linux/landlock.h, and the version that has it. */
type Right = { readonly bit: bigint; readonly since: number }

const right = (bit: number, since = 1): Right => ({ bit: 1n << BigInt(bit), since })

const EXECUTE = right(0)
const WRITE_FILE = right(1)
const READ_FILE = right(2)
const READ_DIR = right(3)
const TRUNCATE = right(14, 3)
const IOCTL_DEV = right(15, 5)
/** Removing and making files, folders, sockets, pipes and links, and moving them between folders; no devices. */
const CHANGE = [right(4), right(5), right(7), right(8), right(9), right(10), right(12), right(13, 2)]
const DEVICES = [right(6), right(11)]

/** Everything that is forbidden unless a rule allows it. */
const LANDLOCK_RIGHTS = {
  files: [EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, ...CHANGE, ...DEVICES, TRUNCATE, IOCTL_DEV],
  /** To connect over TCP. Listening stays possible. */
  connect: [right(1, 4)],
  /** Abstract sockets and signals to processes of others. */
  scopes: [right(0, 6), right(1, 6)],
} as const

/** The bits of these rights that a version has. */
function rightsOf(rights: readonly Right[], version: number): bigint {
  return rights.reduce((bits, { bit, since }) => (since <= version ? bits | bit : bits), 0n)
}

const ALL = Number.MAX_SAFE_INTEGER
const OF_FILES = rightsOf([EXECUTE, WRITE_FILE, READ_FILE, TRUNCATE, IOCTL_DEV], ALL)

/** What a place may be used for. A file has only the rights that a file can have. */
export function placeRights(use: 'list' | 'read' | 'write' | 'device', isFolder: boolean): bigint {
  const rights = {
    list: [READ_DIR],
    read: [EXECUTE, READ_FILE, READ_DIR],
    write: [EXECUTE, READ_FILE, READ_DIR, WRITE_FILE, TRUNCATE, ...CHANGE],
    device: [READ_FILE, WRITE_FILE, READ_DIR, TRUNCATE, IOCTL_DEV, right(5), right(8)],
  }[use]
  const all = rightsOf(rights, ALL)
  return isFolder ? all : all & OF_FILES
}
