import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { abandonedFolders, OWNER, ownedFolder } from '../../../src/lib/fs/ownedFolder.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { sampled } from '../../helpers/sampled.ts'

function makeParent(): string {
  const parent = makeFolder()
  return parent
}

const DEAD = { ...ownIdentity(), pid: 2 ** 22 + 1 }

it('is abandoned when its owner is dead, and only then', () => {
  const parent = makeParent()
  const living = ownedFolder(parent, 'mine-')
  const make = (name: string, owner?: object) => {
    mkdirSync(join(parent, name))
    if (owner !== undefined) writeFileSync(join(parent, name, OWNER), JSON.stringify(owner))
  }
  make('mine-dead', DEAD)
  make('mine-of-another-host', { ...DEAD, host: 'elsewhere.example' })
  make('other-dead', DEAD)
  make('mine-just-made')
  make('mine-long-empty')
  utimesSync(join(parent, 'mine-long-empty'), 1, 1)
  make('mine-long-without-a-written-name')
  writeFileSync(join(parent, 'mine-long-without-a-written-name', OWNER), '')
  utimesSync(join(parent, 'mine-long-without-a-written-name'), 1, 1)
  make('mine-of-another-program')
  writeFileSync(join(parent, 'mine-of-another-program', 'file'), '')
  utimesSync(join(parent, 'mine-of-another-program'), 1, 1)
  expect(abandonedFolders(parent, 'mine-').map((path) => basename(path))).toEqual([
    'mine-dead',
    'mine-long-empty',
    'mine-long-without-a-written-name',
  ])
  expect(readdirSync(living)).toEqual([OWNER])
})

/** Runs a script that is killed when it calls this function of `node:fs` for the nth time, counted from 0. */
function killAt(parent: string, name: string, nth: number, path: string, call: string): void {
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const module = await import(${JSON.stringify(new URL(`../../../src/${path}`, import.meta.url))})
    const plain = fs.${name}
    let calls = 0
    fs.${name} = (...words) => calls++ === ${nth} ? process.kill(process.pid, 'SIGKILL') : plain(...words)
    syncBuiltinESMExports()
    ${call}`
  const { signal, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'], TMPDIR: parent },
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  expect([signal, stderr]).toEqual(['SIGKILL', ''])
}

it('is abandoned at once where its maker was killed before it wrote the owner', () => {
  const parent = makeParent()
  killAt(parent, 'writeFileSync', 0, 'lib/fs/ownedFolder.ts', `module.ownedFolder(${JSON.stringify(parent)}, 'mine-')`)
  const [name = ''] = readdirSync(parent)
  expect(readdirSync(join(parent, name))).toEqual([])
  expect(abandonedFolders(parent, 'mine-')).toEqual([join(parent, name)])
  const other = name.replace(/_[0-9a-f]+_/, '_0123456789ab_')
  mkdirSync(join(parent, other))
  expect(abandonedFolders(parent, 'mine-')).toEqual([join(parent, name)])
})

/** What stands in a folder for a moment: the process is killed when it takes it away. */
const PASSING: readonly [string, string, string][] = [
  ['the input of a child', 'lib/process/openStreams.ts', "module.openInput('secret')"],
  [
    'output on its way to a blob',
    'lib/process/captureStream.ts',
    "module.createSpill(() => '', 1).add(Buffer.from('secret'))",
  ],
  ...(process.platform === 'linux'
    ? [['pipes to a child', 'lib/process/openStreams.ts', 'await module.openPipe()'] satisfies [string, string, string]]
    : []),
]

it.each(sampled(PASSING, 0))('%s is known as abandoned after a kill, until nothing of it is there', (_, path, call) => {
  const parent = makeParent()
  for (const kill of [0, 1]) {
    killAt(parent, 'rmSync', kill, path, call)
    expect(abandonedFolders(parent, 'kode-run-')).toHaveLength(kill + 1)
  }
})
