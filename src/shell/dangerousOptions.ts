import { exactPrograms } from '../contracts/exactPrograms.ts'
import { bundlerOptions } from './bundlerOptions.ts'
import { checkerOptions } from './checkerOptions.ts'
import { clientOptions } from './clientOptions.ts'
import { packageOptions } from './packageOptions.ts'
import { toolOptions } from './toolOptions.ts'
import { webOptions } from './webOptions.ts'

/**
 * Options by which a tool that only reads runs another program or writes a file. Long ones are met by every beginning of
 * their name; short ones inside bundles, up to one that takes a value.
 */
export type DangerousOptions = {
  /** The options that are known to be harmless, as `isHarmlessOption` reads them: any other needs a rule that spells it. */
  readonly only?: string
  /** Of its other options no list is known. */
  readonly isOpen?: true
  /** Capital letters do not matter in its options. */
  readonly isCaseless?: true
  /** Any other first operand, which says what it does, needs an exact rule. */
  readonly first?: RegExp
  /** The list holds for all words only where one of these is among them: behind another command they are a script's. */
  readonly taking?: RegExp
  /** Options that it takes for its own behind a script's name too. */
  readonly late?: RegExp
  /** Behind `run` and such a word all is another program's. */
  readonly last?: RegExp
  readonly long?: readonly string[]
  readonly short?: string
  readonly valued?: string
  readonly words?: RegExp
  /** How many operands it may have before one of them is written. */
  readonly operands?: number
  /** Any use: it can do more than a rule with a wildcard says. */
  readonly isExactOnly?: true
  /** Without such a word, or with fewer operands, it takes what to do from its input. */
  readonly needs?: RegExp
  readonly leastOperands?: number
  /** Options whose value must be a name without a folder. */
  readonly plainValue?: RegExp
  /** Options whose value must be a file of settings in the project's root, by its ending or as a `…lintrc`; a folder may hold code. */
  readonly settings?: RegExp
  /** Options that take no other values. */
  readonly fixedValue?: { readonly option: RegExp; readonly value: RegExp }
  /** Two words that stand side by side, with a blank between, or two operands with only options between them. */
  readonly pairs?: RegExp
  /** Where an option is given, its operands must be such; of the project's own settings in its root. */
  readonly projects?: { readonly option: RegExp; readonly plain: RegExp }
  /** Words that are known only when it runs pass anywhere. */
  readonly takesUnknown?: true
  /** They pass behind `--`, where they are files. */
  readonly takesFiles?: true
  /** Words after `--` go to another program. */
  readonly ends?: true
  /** Long options are taken with any number of dashes. */
  readonly anyDashes?: true
}

export const dangerousOptions: ReadonlyMap<string, DangerousOptions> = new Map<string, DangerousOptions>([
  ...exactPrograms.map((name) => [name, { isExactOnly: true }] as const),
  ['find', { words: /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/ }],
  ['sort', { long: ['output', 'compress-program', 'temporary-directory', 'files0-from'], short: 'oT', valued: 'ktS' }],
  [
    'rg',
    {
      long: ['pre', 'hostname-bin', 'search-zip'],
      words: /^--(?:type-add|ignore-file)/,
      short: 'z',
      valued: 'ABCEMTdefgjmrt',
    },
  ],
  ['ag', { long: ['pager'] }],
  ['bat', { long: ['pager', 'map-syntax', 'config-file'] }],
  ['batcat', { long: ['pager', 'map-syntax', 'config-file'] }],
  ['fd', { long: ['exec', 'exec-batch'], short: 'xX', valued: 'dEetSoc' }],
  ['fdfind', { long: ['exec', 'exec-batch'], short: 'xX', valued: 'dEetSoc' }],
  ['tree', { short: 'oR', words: /^--output/ }],
  ['shuf', { long: ['output'], short: 'o', valued: 'in' }],
  ['jq', { words: /^--?run-t|^-[^\w-]/ }],
  [
    'yq',
    {
      long: ['inplace', 'in-place', 'split-exp', 'split-exp-file'],
      short: 'is',
      valued: 'opIw',
      words: /\b(?:load\w*|strload|system)\b|\beval\s*\(/,
    },
  ],
  ['base64', { long: ['output', 'input'], short: 'oi' }],
  ['date', { long: ['set'], short: 's', valued: 'dfrI', takesUnknown: true }],
  ['file', { long: ['compile', 'preserve-date', 'files-from', 'magic-file'], short: 'Cpfm', valued: 'FPe' }],
  ['iconv', { long: ['output'], short: 'o', valued: 'ft' }],
  ['split', { long: ['filter', 'additional-suffix'] }],
  ['csplit', { long: ['suffix-format'], short: 'b', valued: 'fn' }],
  // A second name for a file: what is written through it changes the first.
  ['cp', { long: ['link', 'symbolic-link'], short: 'ls', valued: 'St' }],
  // What stands second is written.
  ['cpp', { operands: 1, valued: 'DIMULox' }],
  ['uniq', { operands: 1, valued: 'fsw' }],
  ['man', { words: /^-|\// }],
  ['less', { words: /^[-+]/ }],
  ['more', { words: /^[-+]/ }],
  ['wget', { words: /^-/ }],
  ...each('diff3 sdiff', { long: ['diff-program', 'output'], short: 'o' }),
  ...each('zless zmore bzless bzmore xzless xzmore lzless zstdless most pg', { words: /^[-+]/ }),
  // Its words come to stand in a script that shells read.
  ['virtualenv', { words: /[^\w.,:@%+=/~ -]/ }],
  // Another machine is reached by ssh.
  ...each('systemctl journalctl loginctl hostnamectl timedatectl localectl busctl systemd-analyze', {
    long: ['host', 'machine'],
    short: 'HM',
    valued: 'tpsnoucbgFUSDi',
  }),
  ['install', { long: ['strip-program'] }],
  ['ptx', { short: 'G', long: ['traditional'], valued: 'FMSWbgiow' }],
  ['ack', { long: ['pager', 'ackrc', 'output'] }],
  ...each('nroff troff groff', { short: 'UMmFPLl', valued: 'Tdr', words: /^-\w*T.*\//, pairs: /^-\w*T .*\// }),
  // A word with `@` in front names a file that holds more words.
  ...each('nm ar ranlib objdump size strings readelf', { long: ['plugin'], words: /^@/ }),
  // gzip also opens a file that is called like the word and a suffix.
  ['zcat', { long: ['recursive', 'suffix'], short: 'rS' }],
  [
    'hg',
    {
      only: `--addremove --all --branch --change --changeset --close-branch --copies --date --debug --exclude --file --follow --git
        --graph --help --include --keyword --limit --line-number --list --message --modified --no-merges --no-status --number
        --only-merges --patch --quiet --removes --rev --stat --style --summary --template --text --unified --user --verbose
        --version [aAb:c:d:fgGhI:l:m:npqr:T:u:U:vwX:]`,
      first:
        /^(?:add|addremove|annotate|backout|blame|bookmarks?|branch|branches|cat|checkout|ci|co|commit|copy|cp|diff|files|forget|graft|heads|help|history|id|identify|in|incoming|locate|log|manifest|merge|mv|out|outgoing|parents|paths|phase|pull|push|remove|rename|resolve|revert|rm|root|shelve|st|stash|status|sum|summary|tags?|tip|unshelve|up|update|verify|version)$/,
    },
  ],
  ['svn', { long: ['config-option', 'config-dir', 'diff-cmd', 'diff3-cmd', 'editor-cmd'] }],
  ['hostname', { operands: 0, short: 'Fb', long: ['file', 'boot'] }],
  ...[bundlerOptions, checkerOptions, webOptions, packageOptions, toolOptions, clientOptions]
    .flat()
    .flatMap(([names, options]) => each(names, options)),
])

function each(names: string, options: DangerousOptions): [string, DangerousOptions][] {
  return names.split(' ').map((name): [string, DangerousOptions] => [name, options])
}
