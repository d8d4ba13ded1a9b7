import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createView, type ViewMethod, viewCommand } from '../../../src/sandbox/views/createView.ts'
import { firstProcess } from '../../../src/sandbox/views/waitForViewEnd.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const PROGRAMS = { bwrap: 'bwrap', unshare: 'unshare', mount: 'mount', sh: 'sh' }
const STARTS = { root: ['unshare', '-m'], user: ['unshare', '-Urm'], bwrap: ['bwrap', '--ro-bind', '/', '/'] }

for (const way of Object.keys(STARTS) as ViewMethod[]) {
  const [file = '', ...args] = STARTS[way]
  it.skipIf(spawnSync(file, [...args, 'true']).status !== 0)(`${way}: a command writes to its views alone`, () => {
    const roots = [makeFiles({ 'a,b:c': 'old' }), makeFiles({ b: 'old' })]
    const view = createView(makeFolder(), roots)
    const script = 'echo new > "0/merged/a,b:c" && rm 1/merged/b && pwd && echo \'{"child-pid": 7}\' >&9'
    const [program = '', ...rest] = viewCommand(way, PROGRAMS, view)
    const { stdout, stderr, status } = spawnSync(program, [...rest, 'sh', '-c', script], { encoding: 'utf8' })
    expect({ stdout, stderr, status }).toEqual({ stdout: `${view.folder}\n`, stderr: '', status: 0 })
    expect([firstProcess(view.folder), ...roots.map((root) => readdirSync(root))]).toEqual([7, ['a,b:c'], ['b']])
    expect(readFileSync(join(roots[0] ?? '', 'a,b:c'), 'utf8')).toBe('old')
    const [first, second] = view.layers.map(({ upper }) => upper) as [string, string]
    expect(readFileSync(join(first, 'a,b:c'), 'utf8')).toBe('new\n')
    expect(statSync(join(second, 'b')).isCharacterDevice()).toBe(true)
    expect(readdirSync(view.layers[0]?.merged ?? '')).toEqual([])
    for (const { work } of view.layers) chmodSync(join(work, 'work'), 0o700)
  })
}

it('only this user can enter the folders of a view; its root has the mode and the owner of the checkout’s', () => {
  const root = makeFiles()
  chmodSync(root, 0o1775)
  if (process.getuid?.() === 0) chownSync(root, 1234, 1235)
  const { layers, folder } = createView(makeFolder(), [root])
  const [{ upper, work, merged } = { upper: '', work: '', merged: '' }] = layers
  const modes = [folder, join(upper, '..'), work, merged].map((path) => statSync(path).mode & 0o7777)
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o700])
  const { mode, uid, gid } = statSync(root)
  expect(statSync(upper)).toMatchObject({ mode, uid, gid })
})

it('no process was started in a view without a first one', () => {
  expect(firstProcess(makeFiles({ init: '{"other": 5}' }))).toBeUndefined()
  expect(firstProcess(makeFiles())).toBeUndefined()
})
