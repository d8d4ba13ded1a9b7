import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../helpers/makeFolder.ts'
import { startMessagesServer } from '../helpers/model/messagesServer.ts'
import { runCli } from '../helpers/runs/cliRun.ts'
import { sampled } from '../helpers/sampled.ts'

const COMMAND = 'cat <&200; echo leaked >&201; echo leaked >&202; echo end'

describe.skipIf(process.platform !== 'linux')('descriptors that the run was started with (needs Linux)', () => {
  it.each(sampled(['off', 'auto'], 1))(
    'do not reach what it runs, with sandbox.mode: %s',
    { tags: 'long' },
    async (mode) => {
      const folder = makeFolder()
      writeFileSync(join(folder, 'secret'), 'S3CRET\n')
      const call = { turn: { tools: [{ name: 'Bash', input: { command: COMMAND } }] } }
      const server = await startMessagesServer([call, { turn: { say: 'done' } }])
      onTestFinished(() => server.close())
      const start = `exec "$@" 200<${folder}/secret 201>>${folder}/out 202>${folder}/out`
      const { code, records, stderr } = await runCli(['x'], {
        ...{ server, through: ['bash', '-c', start, 'bash'] },
        policy: `version: 1\npermissions: { allow: [Bash] }\nsandbox: { mode: ${mode} }\n`,
      })
      expect(code).toBe(0)
      expect(JSON.stringify(records)).toMatch(/200: Bad file descriptor/)
      expect(JSON.stringify(records)).not.toContain('S3CRET')
      expect(existsSync(join(folder, 'out')) && readFileSync(join(folder, 'out'), 'utf8')).toBe('')
      expect(stderr).not.toContain('holds a lock')
    },
  )

  it('stay open if they hold a lock, with a warning', { tags: 'long' }, async () => {
    const folder = makeFolder()
    const server = await startMessagesServer([{ turn: { say: 'done' } }])
    onTestFinished(() => server.close())
    const start = `exec 200>${folder}/lock; flock 200; exec "$@"`
    const { code, stderr } = await runCli(['x'], { server, through: ['bash', '-c', start, 'bash'] })
    expect([code, stderr.includes('descriptor 200 holds a lock')]).toEqual([0, true])
  })
})
