import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const CLI = join(import.meta.dirname, '../../dist/cli.js')

it('a checkout without room for the sandbox is an I/O error at the start, and leaves no empty record', (context) => {
  if (spawnSync('bwrap', ['--version']).status !== 0) return context.skip('bubblewrap is not installed')
  const base = mkdtempSync(join(homedir(), '.kode-run-full-'))
  const [point, transcript] = [join(base, 'project'), join(base, 'transcript.jsonl')]
  mkdirSync(point)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', point], { stdio: 'ignore' })
  } catch {
    rmSync(base, { recursive: true })
    return context.skip('mounting a tmpfs is not possible here')
  }
  onTestFinished(() => {
    execFileSync('umount', [point])
    rmSync(base, { recursive: true })
  })
  execFileSync('git', ['init', '-q', point])
  const { bavail, bsize } = statfsSync(point)
  writeFileSync(join(point, 'fill'), Buffer.alloc(bavail * bsize))
  writeFileSync(join(base, 'policy.yml'), 'version: 1\nsandbox: { mode: required }\n')
  writeFileSync(join(base, 'replay.yml'), '- { tool: Finish, input: { status: completed, summary: done } }\n')
  const flags = ['--policy', join(base, 'policy.yml'), '--replay', join(base, 'replay.yml'), '--transcript', transcript]
  const { status, stderr } = spawnSync(process.execPath, [CLI, '--cwd', point, ...flags, 'x'], { encoding: 'utf8' })
  expect([status, existsSync(transcript)]).toEqual([74, false])
  expect(stderr).toContain('The sandbox cannot make its folders')
  expect(stderr).not.toContain('    at ')
})
