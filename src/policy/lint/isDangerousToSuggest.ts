import type { Word } from '../../contracts/subject.ts'
import { programName } from '../../lib/text/programName.ts'
import { isProgramRunner } from './riskyCommands.ts'

/** They change the user or the machine itself, or run unseen code. */
const OF_THE_MACHINE = new Set(
  [
    'eval sudo doas su runuser pkexec chroot nsenter unshare mount umount losetup swapon dd shred fdisk sfdisk parted wipefs',
    'blkdiscard shutdown reboot halt poweroff init insmod modprobe rmmod sysctl iptables nft ufw passwd useradd usermod',
    'userdel visudo crontab at batch systemctl service kill pkill killall chown chattr setfacl nc ncat',
  ].flatMap((line) => line.split(' ')),
)

/** They change or remove the files that their words name. */
const CONTEXT_WRAPPERS = new Set(
  'rm rmdir unlink mv cp ln chmod chgrp tee truncate touch mkdir install rsync'.split(' '),
)

/**
 * True for a command that no suggestion should allow: it runs unseen code, controls the machine, or changes things
 * outside.
 */
export function isDangerousToSuggest(argv: readonly Word[]): boolean {
  const [first, second, ...rest] = argv
  if (first?.kind !== 'literal') return true
  const name = programName(first.value)
  if (OF_THE_MACHINE.has(name) || name.startsWith('mkfs')) return true
  if (isProgramRunner(first.value, second?.kind === 'literal' ? second.value : undefined)) return true
  const words = second === undefined ? [] : [second, ...rest]
  return CONTEXT_WRAPPERS.has(name) && words.some((word) => word.kind !== 'literal' || leadsOut(word.value))
}

/** A place above or beside the project, or all of it. */
function leadsOut(word: string): boolean {
  return word.startsWith('/') || word.startsWith('~') || word === '.' || word === './' || word.split('/').includes('..')
}
