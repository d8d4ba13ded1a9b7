import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blankMount, closedFile, closedMount, makeMasks } from '../../../src/sandbox/mounts/masks.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const sourceOf = (mount: ReturnType<typeof closedMount>) => ('source' in mount ? mount.source : '')

it('what is hidden is an empty folder or a device that nobody may open', () => {
  const top = makeFiles({ 'secret/x': '', '.env': 'A=1', link: '-> secret' })
  makeMasks(top)
  const [folder, file, link] = ['secret', '.env', 'link'].map((name) => closedMount(join(top, name), top))
  if (folder === undefined || file === undefined || link === undefined) throw new Error('three mounts')
  const inFolder = statSync(sourceOf(folder))
  expect([inFolder.isDirectory(), inFolder.mode & 0o777]).toEqual([true, 0])
  expect([folder, file]).toEqual([
    { kind: 'readOnly', source: sourceOf(folder), target: join(top, 'secret') },
    { kind: 'readOnly', source: '/dev/null', target: join(top, '.env') },
  ])
  expect(sourceOf(link)).toBe(sourceOf(file))
  expect(closedFile(join(top, 'later'))).toEqual({ ...file, target: join(top, 'later') })
})

it('what git tracks keeps its size and whether it is executable, but says only that it is hidden', () => {
  const top = makeFiles({ 'a.key': 'four', 'b.sh': 'x'.repeat(70_000), 'c.key': '' })
  chmodSync(join(top, 'a.key'), 0o664)
  chmodSync(join(top, 'b.sh'), 0o755)
  makeMasks(top)
  const blanks = ['a.key', 'b.sh', 'c.key'].map((name, index) => blankMount(join(top, name), top, index))
  expect(blanks.map(({ target }) => target)).toEqual(['a.key', 'b.sh', 'c.key'].map((name) => join(top, name)))
  const seen = blanks.map((mount) => {
    const text = readFileSync(sourceOf(mount), 'latin1')
    return [mount.kind, text.length, text.replaceAll('\0', '').slice(0, 21), statSync(sourceOf(mount)).mode & 0o777]
  })
  expect(seen).toEqual([
    ['readOnly', 4, '# Th', 0o444],
    ['readOnly', 70_000, '# This file is hidden', 0o555],
    ['readOnly', 0, '', 0o444],
  ])
})
