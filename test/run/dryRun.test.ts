import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { type CliOptions, runCli } from '../helpers/runs/cliRun.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
import { sampled } from '../helpers/sampled.ts'
import { stubServer } from '../helpers/tools/testMcp.ts'

async function dryRun(more: object, options: CliOptions = {}, args: readonly string[] = []) {
  const server = await serveTurns()
  const run = await runCli(['--dry-run', ...args], {
    server,
    policy: { permissions: { presets: ['read-only'] }, ...more },
    ...options,
  })
  return { ...run, requests: server.requests.length }
}

describe('--dry-run', () => {
  it.each([
    ['where it succeeds', 0, []],
    ['where it is refused later', 2, ['--tools', 'Reed']],
  ] as const)('starts no hook and ends its servers %s', { tags: 'long' }, async (_, code, args) => {
    const hooked = { hooks: [{ type: 'command', command: 'touch ../hooked' }] }
    const more = {
      mcpServers: { stub: stubServer('started', '${HOME}/../pids') },
      hooks: { SessionStart: [hooked], SessionEnd: [hooked] },
    }
    const run = await dryRun(more, {}, args)
    const [pid] = readFileSync(join(run.base, 'pids'), 'utf8').split('\n')
    expect([run.code, existsSync(join(run.base, 'hooked')), isAlive(Number(pid))]).toEqual([code, false, false])
  })

  const ends: readonly (readonly [string, number, object, CliOptions, readonly string[]])[] = [
    ['a required sandbox that is missing', 69, { sandbox: { mode: 'required' } }, { env: { PATH: '/nowhere' } }, []],
    ['a run to continue that is not there', 65, {}, {}, ['--resume', 'gone.jsonl']],
    ['a statement that cannot be made', 73, {}, {}, ['--attest', '/nowhere/at/all.json']],
    ['a transcript that cannot be made', 73, {}, {}, ['--transcript', '/nowhere/at/all.jsonl']],
  ]
  it.each(sampled(ends, 1))('ends as the run would: %s is %i', async (_, code, more, options, args) => {
    const run = await dryRun(more, options, args)
    expect(run).toMatchObject({ code, requests: 0, stdout: '', stderr: expect.stringContaining('kode-run: ') })
    expect(existsSync(run.transcript)).toBe(false)
  })
})
