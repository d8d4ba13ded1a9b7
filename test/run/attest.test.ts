import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Statement } from '../../src/report/formats/attestation.ts'
import { type CliOptions, type CliRun, runCli } from '../helpers/runs/cliRun.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'
import { commit } from '../helpers/runs/resumedRuns.ts'

const POLICY = 'version: 1\npermissions: { presets: [read-only], allow: ["Edit(*.txt)"] }\n'
const WRITE = '- tool: Write\n  input: { file_path: a.txt, content: "a\\n" }\n- say: done\n'

function attest(file: string, replay = WRITE, { more = [], ...options }: Options = {}): Promise<CliRun> {
  const given = { policy: POLICY, files: { '../replay.yml': replay }, hasKey: false, prepare: commit, ...options }
  return runCli(['--replay', '../replay.yml', '--attest', file, ...more, 'Write.'], given)
}

type Options = CliOptions & { readonly more?: readonly string[] }

const statementIn = (path: string): Statement => JSON.parse(readFileSync(path, 'utf8'))
const verify = (run: CliRun, file: string, ...more: string[]) =>
  kodeRun(['verify', run.transcript, '--attestation', file, ...more], { cwd: '/' })

describe('--attest', () => {
  it('writes a statement about the run, which verify accepts, until something of it is changed', async () => {
    const run = await attest('../attestation.json')
    const path = join(dirname(run.project), 'attestation.json')
    expect(run.code).toBe(0)
    const { subject, predicate } = statementIn(path)
    const text = readFileSync(run.transcript)
    const patch = createHash('sha256')
      .update(run.result().patch ?? '')
      .digest('hex')
    expect(subject).toEqual([
      { name: 'transcript', digest: { sha256: createHash('sha256').update(text).digest('hex') } },
      { name: 'base', digest: { gitCommit: expect.stringMatching(/^[0-9a-f]{40}$/) } },
      { name: 'patch', digest: { sha256: patch } },
    ])
    expect(predicate).toMatchObject({
      exit: { reason: 'completed', code: 0 },
      invocation: { run: run.result().session_id },
    })
    const good = await verify(run, path)
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('is about this transcript')])

    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(patch, 'd'.repeat(64)))
    const bad = await verify(run, path)
    expect([bad.code, bad.stdout]).toEqual([65, expect.stringContaining(`patch.sha256 is "${'d'.repeat(64)}"`)])
    expect(bad.stdout).not.toContain('task')
    const json = JSON.parse((await verify(run, path, '--json')).stdout)
    expect(json).toMatchObject({ isIntact: true, attestation: { differences: [expect.anything(), expect.anything()] } })
    writeFileSync(path, '{}')
    expect(await verify(run, path)).toMatchObject({ code: 65, stderr: expect.stringContaining('no in-toto statement') })
  })

  it('is about the whole record of a run that was done before', async () => {
    const first = await attest('../attestation.json', WRITE, { more: ['--once'] })
    const path = join(dirname(first.project), 'attestation.json')
    const text = readFileSync(path, 'utf8')
    const more = ['--once', '--transcript', first.transcript]
    const second = await attest('../attestation.json', WRITE, { more, after: first })
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('is completed already')])
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('is written for a run that fails, too, and replaces what was there as a whole', { tags: 'long' }, async () => {
    const run = await attest('attestation.json', '- error: 401\n', {
      prepare(project) {
        commit(project)
        writeFileSync(join(project, 'attestation.json'), 'x'.repeat(100_000))
      },
    })
    expect(run.code).not.toBe(0)
    expect(statementIn(join(run.project, 'attestation.json')).predicate['exit']).toEqual({
      reason: run.result().exit_reason,
      code: run.code,
    })
  })

  it('that cannot be written fails the run', { tags: 'long' }, async () => {
    // The folder is gone when the run ends.
    const lost = 'hooks: { SessionEnd: [{ hooks: [{ type: command, command: "rm -r ../out; touch ../out" }] }] }\n'
    const gone = await attest('../out/attestation.json', WRITE, {
      policy: `${POLICY}sandbox: { mode: off }\n${lost}`,
      prepare(project) {
        commit(project)
        mkdirSync(join(project, '../out'))
      },
    })
    expect([gone.result().exit_reason, gone.code]).toEqual(['completed', 74])
    expect(gone.stderr).toContain('--attest')
    const none = await attest('../none/attestation.json')
    expect([none.code, none.stderr]).toEqual([73, expect.stringContaining('there is no folder')])
  })

  it('of an earlier run does not survive a run that does not start', async () => {
    let file = ''
    const run = await attest('../attestation.json', WRITE, {
      more: ['--api-key-fd', '5', '--api-key-file', 'key'],
      prepare(project) {
        file = join(dirname(project), 'attestation.json')
        writeFileSync(file, 'of an earlier run')
      },
    })
    expect([run.code, existsSync(file)]).toEqual([2, false])
  })
})
