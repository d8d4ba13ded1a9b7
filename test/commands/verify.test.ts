import { expect, it } from 'vitest'
import { call, serveTurns } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'

it('kode-run verify reports an unchanged record as intact, with the head that the console showed', async () => {
  const run = await runCli(['look'], { server: await serveTurns(call('LS', { path: '.' }), { say: 'done' }) })
  const head = /\bhead ([0-9a-f]{64})/.exec(run.stderr)?.[1] ?? ''
  const verify = (...flags: string[]) => kodeRun(['verify', run.transcript, ...flags], { cwd: '/' })
  const seen = await verify()
  expect([seen.code, seen.stdout]).toEqual([0, expect.stringContaining(`intact, ${run.records.length} records`)])
  expect(seen.stdout).toContain(`head ${head}`)
  expect((await verify('--head', head)).code).toBe(0)
  expect(JSON.parse((await verify('--json')).stdout)).toMatchObject({ isIntact: true, head })
})
