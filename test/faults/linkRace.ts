import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import { resolvePath } from '../../src/files/resolvePath.ts'

export type RaceEnd = { readonly inside: number; readonly refused: number; readonly escapes: number }

/**
 * Swings a folder and a link to the outside in and out of one name, as fast as it can. A write in the moment without a door
 * makes a folder of that name, which is put away.
 */
const SWING = `
  const fs = require('node:fs')
  let count = 0
  const swing = (name) => {
    try { fs.renameSync(name, 'door') } catch { return fs.renameSync('door', 'aside-' + (count += 1)) }
    fs.renameSync('door', name)
  }
  for (;;) { swing('real'); swing('link') }`

/**
 * Reads and writes a file behind a name that is a folder at one moment and a link out of the project at the next, judged
 * first and used then, as a tool does it. An escape is a byte of the outside that was read, or anything written there.
 */
export async function linkRace(folder: string, rounds: number): Promise<RaceEnd> {
  const base = realpathSync(folder)
  const [root, outside] = [join(base, 'project'), join(base, 'outside/deep')]
  for (const path of [join(root, 'real/deep'), outside]) mkdirSync(path, { recursive: true })
  writeFileSync(join(outside, 'secret'), 'SECRET')
  writeFileSync(join(root, 'real/deep/secret'), 'inside')
  symlinkSync('../outside', join(root, 'link'))
  const child = spawn(process.execPath, ['-e', SWING], { cwd: root, stdio: 'ignore' })
  const files = createFileAccess({ roots: [root], forbidden: [] })
  const end = { inside: 0, refused: 0, escapes: 0 }
  try {
    for (let round = 0; round < rounds; round++) {
      const { resolved } = resolvePath('door/deep/secret', root, '/root')
      const step = round % 8 === 1 ? files.write(resolved, Buffer.from('inside')) : files.read(resolved)
      const result = await step.catch(() => undefined)
      if (result === undefined) end.refused++
      else if ('bytes' in result && Buffer.from(result.bytes).toString() !== 'inside') end.escapes++
      else end.inside++
    }
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const isTouched = readFileSync(join(outside, 'secret'), 'utf8') !== 'SECRET' || readdirSync(outside).length !== 1
  return isTouched ? { ...end, escapes: end.escapes + 1 } : end
}
