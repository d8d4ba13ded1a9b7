import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { createFileAccess } from '../../src/files/createFileAccess.ts'

let root = ''
beforeEach(() => {
  root = join(realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-files-'))), 'project')
  mkdirSync(join(root, 'src/inner'), { recursive: true })
  writeFileSync(join(root, 'src/a'), 'abc')
  writeFileSync(join(root, 'src/key'), 'secret')
  symlinkSync('src', join(root, 'link'))
})
const access = () =>
  createFileAccess({
    ...{ roots: [root], forbidden: [] },
    verdict: (path) => (path === join(root, 'src/key') ? 'deny' : undefined),
  })

it('tells kind and size of the entries of a folder, without those that are gone', async () => {
  const found = await access().statIn(join(root, 'src'), ['a', 'inner', 'gone'])
  expect([...found.keys()]).toEqual(['a', 'inner'])
  expect(found.get('a')).toMatchObject({ kind: 'file', size: 3 })
  expect(found.get('inner')).toMatchObject({ kind: 'directory' })
})

it('tells nothing of what the guard refuses', async () => {
  expect([...(await access().statIn(join(root, 'src'), ['a', 'key'])).keys()]).toEqual(['a'])
  expect((await access().statIn(tmpdir(), ['x'])).size).toBe(0)
})

it('tells nothing of a folder that is gone, or that is now reached by a link', async () => {
  expect((await access().statIn(join(root, 'gone'), ['a'])).size).toBe(0)
  expect((await access().statIn(join(root, 'link'), ['a'])).size).toBe(0)
})

it('passes on what is not a refusal: an error of the system, and a defect', async () => {
  const long = access().statIn(join(root, 'src'), ['a', 'x'.repeat(300)])
  await expect(long).rejects.toMatchObject({
    name: 'FileError',
    message: expect.stringContaining('has a name that is too long'),
  })
  const verdict = () => {
    throw new Error('a defect')
  }
  const broken = createFileAccess({ roots: [root], forbidden: [], verdict })
  await expect(broken.statIn(join(root, 'src'), ['a'])).rejects.toThrow('a defect')
})
