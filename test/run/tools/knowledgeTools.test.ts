import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI_TEST_KEY } from '../../helpers/runs/cliRun.ts'
import { type PlayedRun, playRun } from '../../helpers/runs/playRun.ts'

function artifactsOf(run: PlayedRun): string {
  return join(dirname(run.transcript), `${run.result().session_id}-artifacts`)
}

/** Of the shape that a code host gives to its tokens. */
const TOKEN = `ghp_${'a1B2c3'.repeat(6)}`

describe('memory', () => {
  const POLICY = 'version: 1\npermissions: { allow: [MemoryRead, MemoryWrite] }\nmemory: ../kept/memory\n'
  const args = ['--tools', 'MemoryRead,MemoryWrite']

  it('is written only to its folder, redacted, and read again', async () => {
    const run = await playRun(
      [
        { name: 'MemoryRead', input: {} },
        { name: 'MemoryWrite', input: { file_path: 'index.md', content: `- flaky: a.test.ts\nkey ${TOKEN}\n` } },
        { name: 'MemoryWrite', input: { file_path: '../../project/escaped', content: 'x' } },
        { name: 'MemoryRead', input: { file_path: '../../project/a.txt' } },
        { name: 'MemoryRead', input: {} },
      ],
      { policy: POLICY, args, files: { 'a.txt': 'of the project' } },
    )
    const folder = join(run.base, 'kept/memory')
    expect(readFileSync(join(folder, 'index.md'), 'utf8')).toMatch(/^- flaky: a\.test\.ts\nkey \[REDACTED/)
    expect(statSync(folder).mode & 0o077).toBe(0)
    expect(existsSync(join(run.project, 'escaped'))).toBe(false)
    expect(run.told[0]).toBe('Nothing is remembered yet.')
    expect(run.told.slice(2, 4)).toEqual(Array(2).fill(expect.stringContaining('is not inside the memory folder')))
    expect(run.told[4]).toContain('- flaky: a.test.ts')
  })

  it('may be behind a link of the user, like a cache', { tags: 'long' }, async () => {
    const run = await playRun([{ name: 'MemoryWrite', input: { file_path: 'a/b.md', content: 'noted' } }], {
      policy: POLICY,
      args,
      prepare(project) {
        mkdirSync(join(project, '../real'))
        symlinkSync(join(project, '../real'), join(project, '../kept'))
      },
    })
    expect(readFileSync(join(run.base, 'real/memory/a/b.md'), 'utf8')).toBe('noted')
  })
})

describe('files for the user', () => {
  it('are redacted and copied into a private folder', { tags: 'long' }, async () => {
    const policy = 'version: 1\npermissions: { presets: [read-only], allow: [SendUserFile] }\n'
    const run = await playRun(
      [
        { name: 'SendUserFile', input: { files: ['report.md', 'report.md'] } },
        { name: 'SendUserFile', input: { files: ['../policy.yml'] } },
        { name: 'SendUserFile', input: { files: ['.env'] } },
      ],
      {
        policy,
        args: ['--tools', 'SendUserFile'],
        files: { 'report.md': `all good ${CLI_TEST_KEY}\n`, '.env': 'A=1' },
      },
    )
    const folder = artifactsOf(run)
    expect(readdirSync(folder).sort()).toEqual(['report-2.md', 'report.md'])
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toMatch(/^all good \[REDACTED/)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(run.told[1]).toContain('outside the working directories')
    expect(run.result().permission_denials).toMatchObject([{ tool_input: { files: ['.env'] } }])
  })

  it('create no folder if there are none', { tags: 'long' }, async () => {
    const run = await playRun([])
    expect(existsSync(artifactsOf(run))).toBe(false)
  })
})
