import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { changesSince, commandFiles, isFolderSince, takeSnapshot } from '../../../src/sandbox/integrity/takeSnapshot.ts'
import { type Files, makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { recordFiles } from '../../helpers/runs/recordFiles.ts'

let folder: string
beforeEach(() => {
  folder = makeFiles({ env: 'before', 'hooks/pre-commit': 'before' })
})

const at = (name: string) => join(folder, name)
/** Files of more bytes are not read. */
const LARGE = 8 * 1024 * 1024

const write = (files: Files) => writeFiles(folder, files)
const instead = (name: string, files: Files) => {
  rmSync(at(name))
  write(files)
}

/** Changes a byte, and puts the time back. */
function writeAt(name: string, position: number): void {
  const { mtime } = statSync(at(name))
  const file = openSync(at(name), 'r+')
  writeSync(file, 'x', position)
  closeSync(file)
  utimesSync(at(name), mtime, mtime)
}

describe('takeSnapshot', () => {
  it.each<[string, string, () => void]>([
    ['a line added', 'env', () => appendFileSync(at('env'), 'X=1\n')],
    ['a file removed', 'hooks/pre-commit', () => rmSync(at('hooks/pre-commit'))],
    ['a file added', 'hooks/post-merge', () => write({ 'hooks/post-merge': '' })],
    ['a file made executable', 'hooks/pre-commit', () => chmodSync(at('hooks/pre-commit'), 0o755)],
    ['a path that came to be', 'later', () => write({ later: '' })],
    ['a file that became a link', 'env', () => instead('env', { env: '-> hooks/pre-commit' })],
    ['a pipe in its place', 'env', () => renameSync(at('pipe2'), at('env'))],
    ['a folder in its place', 'env', () => instead('env', { 'env/': '' })],
    ['a folder with other permissions', 'hooks', () => chmodSync(at('hooks'), 0o700)],
    ['a link to another place', 'link', () => instead('link', { link: '-> hooks' })],
    ['another pipe: with other permissions', 'pipe', () => chmodSync(at('pipe'), 0o600)],
    ['a large file of another size', 'large', () => truncateSync(at('large'), LARGE + 2)],
    ['a large file of another time', 'large', () => utimesSync(at('large'), 1, 1)],
    [
      'the last byte of a file that is just not large, with its time put back',
      'small',
      () => writeAt('small', LARGE - 1),
    ],
  ])('sees %s', (_what, name, change) => {
    chmodSync(at('hooks'), 0o755)
    write({ link: '-> env' })
    execFileSync('mkfifo', ['-m', '644', at('pipe'), at('pipe2')])
    if (name === 'large' || name === 'small') {
      write({ [name]: '' })
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
    write({ link: '-> env' })
    const { calls } = recordFiles(folder)
    takeSnapshot(['pipe', 'link', 'hooks'].map(at))
    expect(calls).toEqual(['open hooks/pre-commit', 'close hooks/pre-commit'])
  })

  it('reads no large file, and none after the first 2,000, but sees a change of their content', () => {
    write({ ...Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`many/${n}`, '-> x'])), large: '' })
    truncateSync(at('large'), LARGE + 1)
    const { calls } = recordFiles(folder)
    const snapshot = takeSnapshot(['large', 'many', 'env'].map(at))
    expect(calls).toEqual([])
    for (const name of ['large', 'env']) writeAt(name, 0)
    expect(changesSince(snapshot)).toEqual(['env', 'large'].map(at))
    for (const name of readdirSync(at('many'))) rmSync(at(`many/${name}`))
    expect(changesSince(snapshot)).toHaveLength(2002)
  })

  it('sees what came, went and changed in a listed folder, but not below its folders', () => {
    write({ 'list/kept': 'before', 'list/gone': 'before', 'list/changed': 'before', 'list/below/x': 'before' })
    const snapshot = takeSnapshot([], [at('list'), at('missing')])
    expect([...snapshot.prints.keys()].sort()).toEqual(
      ['below', 'changed', 'gone', 'kept'].map((name) => at(`list/${name}`)),
    )
    write({ 'list/new': '', 'list/below/x': 'after', 'list/changed': 'afterwards' })
    rmSync(at('list/gone'))
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
    write({ env: 'before', z: '', a: '' })
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
  write({ 'went/': '', 'stays/': '', 'linked/': '', file: '' })
  const before = takeSnapshot([folder])
  for (const name of ['went', 'linked', 'file']) rmSync(at(name), { recursive: true })
  write({ linked: '-> stays', 'came/': '', 'file/': '', new: '' })
  const names = ['went', 'came', 'stays', 'linked', 'file', 'new', 'never']
  expect(names.filter((name) => isFolderSince(before, at(name)))).toEqual(['went', 'came'])
})
