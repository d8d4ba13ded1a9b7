import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pinFiles, scriptFiles } from '../../src/files/scriptFiles.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-scripts-')))
writeFileSync(join(root, 'a.sh'), 'one')

it.each([
  [['./a.sh'], ['a.sh']],
  [['a.sh'], []],
  [['bash', '-e', 'a.sh', 'b.sh'], ['a.sh']],
  [['python3.12', 'a.sh'], ['a.sh']],
  [['/usr/bin/Rscript', 'a.sh'], ['a.sh']],
  [['cat', 'a.sh'], []],
  [['env', 'A=b', './a.sh'], ['a.sh']],
  [['node', 'gone.js'], []],
  [['/bin/sh', '/etc/hosts'], []],
  [['bash', '-l'], []],
  [['bash'], []],
  [[], []],
])('%j', (words, expected) => {
  expect(scriptFiles(words, root, ['/elsewhere', root])).toEqual(expected.map((name) => join(root, name)))
})

it('names the file that changed or is gone', () => {
  const [one, two] = ['one', 'two'].map((name) => join(root, name))
  for (const path of [one, two]) writeFileSync(path ?? '', 'x')
  const changed = pinFiles([one ?? '', two ?? ''])
  expect(changed()).toBeUndefined()
  writeFileSync(two ?? '', 'y')
  expect(changed()).toBe(two)
  rmSync(one ?? '')
  expect(changed()).toBe(one)
})
