import { spawnSync } from 'node:child_process'

/**
 * Starts a command behind Landlock: a program that restricts itself and then becomes the command. It is Perl, because
 * every Debian and Ubuntu image has it, it starts in 3 ms, and it can make a system call by number. Arguments: the
 * number of `prctl`, the size and fields of `landlock_ruleset_attr`, rules, `--`, the command. A place that is gone by
 * now has no rule. Source: landlock(7), linux/landlock.h.
 */
const CODE = `
my ($prctl, $size, $fs, $net, $scoped) = map { $_ + 0 } splice @ARGV, 0, 5;
sub no_wall { print STDERR "kode-run: landlock: $_[0]: $!\\n"; exit 126 }
my $attr = pack 'Q3', $fs, $net, $scoped;
my $set = syscall 444, $attr, $size, 0;
no_wall('create') if $set < 0;
while (defined(my $rule = shift @ARGV)) {
  last if $rule eq '--';
  my ($kind, $mask, $what) = split / /, $rule, 3;
  if ($kind eq 'port') {
    my $port = pack 'Q2', $mask, $what;
    no_wall('port') if syscall 445, $set, 2, $port, 0;
    next;
  }
  sysopen my $place, $what, 0x200000 or next;
  my $below = pack 'Ql', $mask, fileno $place;
  no_wall($what) if syscall 445, $set, 1, $below, 0;
}
# A root with these could read the environment of any process, whatever the wall: sys_ptrace, sys_admin, perfmon.
syscall $prctl, 24, $_, 0, 0, 0 for 19, 21, 38;
no_wall('no_new_privs') if syscall $prctl, 38, 1, 0, 0, 0;
no_wall('restrict') if syscall 446, $set, 0;
exec { $ARGV[0] } @ARGV or print STDERR "kode-run: $ARGV[0]: $!\\n";
exit 127;
`

/** `prctl` has a number of its own on each kind of processor. */
const PRCTL: Readonly<Record<string, number>> = { x64: 157, arm64: 167 }

/** The version of Landlock that this kernel has, and that this program can use; undefined if there is none. */
export function landlockVersion(perl: string): number | undefined {
  if (PRCTL[process.arch] === undefined) return undefined
  const { stdout } = spawnSync(perl, ['-e', 'print syscall(444, 0, 0, 1)'], { encoding: 'utf8', timeout: 5_000 })
  const version = Number(stdout || '-1')
  return version > 0 ? version : undefined
}

export type LandlockRules = {
  /** Rights below existing places, by their real path. */
  readonly places: readonly { readonly path: string; readonly rights: bigint }[]
  /** The TCP ports that commands may connect to; undefined: any, and any may be bound. */
  readonly ports: readonly number[] | undefined
}

/** The words before a command that put it behind these rules. */
export function landlockWords(perl: string, version: number, { places, ports }: LandlockRules): readonly string[] {
  const { files, connect, scopes } = LANDLOCK_RIGHTS
  const handled = rightsOf(files, version)
  const net = ports === undefined ? 0n : rightsOf(connect, version)
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8
  const fields = [PRCTL[process.arch] ?? 0, size, handled, net, rightsOf(scopes, version)]
  const below = places.flatMap(({ path, rights }) => {
    const mask = rights & handled
    return mask === 0n ? [] : [`path ${mask} ${path}`]
  })
  const open = net === 0n ? [] : (ports ?? []).map((port) => `port ${net} ${port}`)
  return [perl, '-e', CODE, ...fields.map(String), ...below, ...open, '--']
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
