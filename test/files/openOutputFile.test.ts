import {
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
import { describe, expect, it, onTestFinished } from 'vitest'
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

  it('is not led away by a link in the place of the file', async () => {
    const { shared, victim } = makeFolders()
    const path = join(shared, 'out/summary.md')
    const file = openOutputFile(path, [shared])
    symlinkSync(victim, path)
    await expect(file.append('evil')).rejects.toThrow()
    await expect(file.replace('evil')).rejects.toThrow()
    expect(readFileSync(victim, 'utf8')).toBe('as before')
  })

  it('is not led away by a link in the place of its folder', async () => {
    const { base, shared } = makeFolders()
    const file = openOutputFile(join(shared, 'out/profile'), [shared])
    renameSync(join(shared, 'out'), join(shared, 'away'))
    symlinkSync(base, join(shared, 'out'))
    await expect(file.append('evil')).rejects.toThrow()
    expect(readFileSync(join(base, 'profile'), 'utf8')).toBe('as before')
  })

  it('follows a link of the user outside of what children share', async () => {
    const { base, shared, victim } = makeFolders()
    symlinkSync(victim, join(base, 'link'))
    await openOutputFile(join(base, 'link'), [shared]).append('!')
    expect(readFileSync(victim, 'utf8')).toBe('as before!')
  })
})
