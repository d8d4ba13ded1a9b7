import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const POLICY = 'version: 1\nsandbox: { mode: required }\npermissions: { allow: [Bash, "Edit(src/**)"] }\n'
const REPLAY = `- { tool: Bash, input: { command: "mkdir src; head -c 200000 /dev/zero > src/big" } }
- { tool: Finish, input: { status: completed, summary: done } }
`
const CLI = join(import.meta.dirname, '../../dist/cli.js')

it('a full checkout gets no changes of a command, and the run says so and continues', { tags: 'long' }, (context) => {
  if (spawnSync('bwrap', ['--version']).status !== 0) return context.skip('needs bubblewrap')
  const base = mkdtempSync(join(homedir(), '.kode-run-full-'))
  const [point, transcript] = [join(base, 'project'), join(base, 'transcript.jsonl')]
  mkdirSync(point)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', point], { stdio: 'ignore' })
  } catch {
    rmSync(base, { recursive: true })
    return context.skip('needs the right to mount')
  }
  onTestFinished(() => {
    execFileSync('umount', [point])
    rmSync(base, { recursive: true })
  })
  execFileSync('git', ['init', '-q', point])
  const { bavail, bsize } = statfsSync(point)
  writeFileSync(join(point, 'fill'), Buffer.alloc(bavail * bsize))
  writeFileSync(join(base, 'policy.yml'), POLICY)
  writeFileSync(join(base, 'replay.yml'), REPLAY)
  const flags = ['--policy', join(base, 'policy.yml'), '--replay', join(base, 'replay.yml'), '--transcript', transcript]
  const { status, stderr } = spawnSync(process.execPath, [CLI, '--cwd', point, ...flags, 'x'], { encoding: 'utf8' })
  expect([status, readdirSync(point).sort()], stderr).toEqual([3, ['.git', 'fill']])
  expect(readFileSync(transcript, 'utf8')).toMatch(
    /Nothing that this command changed was kept[^"]*could not be taken over[^"]*ENOSPC/,
  )
  expect(stderr).not.toContain('    at ')
})
