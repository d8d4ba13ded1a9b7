import type { Word } from '../../contracts/subject.ts'
import { wordsIn } from '../../lib/text/words.ts'
import { startOf } from './literalWord.ts'

/** How to separate a wrapper's own words from the command it runs. Options that match neither pattern are unknown. */
export type WrapperOptions = {
  /** Options without a value. */
  readonly flag?: RegExp
  /** Options whose value is the next word. */
  readonly valued?: RegExp
  /** The number of operands before the command. */
  readonly operands?: readonly RegExp[]
  /** Words with a `=` before the command are assignments, also after `--`. */
  readonly hasAssignments?: true
}

/** They only run their command. They need no rule, and a rule for them does not cover the command. */
export const TRANSPARENT_WRAPPERS: ReadonlyMap<string, WrapperOptions> = new Map<string, WrapperOptions>([
  [
    'timeout',
    {
      flag: /^(?:--preserve-status|--foreground|-v|--verbose|--(?:kill-after|signal)=[\w.]+|-[ks][\w.]+)$/,
      valued: /^(?:-[ks]|--kill-after|--signal)$/,
      operands: [/^\d+(?:\.\d+)?[smhd]?$/],
    },
  ],
  ['time', { flag: /^-p$/ }],
  ['nice', { flag: /^(?:-n?-?\d+|--adjustment=-?\d+)$/, valued: /^(?:-n|--adjustment)$/ }],
  ['nohup', {}],
  [
    'stdbuf',
    {
      flag: /^(?:-[ioe](?:L|\d+)|--(?:input|output|error)=(?:L|\d+))$/,
      valued: /^(?:-[ioe]|--(?:input|output|error))$/,
    },
  ],
  ['command', { flag: /^-p$/ }],
  ['builtin', {}],
  ['exec', {}],
  [
    'env',
    {
      flag: /^(?:-|-[i0]+|--ignore-environment|--null|--unset=.*|-u\w+|[^-][^=]*=[\s\S]*)$/,
      hasAssignments: true,
      valued: /^(?:-u|--unset)$/,
    },
  ],
  [
    'xargs',
    {
      flag: /^(?:-[0rtx]+|--null|--no-run-if-empty|--verbose|-[nPLs]\d+|-I.+|-i|-[ad].+|--(?:max-args|max-procs|max-lines|delimiter|arg-file)=.+)$/,
      valued: /^(?:-[nPLIdsa]|--arg-file)$/,
    },
  ],
])

/** They change who runs a command, where, or how. Only exact rules cover them; deny rules also check what they run. */
export const CONTEXT_WRAPPERS: ReadonlyMap<string, WrapperOptions> = new Map<string, WrapperOptions>([
  ['sudo', { flag: /^(?:-[AbBEeHklnPSsiKV]+|[A-Za-z_]\w*=.*)$/, valued: /^-[CDgGhpRrtTuU]$/, hasAssignments: true }],
  ['doas', { flag: /^-[nsL]+$/, valued: /^-[uCa]$/ }],
  ['setsid', { flag: /^(?:-[cfw]+|--ctty|--fork|--wait)$/ }],
  ['ionice', { flag: /^-(?:t|[cn]\d+)$/, valued: /^-[cn]$/ }],
  ['chrt', { flag: /^-[abdefimorRv]+$/, valued: /^-[TPD]$/, operands: [/^\d+$/] }],
  ['taskset', { flag: /^-[ac]+$/, operands: [/^/] }],
  ['flock', { flag: /^-[sxneuoFv]+$/, valued: /^-[wE]$/, operands: [/^/] }],
  ['chroot', { flag: /^--[a-z-]+=.*$/, operands: [/^/] }],
  ...names(
    'strace setarch linux32 linux64 watch unshare nsenter runuser setpriv capsh systemd-run dbus-run-session xvfb-run ltrace',
    'valgrind gdb perf pkexec torsocks proxychains proxychains4 firejail bwrap cpulimit choom prlimit numactl eatmydata',
    'i386 x86_64 uname26 ppc ppc64 s390 s390x runcon logsave su-exec gosu tini dumb-init catatonit cgexec chpst softlimit',
    'setuidgid envuidgid envdir setlock pgrphack s6-setuidgid s6-softlimit daemonize daemon systemd-inhibit systemd-cat',
    'systemd-nspawn machinectl ssh-agent dbus-launch xinit startx dtach abduco caffeinate arch sandbox-exec nsjail',
    'minijail0 trickle run-one run-this-one keep-one-running catchsegv prime-run mpirun mpiexec srun ccache sccache distcc rr',
    'parallel sem at batch run-parts expect script su busybox toybox coreutils crontab mispipe zsh ksh mksh ash rbash fish csh tcsh',
    'msgexec msgfilter debconf debconf-apt-progress fstab-decode memusage sotruss heaptrack valgrind.bin uclampset sshpass',
    'fakeroot-sysv fakeroot-tcp savelog xterm uxterm rxvt konsole gnome-terminal gpg-agent dpkg-architecture prove lldb',
    'faketime fakeroot fakechroot proot start-stop-daemon socat entr chronic unbuffer ifne pee sg newgrp stdoutisatty rlwrap',
  ),
])

/** Shells whose scripts parse like bash. */
export const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash'])

/** Builtins that run a file in this shell. */
export const SOURCES: ReadonlySet<string> = new Set(['.', 'source'])

/** They run commands from their input or from a file, which no word shows. */
export const HIDDEN_COMMAND_RUNNERS: ReadonlySet<string> = new Set(
  wordsIn('eval parallel sem at batch run-parts expect script alias enable bind complete compgen fc coproc'),
)

/** The dynamic loader runs the program that it is given. */
const LOADER = /^ld(?:-.*)?\.so(?:\.\d+)?$/

export function isContextWrapper(name: string): boolean {
  return CONTEXT_WRAPPERS.has(name) || LOADER.test(name)
}

/** The index of the command among a wrapper's words; undefined if an option is unknown or nothing is wrapped. */
export function findInner(argv: readonly Word[], options: WrapperOptions): number | undefined {
  const operands = [...(options.operands ?? [])]
  let index = 1
  for (; index < argv.length; index += 1) {
    const word = argv[index]
    // `env A="$x" command`: the assigned value does not matter here.
    if (word?.kind === 'dynamic' && word.prefix?.includes('=') && options.flag?.test(word.prefix)) continue
    if (word?.kind !== 'literal') break
    if (word.value === '--') {
      index += 1
      // One that is split may be the command, too.
      while (options.hasAssignments && argv[index]?.kind !== 'many' && /^[^=]+=/.test(startOf(argv[index]))) index += 1
      break
    }
    if (options.flag?.test(word.value)) continue
    if (options.valued?.test(word.value)) index += 1
    else if (word.value.startsWith('-')) return undefined
    else break
  }
  for (const operand of operands) {
    const word = argv[index]
    if (word?.kind !== 'literal' || !operand.test(word.value)) return undefined
    index += 1
  }
  return index < argv.length ? index : undefined
}

/** Wrappers with unknown syntax: every suffix of their words counts as the command. */
function names(...lines: readonly string[]): [string, WrapperOptions][] {
  return wordsIn(...lines).map((name) => [name, { operands: [/(?!)/] }])
}
