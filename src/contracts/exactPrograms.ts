/**
 * Programs whose words can make them do anything: only a rule that spells the whole command covers them. `pydoc` imports what
 * it describes, `ldd` runs what it looks at.
 */
export const exactPrograms: readonly string[] = (
  'as bsdtar cpio dc dd ed emacs ex gnuplot gvim history joe ld ld.bfd ld.gold ld.lld ldd link lld m4 mcedit mg nano ne nvim ' +
  'pico pydoc pydoc3 red rnano rview rvim sftp tar vi view vim vimdiff'
).split(' ')
