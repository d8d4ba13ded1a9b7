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
  /** Words after `--` go to another program. */
  readonly ends?: true
  /** Long options are taken with any number of dashes. */
  readonly anyDashes?: true
}

/** Which program runs, or where its settings come from. */
const NPM_PROGRAMS = ['script-shell', 'shell', 'git', 'editor', 'viewer', 'browser', 'prefix', 'call', 'init-module']
const NPM_SETTINGS = /^-+(?:node-[og]|globalc|userc)/

const RSYNC_WRITES = ['rsh', 'rsync-path', 'suffix', 'log-file', 'write-batch', 'only-write-batch', 'temp-dir'].concat([
  ...['files-from', 'read-batch', 'daemon', 'remote-option'],
])

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
  ['yq', { long: ['inplace', 'in-place', 'split-exp'], short: 'is', words: /\b(?:load\w*|strload|system|eval)\b/ }],
  ['xxd', { short: 'r', words: /^-+r/, operands: 1, valued: 'cglnosR' }],
  ['base64', { long: ['output', 'input'], short: 'oi' }],
  ['date', { long: ['set'], short: 's', valued: 'dfr', words: /^\d{8,}(?:\.\d\d)?$/ }],
  ['file', { long: ['compile'], short: 'C', valued: 'FPefm' }],
  ['iconv', { long: ['output'], short: 'o', valued: 'ft' }],
  ['split', { long: ['filter', 'additional-suffix'] }],
  ['csplit', { long: ['suffix-format'], short: 'b', valued: 'fn' }],
  ['rsync', { long: RSYNC_WRITES, short: 'eMT', words: /:|^--(?:backup|partial)-/ }],
  ['scp', { short: 'SoFJD' }],
  ['sftp', { short: 'SoFJDb' }],
  ['zip', { long: ['unzip-command'], short: 'T' }],
  [
    'go',
    {
      words:
        /^--?(?:exec|toolexec|vettool|o|w|overlay|coverprofile|cpuprofile|memprofile|trace|blockprofile|mutexprofile)(?:=|$)|extld/,
    },
  ],
  ['uniq', { operands: 1, valued: 'fsw' }],
  ['history', { words: /^/ }],
  ['man', { words: /^-/ }],
  ['less', { words: /^[-+]/ }],
  ['more', { words: /^[-+]/ }],
  ['wget', { words: /^-/ }],
  ['tar', { words: /^/ }],
  ['bsdtar', { words: /^/ }],
  ['dd', { words: /^/ }],
  ['ldd', { words: /^/ }],
  ['cpio', { words: /^/ }],
  ['vi', { words: /^/ }],
  ['vim', { words: /^/ }],
  ...each('ed ex red view rview rvim nvim gvim vimdiff emacs nano pico rnano joe mcedit ne mg', { words: /^/ }),
  ...each('diff3 sdiff', { long: ['diff-program', 'output'], short: 'o' }),
  ...each('zless zmore bzless bzmore xzless xzmore lzless zstdless most pg', { words: /^[-+]/ }),
  ['install', { long: ['strip-program'] }],
  ...each('gzip gunzip xz unxz lzma unlzma', { long: ['suffix', 'name'], short: 'SN', valued: 'TFCM' }),
  ['ptx', { short: 'G', long: ['traditional'], valued: 'AFMSWbgiow' }],
  ['ack', { long: ['pager', 'ackrc'] }],
  ...each('nroff troff groff', { short: 'UMmF', valued: 'Tdr' }),
  ...each('gcc g++ cc c++ clang clang++ cpp', {
    words: /^-(?:wrapper|fplugin|specs|B|Xclang|load)|^--(?:specs|plugin)|^@/,
  }),
  // A word with `@` in front names a file that holds more words.
  ...each('nm ar ranlib objdump size strings readelf', { long: ['plugin'], words: /^@/ }),
  ['zcat', { long: ['recursive'], short: 'r' }],
  ['hg', { long: ['config', 'config-file', 'repository', 'cwd'], short: 'R' }],
  ['svn', { long: ['config-option', 'config-dir', 'diff-cmd', 'diff3-cmd', 'editor-cmd'] }],
  [
    'sqlite3',
    { words: /^\s*\.|[\n;]\s*\.|^-+(?:init|cmd)|(?:write|read)file|edit\s*\(|load_extension|attach|vacuum/i },
  ],
  ...each('psql mysql mariadb', { words: /\\|\bprogram\b|\bsystem\b|^-\w*f|^--file|outfile|dumpfile/i }),
  ['tcpdump', { short: 'zwWGC', valued: 'iFrsTyE' }],
  ...each('npm npx', { long: NPM_PROGRAMS, words: NPM_SETTINGS, short: 'Cc', ends: true, anyDashes: true }),
  ['pnpm', { long: ['script-shell', 'shell'], ends: true }],
  ['cargo', { long: ['config'], ends: true }],
  ...each('make gmake', {
    long: ['eval', 'file', 'makefile'],
    short: 'Ef',
    valued: 'CIojlW',
    words:
      /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS)\W*=|!\s*=|=[\s\S]*[$`;&|<>\n]|^-$|^-\w*f-$|=-$|^\/dev\/(?:stdin|fd)|^\/proc\//,
  }),
  [
    'openssl',
    { words: /^-+(?:out|keyout|writerand|engine|provider|config|CA\w*out|rand$)|^(?:s_server|s_client|req|ca)$/ },
  ],
  ['hostname', { operands: 0, short: 'Fb', long: ['file', 'boot'] }],
  ['zstd', { long: ['patch-from', 'output-dir-flat', 'output-dir-mirror'] }],
])

function each(names: string, options: DangerousOptions): [string, DangerousOptions][] {
  return names.split(' ').map((name): [string, DangerousOptions] => [name, options])
}
