import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { changesSince, commandFiles, isFolderSince, takeSnapshot } from '../../../src/sandbox/integrity/takeSnapshot.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { recordFiles } from '../../helpers/runs/recordFiles.ts'

let folder: string
beforeEach(() => {
  folder = makeFolder()
  mkdirSync(join(folder, 'hooks'))
  for (const name of ['env', 'hooks/pre-commit']) writeFileSync(join(folder, name), 'before')
})

const at = (name: string) => join(folder, name)
/** Files of more bytes are not read. */
const LARGE = 8 * 1024 * 1024

function instead(name: string, make: () => unknown): void {
  rmSync(at(name))
  make()
}
const relink = (name: string, to: string) => instead(name, () => symlinkSync(to, at(name)))

function writeAt(name: string, position: number): void {
  const file = openSync(at(name), 'r+')
  writeSync(file, 'x', position)
  closeSync(file)
}

describe('takeSnapshot', () => {
  it.each<[string, string, () => void]>([
    ['a line added', 'env', () => appendFileSync(at('env'), 'X=1\n')],
    ['a file removed', 'hooks/pre-commit', () => rmSync(at('hooks/pre-commit'))],
    ['a file added', 'hooks/post-merge', () => writeFileSync(at('hooks/post-merge'), '')],
    ['a file made executable', 'hooks/pre-commit', () => chmodSync(at('hooks/pre-commit'), 0o755)],
    ['a path that came to be', 'later', () => writeFileSync(at('later'), '')],
    ['a file that became a link', 'env', () => relink('env', 'hooks/pre-commit')],
    ['a pipe in its place', 'env', () => instead('env', () => execFileSync('mkfifo', [at('env')]))],
    ['a folder in its place', 'env', () => instead('env', () => mkdirSync(at('env')))],
    ['a folder with other permissions', 'hooks', () => chmodSync(at('hooks'), 0o700)],
    ['a link to another place', 'link', () => relink('link', 'hooks')],
    ['another pipe: with other permissions', 'pipe', () => chmodSync(at('pipe'), 0o600)],
    ['a large file of another size', 'large', () => truncateSync(at('large'), LARGE + 2)],
    ['a large file of another time', 'large', () => utimesSync(at('large'), 1, 1)],
    [
      'the last byte of a file that is just not large, with its time put back',
      'small',
      () => {
        writeAt('small', LARGE - 1)
        utimesSync(at('small'), 2, 2)
      },
    ],
  ])('sees %s', (_what, name, change) => {
    chmodSync(at('hooks'), 0o755)
    symlinkSync('env', at('link'))
    execFileSync('mkfifo', ['-m', '644', at('pipe')])
    if (name === 'large' || name === 'small') {
      writeFileSync(at(name), '')
      truncateSync(at(name), name === 'large' ? LARGE + 1 : LARGE)
      utimesSync(at(name), 2, 2)
    }
    const snapshot = takeSnapshot(['env', 'hooks', 'later', 'link', 'pipe', 'large', 'small'].map(at))
    expect(changesSince(snapshot)).toEqual([])
    change()
    expect(changesSince(snapshot)).toEqual([at(name)])
  })

  it('opens regular files alone', () => {
    execFileSync('mkfifo', [at('pipe')])
    symlinkSync('env', at('link'))
    const { calls } = recordFiles(folder)
    takeSnapshot(['pipe', 'link', 'hooks'].map(at))
    expect(calls).toEqual(['open hooks/pre-commit', 'close hooks/pre-commit'])
  })

  it('reads no large file, and none after the first 2,000, but sees a change of their content', () => {
    mkdirSync(at('many'))
    for (let n = 0; n < 2000; n += 1) symlinkSync('x', at(`many/${n}`))
    writeFileSync(at('large'), '')
    truncateSync(at('large'), LARGE + 1)
    const { calls } = recordFiles(folder)
    const snapshot = takeSnapshot(['large', 'many', 'env'].map(at))
    expect(calls).toEqual([])
    for (const name of ['large', 'env']) {
      const { mtime } = statSync(at(name))
      writeAt(name, 0)
      utimesSync(at(name), mtime, mtime)
    }
    expect(changesSince(snapshot)).toEqual(['env', 'large'].map(at))
    for (const name of readdirSync(at('many'))) rmSync(at(`many/${name}`))
    expect(changesSince(snapshot)).toHaveLength(2002)
  })

  it('sees what came, went and changed in a listed folder, but not below its folders', () => {
    for (const name of ['kept', 'gone', 'changed', 'below/x']) {
      mkdirSync(dirname(at(`list/${name}`)), { recursive: true })
      writeFileSync(at(`list/${name}`), 'before')
    }
    const snapshot = takeSnapshot([], [at('list'), at('missing')])
    expect([...snapshot.prints.keys()].sort()).toEqual(
      ['below', 'changed', 'gone', 'kept'].map((name) => at(`list/${name}`)),
    )
    writeFileSync(at('list/new'), '')
    writeFileSync(at('list/below/x'), 'after')
    rmSync(at('list/gone'))
    writeFileSync(at('list/changed'), 'afterwards')
    expect(changesSince(snapshot)).toEqual(['changed', 'gone', 'new'].map((name) => at(`list/${name}`)))
  })

  it('leaves no file open, and tells equal files by equal prints', () => {
    const before = readdirSync('/dev/fd').length
    const snapshot = takeSnapshot([at('env'), at('hooks')])
    expect(readdirSync('/dev/fd')).toHaveLength(before)
    expect(snapshot.prints.get(at('env'))).not.toBe(snapshot.prints.get(at('hooks')))
    writeFileSync(at('other'), 'before', { mode: statSync(at('env')).mode })
    expect(takeSnapshot([at('other')]).prints.get(at('other'))).toBe(snapshot.prints.get(at('env')))
  })

  it('names changes in their order, and no rewrite with the same content', () => {
    const snapshot = takeSnapshot([at('z'), at('a'), at('env')])
    writeFileSync(at('env'), 'before')
    for (const name of ['z', 'a']) writeFileSync(at(name), '')
    expect(changesSince(snapshot)).toEqual(['a', 'z'].map(at))
  })
})

it('the command files are those that the step names', () => {
  const names = ['ENV', 'OUTPUT', 'PATH', 'STATE', 'STEP_SUMMARY'].map((name) => `GITHUB_${name}`)
  const all = Object.fromEntries(names.map((name) => [name, `/${name}`]))
  expect(commandFiles({ ...all, GITHUB_SHA: 'x' })).toEqual(names.map((name) => `/${name}`))
  expect(commandFiles({ GITHUB_OUTPUT: '' })).toEqual([])
})

it('tells folders that came and went from what is or was in the place of one', () => {
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  for (const name of ['went', 'stays', 'linked']) mkdirSync(at(name))
  writeFileSync(at('file'), '')
  const before = takeSnapshot([folder])
  for (const name of ['went', 'linked', 'file']) rmSync(at(name), { recursive: true })
  symlinkSync('stays', at('linked'))
  mkdirSync(at('came'))
  mkdirSync(at('file'))
  writeFileSync(at('new'), '')
  const names = ['went', 'came', 'stays', 'linked', 'file', 'new', 'never']
  expect(names.filter((name) => isFolderSince(before, at(name)))).toEqual(['went', 'came'])
})
