import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBlobPack } from '../../../src/git/repository/openBlobPack.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function makeRepository() {
  const top = makeFolder()
  const git = (args: readonly string[], input: Uint8Array = Buffer.alloc(0)) =>
    execFileSync('git', [...args], { cwd: top, input, stdio: ['pipe', 'pipe', 'pipe'] })
  git(['init', '-q'])
  const packs = () => readdirSync(join(top, '.git/objects/pack')).filter((name) => name.endsWith('.pack'))
  return { git, packs, blobs: openBlobPack(join(top, '.git')) }
}

/** Bytes that change from place to place, the largest among them: they overflow a sum soon. */
function bytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => (at % 7 === 0 ? at * 31 : 255) & 0xff))
}

it('git reads each content under the name that it gives it', () => {
  const { git, packs, blobs } = makeRepository()
  const contents = [0, 1, 15, 16, 2_047, 2_048, 3_801, 65_535, 65_536, 70_000].map(bytes)
  const oids = contents.map(blobs.putBlob)
  blobs.store()
  for (const [at, content] of contents.entries()) {
    expect(git(['hash-object', '--stdin'], content).toString().trim()).toBe(oids[at])
    expect(git(['cat-file', 'blob', oids[at] ?? '']).equals(content)).toBe(true)
  }
  expect(packs()).toHaveLength(1)
  expect(git(['fsck', '--strict', '--no-dangling']).toString()).toBe('')
  expect(git(['verify-pack', ...packs().map((name) => `.git/objects/pack/${name}`)]).toString()).toBe('')
})

it('writes a content once, and nothing where there is nothing new', () => {
  const { git, packs, blobs } = makeRepository()
  blobs.store()
  const [oid] = [1, 2, 3].map(() => blobs.putBlob(Buffer.from('same')))
  blobs.store()
  blobs.putBlob(Buffer.from('same'))
  blobs.store()
  expect(packs()).toHaveLength(1)
  blobs.putBlob(Buffer.from('other'))
  blobs.store()
  expect(packs()).toHaveLength(2)
  expect(git(['cat-file', 'blob', oid ?? '']).toString()).toBe('same')
})

it('does not keep everything in memory until then', () => {
  const { packs, blobs } = makeRepository()
  const content = bytes(60_000)
  for (let count = 0; count < 150; count++) {
    content.writeUInt32BE(count)
    blobs.putBlob(content)
  }
  expect(packs()).toHaveLength(1)
})
