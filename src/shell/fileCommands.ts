/** What a command does to the files among its operands: `copy` reads all but the last, which is written. */
export type FileCommand = {
  readonly access: 'read' | 'write' | 'copy'
  /** What it writes beside or in place of a file holds what was in it. */
  readonly alsoReads?: true
  /** The first operand is a pattern or a program, unless one of these options gives it. */
  readonly script?: { readonly short: string; readonly long: readonly string[] }
  /** Without an operand it looks into the folder it runs in: always, or with one of these options. */
  readonly folder?: RegExp
}

const ALWAYS = /^/

/** Commands whose operands are files. */
export const fileCommands: ReadonlyMap<string, FileCommand> = new Map<string, FileCommand>([
  ...group(
    { access: 'read' },
    'cat head tail wc sort uniq cut diff cmp comm nl od hexdump hd xxd strings less more most pg file tac rev base64 base32',
    'basenc paste join fold fmt expand unexpand column tsort ptx md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum',
    'b2sum sum bat batcat zcat zless zmore zdiff zcmp bzcat bzless bzmore xzcat xzless xzmore xzdiff xzcmp lzcat zstdcat',
    'zstdless lz4cat stat readlink realpath source . open look pr shuf iconv diff3 sdiff vimdiff colordiff icdiff',
    'python python3 perl ruby php node nroff troff groff soelim tbl eqn pic col colcrt man cpp gcc g++ cc c++ clang clang++ as',
    'ld nm objdump readelf size sqlite3 vi vim view nvim nano emacs ed ex red date dircolors msgfmt xmllint xsltproc pandoc',
    'glow mdcat ccat lolcat pygmentize highlight hexyl jless fx gron dasel csvlook mlr q',
  ),
  ...group({ access: 'read', folder: ALWAYS }, 'ls dir vdir tree du eza exa lsd'),
  ...group({ access: 'write' }, 'rm rmdir unlink touch tee mkdir mkfifo mknod mktemp truncate shred sponge'),
  ...group(
    { access: 'write', alsoReads: true },
    'patch split csplit dos2unix unix2dos strip ranlib fallocate gzexe',
    'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd zstdmt pzstd lz4 unlz4 compress uncompress zip unzip 7z unrar ar unar',
  ),
  ...group({ access: 'copy' }, 'cp mv rsync scp install ln link'),
  ...group(
    { access: 'read', script: { short: 'ef', long: ['regexp', 'file'] }, folder: /^-\w*[rR]|^--(?:de?r|r)|recurse$/ },
    'grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep lzgrep zstdgrep',
  ),
  ...group(
    { access: 'read', script: { short: 'efg', long: ['regexp', 'file', 'files'] }, folder: ALWAYS },
    'rg ag ack ugrep',
  ),
  ...group({ access: 'read', script: { short: 'ef', long: ['expression', 'file'] } }, 'sed gsed'),
  ...group({ access: 'read', script: { short: 'fE', long: ['file', 'exec'] } }, 'awk gawk mawk nawk original-awk'),
  ...group({ access: 'read', script: { short: 'f', long: ['from-file'] } }, 'jq yq gojq jaq'),
  ...group({ access: 'read', script: { short: '', long: [] }, folder: ALWAYS }, 'fd fdfind'),
  ...group({ access: 'write', script: { short: 'rwxXstugo', long: ['reference'] } }, 'chmod'),
  ...group({ access: 'write', script: { short: '', long: ['reference'] } }, 'chown chgrp'),
])

function group(command: FileCommand, ...lines: readonly string[]): [string, FileCommand][] {
  return lines.flatMap((line) => line.split(' ').map((name): [string, FileCommand] => [name, command]))
}
