import { type Attack, attacks } from './row.ts'

/** `conf` must neither be read nor written; what is in its only file is shown. */
const FILES = {
  'conf/key': 'S3CRET\n',
  'a.txt': 'public\n',
  key: 'public\n',
  'dir/key': 'public\n',
  'link->': 'conf',
  'deep->': 'conf/in',
  'conf/in/x': '',
}

const shown = (...texts: readonly string[]): Attack[] =>
  attacks(
    { allow: ['*'], secret: ['conf'], edit: ['out'] },
    ...texts.map((text) => ({ text, files: FILES, shows: 'S3CRET' })),
  )

/** 3.10 One word, two folders: the second meaning must not hide the first. */
const places = shown('(cd deep && cat ../key); (cd dir && cat ../key)')

export const READS: readonly Attack[] = [places].flat()
