import { type Attack, attacks } from './row.ts'

const FILES = {
  'conf/key': 'S3CRET\n',
  'conf/data.json': '"S3CRET"\n',
  'sub/package.json': '{"scripts":{"test":"touch pwned"}}',
  'package.json': '{"scripts":{"test":"true"}}',
  'evil.sh': '#!/bin/sh\ntouch pwned\n',
  READ1: 'a\n',
  'test/a': '',
}

/** `conf` must not be read. */
const reads = attacks(
  { allow: ['*'], secret: ['conf'], edit: ['out'] },
  ...[
    'grep -onfconf/key conf/key | head -1',
    `jq -n 'import "./conf/data" as $d; $d'`,
    'file -f"$(echo conf/key)"',
    `jq -n '# x\n import "./conf/data" as $d; $d'`,
  ].map((text) => ({ text, files: { ...FILES, '.git!': '' }, shows: 'S3CRET' })),
)

/** A rule with a wildcard does not cover what runs or writes more. */
const runs = attacks(
  { allow: ['npm test *', 'find *', 'git *', 'uniq *', 'make *', 'ip *', 'csplit *', 'mktemp *', 'openssl *'] },
  ...[
    'npm test -prefix=sub',
    'npm test ---prefix=sub',
    'npm test ---script-shell=./evil.sh',
    'find sub -name package.json -execdir ../evil.sh \\;; find . -name evil.sh -execdir ./evil.sh \\;',
    "git commit -q --allow-empty -m three; git bisect start HEAD HEAD~2; git bisect view grep '-Otouch pwned;:' -e . -e",
    "git commit -q --allow-empty -m three; git bisect start HEAD HEAD~2; git bisect visualize grep '-Otouch pwned;:' -e . -e",
  ].map((text) => ({ text, files: { ...FILES, pwned1: '', '.git!': '' } })),
)

/** Seds before 4.9 end a pattern at the delimiter in a bracket, and run the `e` before they fail. */
const otherSeds = attacks(
  { allow: ['sed *'] },
  { text: "sed 's,\\c[*,touch pwned,e;#],y,' READ1", files: FILES, unshown: 'sed is newer here' },
)

/** Places that are not to be written. */
const writes = attacks(
  { allow: ['*'], secret: ['test'], edit: ['out'] },
  ...['csplit -sftest/pwned READ1 1 && cp test/pwned00 pwned', 'mktemp -p test; touch test/pwned'].map((text) => ({
    text,
    files: FILES,
  })),
)

/** What a review of the evaluator found that it had let pass. */
export const REVIEW: readonly Attack[] = [...reads, ...runs, ...otherSeds, ...writes]
