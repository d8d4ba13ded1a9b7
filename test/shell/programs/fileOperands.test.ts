import { expect, test } from 'vitest'
import { fileOperands } from '../../../src/shell/programs/fileOperands.ts'

test.each([
  // Read, written, and both.
  ['head -n 5 a', ['read a']],
  ['grep -rn x src', ['read src']],
  ['grep -ex src', ['read src']],
  ['rm -rf dist', ['write dist']],
  ['chmod 755 a', ['write a']],
  ['cp -t dist a b', ['read a', 'read b', 'write dist']],
  ['mv a b', ['write a', 'write b']],
  // What a link leads to counts from where the link stands.
  ['ln -s ../docs/a src/a', ['read src/../docs/a', 'write src/a']],
  ['ln -sf -t src ../docs/a', ['read src/../docs/a', 'write src']],
  ['ln -s /etc/a src/', ['read /etc/a', 'write src/']],
  ['ln docs/a src/a', ['read docs/a', 'write src/a']],
  ['sed s/a/b/ x', ['read x']],
  ['sed -i s/a/b/ x', ['write x']],
  // Files of a commit; a mark that begins a word is none.
  ['git show HEAD:conf/key', ['read conf/key']],
  ['git log -L:main:a.c', []],
  ['git clone https://github.com/a/b.git', []],
  ['git clone file:///srv/b.git', ['read /srv/b.git']],
  // The list of xargs, and not an option of what it starts.
  ['xargs -a a echo', ['read a']],
  ['xargs -n 2 --arg-file a echo', ['read a']],
  ['xargs -ba -aa --arg-file=b grep -a c', ['read a', 'read b']],
  ['xargs -n 1 grep -a c', []],
  // Standard input, and programs that are not known.
  ['cat -', []],
  ['npm test', []],
])('%s', (line, expected) => {
  const argv = line.split(' ').map((value) => ({ kind: 'literal', value }) as const)
  expect(fileOperands(argv[0]?.value ?? '', argv).map(({ access, path }) => `${access} ${path}`)).toEqual(expected)
})
