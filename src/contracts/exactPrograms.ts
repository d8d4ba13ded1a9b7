/**
 * Programs whose words can make them do anything: only a rule that spells the whole command covers them. `pydoc` imports what
 * it describes, `ldd` runs what it looks at, some run what they read with a `!` before it, and an archive says where its
 * files go.
 */
export const exactPrograms: readonly string[] = (
  '7za 7zr 7zz arj as bison bsdtar cabextract context cpan cpio cscope dc dd debugfs duckdb dvilualatex ed emacs ex ' +
  'ftp gnuplot gold gvim history ispell joe kustomize ld ld.bfd ld.gold ld.lld ldd lftp lha lhasa link lld ' +
  'luahbtex lualatex luatex m4 mail mailx mcedit mg mold mtxrun munpack mutt nano ne nvim pax pico prettierd ' +
  'pydoc pydoc3 red ripmime rnano rview rvim sftp smbclient tar telnet texlua unace unsquashfs uudecode vi view ' +
  'vim vimdiff zipcloak zipnote zoo'
).split(' ')
