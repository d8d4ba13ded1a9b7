import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jailGit } from '../../src/sandbox/jailGit.ts'
import { type Files, makeFiles, writeFiles } from '../helpers/effects/makeFiles.ts'

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

  /** Which folders of objects it sees, if its own list names `first`. */
  function objectsOf(prepare: (top: string) => void, first = 'a\n') {
    const { bin, folder } = programs('bwrap')
    writeFiles(folder, { 'own/shared/': '', 'a/info/': '', 'b/': '' })
    const named = (text: string) => text.replace(/^(?=[\w/]+$)/gm, `${folder}/`)
    writeFiles(folder, { 'own/objects/info/alternates': named(first) })
    prepare(folder)
    const args = jailGit({ state: 'enforced' }, bin)?.({ file: 'git', args: [] }, join(folder, 'own'))?.args ?? []
    const shown = args.flatMap((word, index) => (word === '--ro-bind' ? [args[index + 1] ?? ''] : []))
    return shown.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length + 1))
  }
  const write = (files: (top: string) => Files) => (top: string) => writeFiles(top, files(top))

  it.each<[string, (top: string) => void]>([
    ['a link', write((top) => ({ 'a/info/alternates': '-> list', 'a/info/list': `${top}/b\n` }))],
    ['a very large file', write((top) => ({ 'a/info/alternates': `${top}/b\n${'#'.repeat(100_000)}\n` }))],
    ['a FIFO, that nobody writes to', (top) => void execFileSync('mkfifo', [join(top, 'a/info/alternates')])],
  ])('shows no object folders of a list that is %s', (_, prepare) => expect(objectsOf(prepare)).toEqual(['a']))

  it('shows the object folders of lists and of theirs: no empty line, no missing folder, none twice', () => {
    // A list that leads back ends there.
    const more = write((top) => ({ 'a/info/alternates': `${top}/own/shared\n${top}/a\n${top}/b\n` }))
    expect(objectsOf(more, 'a\n\ngone\n../shared\na\n')).toEqual(['a', 'own/shared', 'b'])
  })
})
