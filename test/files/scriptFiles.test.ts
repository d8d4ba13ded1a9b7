import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pinFiles, scriptFiles } from '../../src/files/scriptFiles.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'

const root = makeFiles({ 'a.sh': 'one', one: 'x', two: 'x' })

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
  const [one, two] = [join(root, 'one'), join(root, 'two')]
  const changed = pinFiles([one, two])
  expect(changed()).toBeUndefined()
  writeFileSync(two, 'y')
  expect(changed()).toBe(two)
  rmSync(one)
  expect(changed()).toBe(one)
})
