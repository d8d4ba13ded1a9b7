import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  createRefLookup,
  isPackedRefsText,
  isRefText,
  isSymbolic,
  looseRefs,
  refText,
} from '../../../src/git/repository/readRefs.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { filesOf } from '../../helpers/table.ts'

const [A, B, C] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(64)] as const

const PACKED = { 'packed-refs': `${B} refs/heads/x` }
const FOLDERS = { gitDir: '', commonDir: '' }

function lookup(files: Readonly<Record<string, string>>) {
  return createRefLookup(FOLDERS, (name) => files[name]).lookUp
}

describe('createRefLookup', () => {
  it.each<[string, Readonly<Record<string, string>>, string, string | undefined]>([
    ['a loose name', { 'refs/heads/x': `${A}\n` }, 'refs/heads/x', A],
    ['one of a SHA-256 repository', { 'refs/heads/x': `${C}\n` }, 'refs/heads/x', C],
    ['one with other white space at its end', { 'refs/heads/x': `${A} \t\r\n\n` }, 'refs/heads/x', A],
    ['a packed name', { 'packed-refs': `# pack-refs\n${A} refs/heads/x\n^${B}\n` }, 'refs/heads/x', A],
    ['the loose one before the packed one', { 'refs/heads/x': A, ...PACKED }, 'refs/heads/x', A],
    [
      'nothing for a damaged loose name, whatever is packed',
      { 'refs/heads/x': 'x', ...PACKED },
      'refs/heads/x',
      undefined,
    ],
    ['HEAD, which is never packed under that name', { HEAD: A, 'packed-refs': `${B} HEAD` }, 'HEAD', A],
    ['HEAD on a branch', { HEAD: 'ref: refs/heads/x\n', 'refs/heads/x': A }, 'HEAD', A],
    ['HEAD on a packed branch', { HEAD: 'ref:refs/heads/x', 'packed-refs': `${A} refs/heads/x` }, 'HEAD', A],
    ['nothing on an unborn branch', { HEAD: 'ref: refs/heads/x\n' }, 'HEAD', undefined],
    ['a name with a Unicode space, which git allows', { HEAD: 'ref: refs/x\u00a0', 'refs/x\u00a0': A }, 'HEAD', A],
    ['a name that leads on as often as git follows', chain(5), 'refs/0', A],
    ['nothing behind more than that', chain(6), 'refs/0', undefined],
    ['nothing in a circle', { 'refs/x': 'ref: refs/y', 'refs/y': 'ref: refs/x' }, 'refs/x', undefined],
    ['nothing outside', { 'refs/../x': A }, 'refs/../x', undefined],
    ['nothing outside of a name that leads there', { HEAD: 'ref: refs/../x', 'refs/../x': A }, 'HEAD', undefined],
    ['nothing in a name of another folder', { HEAD: 'ref: heads/x', 'heads/x': A }, 'HEAD', undefined],
    ['nothing for a hash that is too short', { 'refs/x': A.slice(1) }, 'refs/x', undefined],
  ])('finds %s', (_, files, name, oid) => {
    expect(lookup(files)(name)).toBe(oid)
  })

  it('finds nothing that only looks like a hash', () => {
    for (const text of [`${A}a`, A.toUpperCase(), `x${A}`, `${A} x`, ` ${A}`, `${C}a`, ''])
      expect(lookup({ x: text })('x')).toBeUndefined()
  })

  it('reads no packed line that is not as git writes it', () => {
    const odd = [`${A.slice(1)} refs/x`, `${A}a refs/x`]
    for (const line of [`${A}\trefs/x`, ` ${A} refs/x`, `${A} refs/x y`, `${A} heads/x`, ...odd])
      expect(createRefLookup(FOLDERS, () => line).packed.size).toBe(0)
  })
})

/** `refs/0` leads to `refs/1` and so on; the last one has the hash. */
function chain(hops: number): Record<string, string> {
  const names = Array.from({ length: hops }, (_, at) => [`refs/${at}`, `ref: refs/${at + 1}\n`] as const)
  return Object.fromEntries([...names, [`refs/${hops}`, A]])
}

describe('a text of a name as git writes it', () => {
  it.each([`${A}\n`, C, 'ref: refs/heads/x\n', 'ref: refs/heads/x/\u00fc\n'])('is %j', (text) => {
    expect(isRefText(text, 'refs/heads/')).toBe(true)
  })

  it.each([
    ...['ref: refs/remotes/x\n', 'ref: heads/x\n', 'ref: refs/heads/x y\n', 'ref:refs/heads/x\n', '', 'x'],
    ...[`${A} x\n`, `${A}\n\n`, 'ref: refs/heads/x\nref: refs/heads/y\n'],
  ])('is not %j', (text) => {
    expect(isRefText(text, 'refs/heads/')).toBe(false)
  })

  it.each([...'\u0000\u001f ~^:?*[\\\u007f'])('has no %j in the name, which git does not allow', (letter) => {
    expect(isRefText(`ref: refs/heads/a${letter}b`, 'refs/')).toBe(false)
    expect(isPackedRefsText(`${A} refs/heads/a${letter}b\n`)).toBe(false)
  })
})

it.each<[boolean, string, string]>([
  [true, 'nothing', ''],
  [true, 'what git writes', `# pack-refs with: peeled\n${A} refs/heads/x\n${B} refs/tags/y\n^${A}\n`],
  [false, 'a name twice', `${A} refs/heads/x\n${B} refs/heads/x\n`],
  [false, 'another white space', `${A}\trefs/heads/x\n`],
  [false, 'a line that is none', `${A} refs/heads/x\nx\n`],
  [false, 'a comment that is not at the start of its line', ` # x\n`],
  [false, 'a target that is no hash', `${A} refs/heads/x\n^x\n`],
  [false, 'a target with a name', `^${A} refs/heads/x\n`],
  [false, 'an end of line of another system', `${A} refs/heads/x\r\n`],
])('packed names as git writes them: %s for %s', (isWhole, _, text) => {
  expect(isPackedRefsText(text)).toBe(isWhole)
})

describe('the text of a name', () => {
  it('is none if it is no text, or not there; two that differ never read alike', () => {
    expect(refText(Buffer.from('a'))).toBe('a')
    expect(refText(Buffer.from('\ufeffa'))).toBe('\ufeffa')
    expect([refText(Buffer.from([0x61, 0xff])), refText(undefined)]).toEqual([undefined, undefined])
  })

  it('leads to another name if it says so', () => {
    expect(['ref: x', 'ref:x', 'xref:', A, undefined].map(isSymbolic)).toEqual([true, true, false, false, false])
  })
})

it('lists loose names at any depth, without following links', () => {
  const files = 'refs/heads/a= refs/heads/b/c= refs/tags/t= refs/empty/ HEAD= away/x= refs/l->../away'
  const folder = makeFiles(filesOf(files))
  expect(looseRefs(folder).sort()).toEqual(['refs/heads/a', 'refs/heads/b/c', 'refs/l', 'refs/tags/t'])
  expect(looseRefs(join(folder, 'none'))).toEqual([])
})
