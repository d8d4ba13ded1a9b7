/**
 * Programs whose words can make them do anything: only a rule that spells the whole command covers them. `pydoc` imports what
 * it describes, `ldd` runs what it looks at, and some run what they read with a `!` before it.
 */
export const exactPrograms: readonly string[] = (
  'as bison bsdtar context dvilualatex luahbtex lualatex luatex mtxrun texlua ' +
  ' cpan cpio cscope dc dd debugfs duckdb ed emacs ex ftp gnuplot gvim history ispell joe kustomize ld ld.bfd ld.gold ' +
  'ld.lld ldd lftp link lld m4 mail mailx mcedit mg mutt nano ne nvim pico prettierd pydoc pydoc3 red rnano rview rvim sftp ' +
  'smbclient tar telnet vi view vim vimdiff'
).split(' ')
