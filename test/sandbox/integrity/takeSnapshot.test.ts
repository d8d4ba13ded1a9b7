import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changesSince, commandFiles, takeSnapshot } from '../../../src/sandbox/integrity/takeSnapshot.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshot-'))
  mkdirSync(join(folder, 'hooks'))
  for (const name of ['env', 'hooks/pre-commit']) writeFileSync(join(folder, name), 'before')
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)

describe('takeSnapshot', () => {
  it.each<[string, () => void, string[]]>([
    ['nothing', () => undefined, []],
    ['a line added', () => appendFileSync(at('env'), 'X=1\n'), ['env']],
    [
      'a change of equal size, with its time put back',
      () => {
        writeFileSync(at('env'), 'BEFORE')
        utimesSync(at('env'), 1, 1)
      },
      ['env'],
    ],
    ['a file removed', () => rmSync(at('hooks/pre-commit')), ['hooks/pre-commit']],
    ['a file added', () => writeFileSync(at('hooks/post-merge'), ''), ['hooks/post-merge']],
    ['a file made executable', () => chmodSync(at('hooks/pre-commit'), 0o755), ['hooks/pre-commit']],
    [
      'a file that became a link',
      () => {
        rmSync(at('env'))
        symlinkSync('hooks/pre-commit', at('env'))
      },
      ['env'],
    ],
    ['a path that came to be', () => writeFileSync(at('later'), ''), ['later']],
    [
      'a pipe in its place',
      () => {
        rmSync(at('env'))
        execFileSync('mkfifo', [at('env')])
      },
      ['env'],
    ],
    [
      'a folder in its place',
      () => {
        rmSync(at('env'))
        mkdirSync(at('env'))
      },
      ['env'],
    ],
  ])('sees %s', (_what, change, expected) => {
    const snapshot = takeSnapshot([at('env'), at('hooks'), at('later')])
    change()
    expect(changesSince(snapshot)).toEqual(expected.map(at))
  })

  it('ignores a rewrite with the same content', () => {
    const snapshot = takeSnapshot([at('env')])
    writeFileSync(at('env'), 'before')
    expect(changesSince(snapshot)).toEqual([])
  })
})

describe('commandFiles', () => {
  it('names the files of the step', () => {
    expect(commandFiles({ GITHUB_ENV: '/a', GITHUB_OUTPUT: '', GITHUB_STEP_SUMMARY: '/b', GITHUB_SHA: 'x' })).toEqual([
      '/a',
      '/b',
    ])
    expect(commandFiles({})).toEqual([])
  })
})
