import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jailGit } from '../../src/sandbox/jailGit.ts'
import { makeFiles, writeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

/** Our own git directory, with `first` behind it, and what `list` makes of the list of `first`. */
function mountedWith(list: (path: string, second: string) => void): readonly string[] {
  const folder = makeFolder()
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

/** A folder with programs of its own; `git` is a copy that is only looked at. */
function programs(...names: string[]) {
  const folder = makeFiles(Object.fromEntries(names.map((name) => [`tools/bin/${name}`, ''])))
  const prefix = join(folder, 'tools')
  for (const name of names) chmodSync(join(prefix, 'bin', name), 0o755)
  return { prefix, bin: join(prefix, 'bin'), folder }
}

describe("the sandbox of kode-run's own git", () => {
  it('is there only if that of the commands is, and its program', () => {
    const { bin } = programs('bwrap')
    expect(jailGit({ state: 'off' }, bin)).toBeUndefined()
    expect(jailGit({ state: 'enforced' }, programs('git').bin)).toBeUndefined()
    expect(jailGit({ state: 'enforced' }, bin)).toBeDefined()
  })

  it('has no network, keeps few rights, may write only its start folder, and needs nothing at its end', async () => {
    const { bin, folder } = programs('bwrap')
    const boxed = jailGit({ state: 'enforced' }, bin)?.({ file: 'git', args: ['status', '-z'] }, folder)
    const { file, args = [], ended } = boxed ?? {}
    expect(file).toBe(join(bin, 'bwrap'))
    expect(args.slice(args.indexOf('--') + 1)).toEqual(['git', 'status', '-z'])
    expect(args).toContain('--unshare-net')
    expect(args.includes('--cap-add')).toBe(process.getuid?.() === 0)
    const binds = args.flatMap((word, at) => (word === '--bind' ? [args.slice(at + 1, at + 3)] : []))
    expect(binds).toEqual([[folder, folder]])
    expect(args).toContain('/usr')
    await expect(ended?.()).resolves.toBeUndefined()
  })

  it('shows a git that is installed elsewhere, with its folder, and no other', () => {
    const { bin, prefix, folder } = programs('bwrap', 'git')
    const shown = (path: string) =>
      jailGit({ state: 'enforced' }, path)?.({ file: 'git', args: [] }, folder)?.args ?? []
    expect(shown(bin).join(' ')).toContain(` --ro-bind ${prefix} ${prefix} --ro-bind ${bin} ${bin} `)
    const { bin: alone } = programs('bwrap')
    expect(shown(`${alone}:/usr/bin`).filter((word) => word === '--ro-bind' || word === alone)).not.toContain(alone)
    // A git of the system is there already.
    expect(shown(`${alone}:/usr/bin`)).toEqual(shown(alone))
    expect(shown(alone)).not.toContain(bin)
  })

  it('shows the object folders of lists and of theirs: no empty line, no missing folder, none twice', () => {
    const { bin, folder } = programs('bwrap')
    const at = (...names: string[]) => join(folder, ...names)
    writeFiles(folder, {
      ...{ 'own/shared/': '', 'b/': '' },
      'own/objects/info/alternates': `${at('a')}\n\n${at('gone')}\n../shared\n${at('a')}\n`,
      // A list that leads back ends there.
      'a/info/alternates': `${at('own/shared')}\n${at('a')}\n${at('b')}\n`,
    })
    const args = jailGit({ state: 'enforced' }, bin)?.({ file: 'git', args: [] }, at('own'))?.args ?? []
    const shown = args.flatMap((word, index) => (word === '--ro-bind' ? [args[index + 1]] : []))
    expect(shown.filter((path) => path?.startsWith(folder))).toEqual([at('a'), at('own/shared'), at('b')])
  })
})
