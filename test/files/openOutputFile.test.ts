import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openOutputFile } from '../../src/files/openOutputFile.ts'

function makeFolders() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'output-file-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const shared = join(base, 'workspace')
  mkdirSync(join(shared, 'out'), { recursive: true })
  writeFileSync(join(base, 'profile'), 'as before')
  return { base, shared, victim: join(base, 'profile') }
}

describe('openOutputFile', () => {
  it.each(['workspace/out/summary.md', 'summary.md'])('adds to and replaces %s', async (name) => {
    const { base, shared } = makeFolders()
    const file = openOutputFile(join(base, name), [shared])
    expect(file.size()).toBe(0)
    await file.append('one\n')
    await file.append('two\n')
    expect(file.size()).toBe(8)
    expect(readFileSync(join(base, name), 'utf8')).toBe('one\ntwo\n')
    await file.replace('three')
    expect(readFileSync(join(base, name), 'utf8')).toBe('three')
  })

  it('passes a text to the reader of a pipe, but does not wait for one', async () => {
    const { base } = makeFolders()
    const pipe = join(base, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(() => openOutputFile(pipe, [])).toThrow('a pipe that nobody reads')
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = text(reader.stdout)
    const file = await vi.waitFor(() => openOutputFile(pipe, []), 10_000)
    await file.append('x'.repeat(200_000))
    expect(await ended).toBe('x'.repeat(200_000))
  })

  it('leaves nothing of a partially written text', async () => {
    const { base } = makeFolders()
    const script = `
      import { openOutputFile } from './src/files/openOutputFile.ts'
      process.on('SIGXFSZ', () => {})
      const [, fresh, old] = process.argv
      const codes = []
      for (const write of [() => openOutputFile(fresh, []).append('x'.repeat(9000)), () => openOutputFile(old, []).append('y'.repeat(9000))]) {
        await write().catch((error) => codes.push(error.code))
      }
      console.log(codes.join())
    `
    const command = 'ulimit -f 3; exec "$0" --import tsx --input-type=module -e "$1" "$2" "$3"'
    const files = [join(base, 'fresh'), join(base, 'profile')]
    const out = execFileSync('bash', ['-c', command, process.execPath, script, ...files], { encoding: 'utf8' })
    expect(out.trim()).toBe('EFBIG,EFBIG')
    expect(existsSync(files[0] ?? '')).toBe(false)
    expect(readFileSync(files[1] ?? '', 'utf8')).toBe('as before')
  })

  it('does not follow a link in place of the file', async () => {
    const { shared, victim } = makeFolders()
    const path = join(shared, 'out/summary.md')
    const file = openOutputFile(path, [shared])
    symlinkSync(victim, path)
    await expect(file.append('evil')).rejects.toThrow()
    await expect(file.replace('evil')).rejects.toThrow()
    expect(readFileSync(victim, 'utf8')).toBe('as before')
  })

  it('does not follow a link in place of its folder', async () => {
    const { base, shared } = makeFolders()
    const file = openOutputFile(join(shared, 'out/profile'), [shared])
    renameSync(join(shared, 'out'), join(shared, 'away'))
    symlinkSync(base, join(shared, 'out'))
    await expect(file.append('evil')).rejects.toThrow()
    expect(readFileSync(join(base, 'profile'), 'utf8')).toBe('as before')
  })

  it("follows a user's link outside the folders that children can write", async () => {
    const { base, shared, victim } = makeFolders()
    symlinkSync(victim, join(base, 'link'))
    await openOutputFile(join(base, 'link'), [shared]).append('!')
    expect(readFileSync(victim, 'utf8')).toBe('as before!')
  })
})
