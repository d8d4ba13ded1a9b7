import { readRaw } from '../lib/fs/atPath.ts'

/** One step in building the file system of a sandboxed process. Later steps cover earlier ones. */
export type Mount =
  | { readonly kind: 'readOnly' | 'writable'; readonly source: string; readonly target: string }
  /** An empty folder in memory. A `folder` only holds other mounts. */
  | { readonly kind: 'empty' | 'folder'; readonly target: string }
  | { readonly kind: 'link'; readonly target: string; readonly to: string }

export type BubblewrapPlan = {
  readonly mounts: readonly Mount[]
  readonly cwd: string
  /** Variables that replace those of the process. */
  readonly environment?: Readonly<Record<string, string>>
  readonly isRoot: boolean
  /** False: namespaces require a user namespace, even for root. */
  readonly isAdmin: boolean
  /** True: this process gets its own network, because the run has none to share. */
  readonly isOffline: boolean
  /** In a user namespace where this user is root: the ids that the process gets back. */
  readonly ids?: { readonly uid: number; readonly gid: number } | undefined
  /** Where to write the process id of the first process. */
  readonly infoDescriptor?: string | undefined
}

/** What root keeps: enough for `npm ci`, `chown` and `su` in a workspace of another, but nothing over the machine. */
const ROOT_KEEPS = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID']

/**
 * The arguments of `bwrap` for one process: an empty root with only the mounts, own process ids, own `/proc` and
 * `/dev`, no terminal, ended with its parent. `/proc/sys` is mounted again read-only. Otherwise root could write
 * `kernel/core_pattern`, which names a program that the kernel runs outside of every sandbox. Pure; bwrap(1).
 */
export function bubblewrapArguments(plan: BubblewrapPlan): string[] {
  const { mounts, cwd, environment = {}, isRoot, isAdmin, isOffline, ids, infoDescriptor } = plan
  return [
    ...(isAdmin ? [] : ['--unshare-user']),
    ...(ids === undefined ? [] : ['--uid', String(ids.uid), '--gid', String(ids.gid)]),
    ...(ids === undefined || isRoot ? [] : ['--cap-drop', 'ALL']),
    ...(infoDescriptor === undefined ? [] : ['--info-fd', infoDescriptor]),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(isOffline ? ['--unshare-net'] : []),
    ...['--die-with-parent', '--new-session'],
    ...(isRoot ? ['--cap-drop', 'ALL', ...ROOT_KEEPS.flatMap((name) => ['--cap-add', `CAP_${name}`])] : []),
    ...mounts.filter(isRootMount).flatMap(mountArguments),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...['sys', 'sysrq-trigger', 'irq', 'bus', 'fs'].flatMap((name) => [
      '--ro-bind-try',
      `/proc/${name}`,
      `/proc/${name}`,
    ]),
    ...mounts.filter((mount) => !isRootMount(mount)).flatMap(mountArguments),
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
  ]
}

/** Mounts at the root come first, because they would cover everything else. */
function isRootMount({ target }: Mount): boolean {
  return target === '/'
}

function mountArguments(mount: Mount): string[] {
  switch (mount.kind) {
    case 'empty':
      return ['--tmpfs', mount.target]
    case 'folder':
      return ['--dir', mount.target]
    case 'link':
      return ['--symlink', mount.to, mount.target]
    default:
      return [mount.kind === 'writable' ? '--bind' : '--ro-bind', mount.source, mount.target]
  }
}

/** CAP_SYS_ADMIN: capabilities(7), linux/capability.h. */
const SYS_ADMIN = 21n

/** True if this process needs no user namespace to make others: root on a machine, but usually not in a container. */
export function hasAdminCapability(): boolean {
  const [, capabilities = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readRaw('/proc/self/status')) ?? []
  return ((BigInt(`0x${capabilities}`) >> SYS_ADMIN) & 1n) === 1n
}
