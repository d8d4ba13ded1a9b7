import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { jailGit } from '../../src/sandbox/jailGit.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Our own git directory, with `first` behind it, and what `list` makes of the list of `first`. */
function mountedWith(list: (path: string, second: string) => void): readonly string[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'jail-git-')))
  folders.push(folder)
  const at = (...names: string[]) => join(folder, ...names)
  for (const name of ['own/objects/info', 'first/info', 'second', 'bin']) mkdirSync(at(name), { recursive: true })
  writeFileSync(at('bin', 'bwrap'), '', { mode: 0o755 })
  writeFileSync(at('own', 'objects', 'info', 'alternates'), `${at('first')}\n`)
  list(at('first', 'info', 'alternates'), at('second'))
  const wrap = jailGit({ state: 'enforced' }, `${at('bin')}:${process.env['PATH']}`)
  const { args = [] } = wrap?.({ file: 'git', args: [] }, at('own')) ?? {}
  return ['first', 'second'].filter((name) => args.includes(at(name)))
}

describe("the object folders that kode-run's own git sees", () => {
  it('are those of alternates, followed recursively', () => {
    expect(mountedWith((path, second) => writeFileSync(path, `${second}\n`))).toEqual(['first', 'second'])
  })

  it.each<[string, (path: string, second: string) => void]>([
    [
      'a link',
      (path, second) => {
        writeFileSync(`${path}.list`, `${second}\n`)
        symlinkSync(`${path}.list`, path)
      },
    ],
    ['a very large file', (path, second) => writeFileSync(path, `${second}\n${'#'.repeat(100_000)}\n`)],
    ['a FIFO, that nobody writes to', (path) => void execFileSync('mkfifo', [path])],
  ])('are not those of %s', (_, list) => {
    expect(mountedWith(list)).toEqual(['first'])
  })
})
