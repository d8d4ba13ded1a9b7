import { relative } from 'node:path'
import type { Reason } from '../../contracts/reason.ts'
import type { CommandLink, PathSubject, Subject, Word } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { programName } from '../../lib/text/programName.ts'
import { wordsIn } from '../../lib/text/words.ts'
import { isExactOnly } from '../../shell/programs/findStart.ts'
import { network } from '../../shell/programs/network.ts'
import { TRANSPARENT_WRAPPERS } from '../../shell/programs/wrappers.ts'
import { describeReason } from '../explain/describeReason.ts'
import { isCodeRunner, isProgramRunner, riskOf } from '../lint/riskyCommands.ts'
import { isMetadataHost } from '../matchers/domain.ts'
import { mcpName } from '../matchers/name.ts'
import type { Policy } from '../Policy.ts'
import { protectionsOf } from '../paths/judgeProtection.ts'

/** What a rule for one subject would have to cover; `refused` says why none is offered. */
export type Draft =
  /** With `isOpen`, other words may follow. `keeps`: without these words, no rule with a wildcard covers the command. */
  | {
      readonly kind: 'command'
      readonly words: readonly string[]
      readonly isOpen: boolean
      readonly keeps?: readonly string[]
    }
  /** The path from the project root; absolute if it is in no working directory. */
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly path: string }
  | { readonly kind: 'whole'; readonly rule: string }
  | { readonly kind: 'refused'; readonly why: string }

/** The narrowest rule to offer for the subject. */
export function draftRule(policy: Policy, subject: Subject): Draft {
  switch (subject.kind) {
    case 'command':
      return draftCommand(subject.chain)
    case 'path':
      return draftPath(policy, subject)
    case 'domain':
      return isMetadataHost(subject.host)
        ? refused('programs get the credentials of the machine there')
        : { kind: 'whole', rule: `WebFetch(domain:${subject.host})` }
    case 'mcp':
      return { kind: 'whole', rule: mcpName(subject) }
    case 'name':
      if (subject.tool === 'PowerShell') return refused('what PowerShell runs is not judged')
      return {
        kind: 'whole',
        rule: subject.specifier === undefined ? subject.tool : `${subject.tool}(${subject.specifier})`,
      }
    case 'opaque':
      return refused(describeReason(subject.reason))
  }
}

function refused(why: string): Draft {
  return { kind: 'refused', why }
}

function draftCommand(chain: readonly CommandLink[]): Draft {
  // What no word shows is the same for every rule: whatever comes from a pipe or a file.
  const unseen = chain.find(
    ({ cover, why, isUnseen }) =>
      cover === 'never' || why?.code === 'unseenCommands' || (isUnseen && why?.code === 'construct'),
  )
  if (unseen?.why !== undefined) return refused(describeReason(unseen.why))
  for (const link of chain) {
    const danger = isFolder(link) ? undefined : dangerOf(link.argv)
    if (danger !== undefined) return refused(hasOwnReason(link) ? describeReason(link.why) : danger)
  }
  const open = chain.filter(({ cover }) => cover === 'wildcard')
  const link = chain.find(({ cover }) => cover === 'exact') ?? open[0]
  if (link === undefined) return refused('no rule covers it')
  const unknown = link.argv.findIndex((word) => word.kind !== 'literal')
  const literal = (unknown < 0 ? link.argv : link.argv.slice(0, unknown)).flatMap(textOf)
  const plain = literal.findIndex((word) => !isPlain(word))
  const fixed = plain < 0 ? literal : literal.slice(0, plain)
  const keeps = link.cover === 'exact' ? { keeps: link.spelled ?? literal } : {}
  if (unknown < 0 && plain < 0) return { kind: 'command', words: fixed, isOpen: false, ...keeps }
  // `find -exec` needs a rule for each of two programs, or one that spells out both.
  if (open.length === 1 && link === open[0] && mayEndInWildcard(fixed))
    return { kind: 'command', words: fixed, isOpen: true }
  const quoted = literal.map(quote)
  if (unknown < 0 && !quoted.includes(undefined))
    return { kind: 'command', words: quoted.flatMap((word) => word ?? []), isOpen: false, ...keeps }
  return refused(
    link.why === undefined ? 'only a rule that leaves its words open would cover it' : describeReason(link.why),
  )
}

/** `npx eslint .`: among the words of another program, it is hardly ever the builtin. */
function isFolder({ argv: [first], cover }: CommandLink): boolean {
  return cover === 'none' && first?.kind === 'literal' && first.value === '.'
}

/** The reason says more than the program's name does; that a folder is outside is said elsewhere. */
function hasOwnReason(link: CommandLink): link is CommandLink & { readonly why: Reason } {
  return link.why !== undefined && link.why.code !== 'directory'
}

function textOf(word: Word): readonly string[] {
  return word.kind === 'literal' ? [word.value] : []
}

/** A word that a rule can contain unchanged. */
function isPlain(word: string): boolean {
  return /^[\w./:=@%+,~^-]+$/.test(word) && !word.startsWith('~') && !word.endsWith(':')
}

/** A word as a rule spells it; undefined if it cannot be quoted. */
function quote(word: string): string | undefined {
  if (isPlain(word)) return word
  return /['\\\n\r\0]/.test(word) ? undefined : `'${word.replaceAll('*', '\\*')}'`
}

/** Words of commands that reach beyond the checkout, where nothing is undone. */
const OUTWARD =
  /^(?:push|publish|deploy|release|upload|login|logout|send|post|apply|destroy|delete|merge|transfer|token|secrets?|auth)$/
const NETWORK = new Set(network.flatMap(({ names }) => names.split(' ')))

/**
 * Whether a rule may leave open what follows these words. It may not if the words decide which code runs, which files
 * of the machine change, or what is sent away.
 */
export function mayEndInWildcard(fixed: readonly string[]): boolean {
  const [first = ''] = fixed
  const name = programName(first)
  if (name === '' || name === 'cd' || TRANSPARENT_WRAPPERS.has(name)) return false
  if (isExactOnly(name) || NETWORK.has(name) || WRITERS.has(name)) return false
  if (fixed.some((word) => OUTWARD.test(word)) || riskOf(fixed) !== undefined) return false
  return !isCodeRunner(name) || fixed.slice(1).some((word) => !word.startsWith('-'))
}

function draftPath(policy: Policy, { access, path }: PathSubject): Draft {
  // An Edit rule also opens a place for reading.
  const kinds = access === 'write' ? (['write', 'read'] as const) : (['read'] as const)
  const [protection] = kinds.flatMap((kind) => protectionsOf(path.lexical, kind, policy.home))
  if (protection !== undefined)
    return refused(`${protection.name} is protected, so a rule that names it must be written by hand`)
  if (path.resolved !== path.lexical || path.physical !== path.lexical) return refused('a link leads elsewhere')
  const folder = [policy.cwd, ...policy.settings.additionalDirectories].find((each) => isWithin(path.lexical, each))
  if (folder === undefined && access === 'write') return refused('it is outside the project')
  if (path.lexical === folder && access === 'write') return refused('it is the project itself')
  return { kind: 'path', access, path: folder === undefined ? path.lexical : relative(policy.cwd, path.lexical) }
}

/** They change the user or the machine itself, or run unseen code. */
const OF_THE_MACHINE = new Set(
  wordsIn(
    'eval sudo doas su runuser pkexec chroot nsenter unshare mount umount losetup swapon dd shred fdisk sfdisk parted wipefs',
    'blkdiscard shutdown reboot halt poweroff init insmod modprobe rmmod sysctl iptables nft ufw passwd useradd usermod',
    'userdel visudo crontab at batch systemctl service kill pkill killall chown chattr setfacl nc ncat',
  ),
)

/** They change or remove the files that their words name. */
const WRITERS = new Set(
  wordsIn('rm rmdir unlink mv cp ln link chmod chgrp tee truncate touch mkdir mknod mkfifo install rsync scp'),
)

/** Why no suggestion should allow the command: it runs unseen code, controls the machine, or changes things outside. */
function dangerOf([first, second, ...rest]: readonly Word[]): string | undefined {
  if (first?.kind !== 'literal') return 'the name of the program is known only at run time'
  const name = programName(first.value)
  if (OF_THE_MACHINE.has(name) || name.startsWith('mkfs'))
    return `\`${name}\` changes the machine, or who runs a command`
  const text = second?.kind === 'literal' ? second.value : undefined
  if (isProgramRunner(first.value, text)) {
    if (text === undefined && second !== undefined) return `what code \`${name}\` runs is known only at run time`
    return text === undefined || text === '-'
      ? `no word shows what code \`${name}\` runs`
      : `\`${name}\` gets its code as a word`
  }
  if (!WRITERS.has(name)) return undefined
  const words = second === undefined ? [] : [second, ...rest]
  if (words.some((word) => word.kind !== 'literal')) return `what \`${name}\` changes is known only at run time`
  return words.some((word) => leadsOut(textOf(word)[0] ?? ''))
    ? `\`${name}\` may change things outside the project, or all of it`
    : undefined
}

/** A place above or beside the project, or all of it. */
function leadsOut(word: string): boolean {
  return word.startsWith('/') || word.startsWith('~') || word === '.' || word === './' || word.split('/').includes('..')
}
