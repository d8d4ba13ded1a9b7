import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { abandonedFolders, OWNER, ownedFolder } from '../../../src/lib/fs/ownedFolder.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { sampled } from '../../helpers/sampled.ts'

function makeParent(): string {
  const parent = mkdtempSync(join(tmpdir(), 'kode-run-owned-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
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

/** What stands in a folder for a moment: the process is killed when it takes it away. */
const PASSING: readonly [string, string, string][] = [
  ['the input of a child', 'lib/fs/openInput.ts', "module.openInput('secret')"],
  [
    'output on its way to a blob',
    'lib/process/createSpill.ts',
    "module.createSpill(() => '', 1).add(Buffer.from('secret'))",
  ],
  ...(process.platform === 'linux'
    ? [['pipes to a child', 'lib/process/openPipe.ts', 'await module.openPipe()'] satisfies [string, string, string]]
    : []),
]

it.each(sampled(PASSING, 1))('%s is known as abandoned after a kill, until nothing of it is there', (_, path, call) => {
  const parent = makeParent()
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const module = await import(${JSON.stringify(new URL(`../../../src/${path}`, import.meta.url))})
    const { rmSync } = fs
    let removed = 0
    fs.rmSync = (...words) => removed++ === Number(process.argv[1]) ? process.kill(process.pid, 'SIGKILL') : rmSync(...words)
    syncBuiltinESMExports()
    ${call}`
  for (const kill of [0, 1]) {
    const { signal, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script, String(kill)],
      { env: { PATH: process.env['PATH'], TMPDIR: parent }, cwd: import.meta.dirname, encoding: 'utf8' },
    )
    expect([signal, stderr]).toEqual(['SIGKILL', ''])
    expect(abandonedFolders(parent, 'kode-run-')).toHaveLength(kill + 1)
  }
})
