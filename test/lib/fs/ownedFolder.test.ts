import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { abandonedFolders, OWNER, ownedFolder } from '../../../src/lib/fs/ownedFolder.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'

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
  make('mine-of-another-program')
  writeFileSync(join(parent, 'mine-of-another-program', 'file'), '')
  utimesSync(join(parent, 'mine-of-another-program'), 1, 1)
  expect(abandonedFolders(parent, 'mine-').map((path) => basename(path))).toEqual(['mine-dead', 'mine-long-empty'])
  expect(readdirSync(living)).toEqual([OWNER])
})
