/**
 * Programs whose words can make them do anything: only a rule that spells the whole command covers them. `pydoc` imports what
 * it describes, `ldd` runs what it looks at, and some run what they read with a `!` before it.
 */
export const exactPrograms: readonly string[] = (
  'as bison bsdtar context cpan cpio cscope dc dd debugfs duckdb dvilualatex ed emacs ex ftp gnuplot gold gvim ' +
  'history ispell joe kustomize ld ld.bfd ld.gold ld.lld ldd lftp link lld luahbtex lualatex luatex m4 mail mailx ' +
  'mcedit mg mold mtxrun mutt nano ne nvim pico prettierd pydoc pydoc3 red rnano rview rvim sftp smbclient tar ' +
  'telnet texlua vi view vim vimdiff'
).split(' ')
