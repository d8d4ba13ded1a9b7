import { toolOptions } from './toolOptions.ts'

/**
 * Options by which a tool that only reads runs another program or writes a file. Long ones are met by every beginning of
 * their name; short ones inside bundles, up to one that takes a value.
 */
export type DangerousOptions = {
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
  /** Options whose value must be a name without a folder: a file of settings that stands in the project's root. */
  readonly plainValue?: RegExp
  /** An option with the word behind it, a blank between. */
  readonly pairs?: RegExp
  /** Words that are known only when it runs pass anywhere. */
  readonly takesUnknown?: true
  /** They pass behind `--`, where they are files. */
  readonly takesFiles?: true
  /** Words after `--` go to another program. */
  readonly ends?: true
  /** Long options are taken with any number of dashes. */
  readonly anyDashes?: true
}

/** Which program runs, or where its settings come from. */
const NPM_PROGRAMS = [
  'script-shell',
  'shell',
  'git',
  'editor',
  'viewer',
  'browser',
  'prefix',
  'call',
  'init-module',
  'cache',
  'logs-dir',
]
/** One-letter names are taken behind any number of dashes, alone or as a bundle: `--qC=src`. */
const NPM_SETTINGS =
  /^-+(?:[nN][oO]-)*(?:node-[og]|globalc|userc|NODE-[OG]|GLOBALC|USERC)|^-+(?=[A-Za-z]*[cC])[BCDEHLNOPRSWabcdfghlmnopqrsvwy]{1,4}(?:=|$)/

const RSYNC_WRITES = ['rsh', 'rsync-path', 'suffix', 'log-file', 'write-batch', 'only-write-batch', 'temp-dir'].concat([
  ...['files-from', 'read-batch', 'daemon', 'remote-option'],
])

/** Shell assignments, and makefiles that come from the input. */
const MAKE_TEXTS = /!\s*=|^-$|^-\w*f-$|=-$|^\/dev\/(?:stdin|fd)|^\/proc\//

const EXACT_ONLY: DangerousOptions = { isExactOnly: true }

export const dangerousOptions: ReadonlyMap<string, DangerousOptions> = new Map<string, DangerousOptions>([
  ['find', { words: /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/ }],
  ['sort', { long: ['output', 'compress-program', 'temporary-directory', 'files0-from'], short: 'oT', valued: 'ktS' }],
  ['rg', { long: ['pre', 'hostname-bin', 'search-zip'], short: 'z', valued: 'ABCEMTdefgjmrt' }],
  ['ag', { long: ['pager'] }],
  ['bat', { long: ['pager', 'map-syntax', 'config-file'] }],
  ['batcat', { long: ['pager', 'map-syntax', 'config-file'] }],
  ['fd', { long: ['exec', 'exec-batch'], short: 'xX', valued: 'dEetSoc' }],
  ['fdfind', { long: ['exec', 'exec-batch'], short: 'xX', valued: 'dEetSoc' }],
  ['tree', { short: 'oR', words: /^--output/ }],
  ['shuf', { long: ['output'], short: 'o', valued: 'in' }],
  ['jq', { words: /^--?run-t/ }],
  [
    'yq',
    {
      long: ['inplace', 'in-place', 'split-exp'],
      short: 'is',
      valued: 'opIw',
      words: /\b(?:load\w*|strload|system)\b|\beval\s*\(/,
    },
  ],
  ['base64', { long: ['output', 'input'], short: 'oi' }],
  ['date', { long: ['set'], short: 's', valued: 'dfrI', takesUnknown: true }],
  ['file', { long: ['compile', 'preserve-date'], short: 'Cp', valued: 'FPefm' }],
  ['iconv', { long: ['output'], short: 'o', valued: 'ft' }],
  ['split', { long: ['filter', 'additional-suffix'] }],
  ['csplit', { long: ['suffix-format'], short: 'b', valued: 'fn' }],
  ['rsync', { long: RSYNC_WRITES, short: 'eMT', words: /:|^--(?:backup|partial)-/ }],
  // A second name for a file: what is written through it changes the first.
  ['cp', { long: ['link', 'symbolic-link'], short: 'ls', valued: 'St' }],
  ['link', EXACT_ONLY],
  // They import what they describe.
  ...each('pydoc pydoc3', EXACT_ONLY),
  // A dash in front of a letter takes that option back.
  ...each('unzip zipinfo', { words: /^-.*-/s }),
  ['scp', { short: 'SoFJD' }],
  ['sftp', { short: 'SoFJDb' }],
  [
    'zip',
    { long: ['unzip-command', 'logfile-path', 'move', 'out', 'output-file'], words: /^-[^-]*(?:@|lf)/, short: 'TmO' },
  ],
  [
    'go',
    {
      words: /^--?(?:test\.)?(?:exec|toolexec|vettool|w|overlay|trace|gocoverdir|testlogfile)(?:=|$)|extld/,
    },
  ],
  ['uniq', { operands: 1, valued: 'fsw' }],
  ['history', EXACT_ONLY],
  ['man', { words: /^-|\// }],
  ['less', { words: /^[-+]/ }],
  ['more', { words: /^[-+]/ }],
  ['wget', { words: /^-/ }],
  ['tar', EXACT_ONLY],
  ['bsdtar', EXACT_ONLY],
  ['dd', EXACT_ONLY],
  ['ldd', EXACT_ONLY],
  ['cpio', EXACT_ONLY],
  ['vi', EXACT_ONLY],
  ['vim', EXACT_ONLY],
  ...each(
    'ed ex red view rview rvim nvim gvim vimdiff emacs nano pico rnano joe mcedit ne mg dc m4 gnuplot',
    EXACT_ONLY,
  ),
  ...each('diff3 sdiff', { long: ['diff-program', 'output'], short: 'o' }),
  ...each('zless zmore bzless bzmore xzless xzmore lzless zstdless most pg', { words: /^[-+]/ }),
  ['install', { long: ['strip-program'] }],
  ...each('gzip gunzip xz unxz lzma unlzma xzcat lzcat', {
    long: ['suffix', 'name', 'files', 'files0'],
    short: 'SN',
    valued: 'TFCM',
  }),
  ['ptx', { short: 'G', long: ['traditional'], valued: 'FMSWbgiow' }],
  ['ack', { long: ['pager', 'ackrc'] }],
  ...each('nroff troff groff', { short: 'UMmF', valued: 'Tdr' }),
  ...each('ld ld.bfd ld.gold lld ld.lld', {
    words: /plug|^@|^-+(?:dep|out|save|audit|Map|T|dT|err|wrap|remap|cref|print-map)/,
  }),
  ['as', { words: /^@|^-a\w*=|^--?MD|^--l/ }],
  ['objcopy', { words: /^@/, long: ['plugin', 'dump-section', 'split-dwo', 'extract-dwo', 'extract-symbol'] }],
  ['rustfmt', { words: /^--(?:print-config|config-path|emit)/ }],
  ['rustc', { words: /=.*\/|linker|link-arg|^-Z|^@|codegen-backend|llvm-args|^--(?:out-dir|emit)/ }],
  // A word with `@` in front names a file that holds more words.
  ...each('nm ar ranlib objdump size strings readelf', { long: ['plugin'], words: /^@/ }),
  ['zcat', { long: ['recursive'], short: 'r' }],
  ['hg', { long: ['config', 'config-file', 'repository', 'cwd'], short: 'R' }],
  ['svn', { long: ['config-option', 'config-dir', 'diff-cmd', 'diff3-cmd', 'editor-cmd'] }],
  [
    'sqlite3',
    {
      words:
        /^\s*\.(?!(?:tables|schema|indexes|databases)(?:\s+\w+)?\s*$)|[\n;]\s*\.|^-+(?:init|cmd|separator|newline|nullvalue|mmap|lookaside|maxsize|heap|pagecache|vfs|A)|(?:write|read)file|\bedit\b|load_extension|attach|vacuum|fsdir|zipfile|sqlar|lsdir/i,
      leastOperands: 2,
    },
  ],
  ['tcpdump', { short: 'zwWGC', valued: 'iFrsTyE' }],
  ...each('npm npx', { long: NPM_PROGRAMS, words: NPM_SETTINGS, short: 'Cc', ends: true, anyDashes: true }),
  ['pnpm', { long: ['script-shell', 'shell'], ends: true }],
  ['cargo', { long: ['config'], ends: true }],
  ...each('make gmake', {
    long: ['eval', 'file', 'makefile', 'touch'],
    short: 'Eft',
    valued: 'CIojlW',
    words: MAKE_TEXTS,
  }),
  [
    'openssl',
    {
      words: /^-+(?:out|keyout|writerand|engine|provider|config|CA\w*out|rand$)|^(?:s_server|s_client|req|ca|engine)$/,
    },
  ],
  ['hostname', { operands: 0, short: 'Fb', long: ['file', 'boot'] }],
  ...toolOptions.flatMap(([names, options]) => each(names, options)),
  ...each('zstd unzstd zstdcat zstdmt', {
    long: ['patch-from', 'output-dir-flat', 'output-dir-mirror', 'filelist', 'trace'],
  }),
])

function each(names: string, options: DangerousOptions): [string, DangerousOptions][] {
  return names.split(' ').map((name): [string, DangerousOptions] => [name, options])
}
