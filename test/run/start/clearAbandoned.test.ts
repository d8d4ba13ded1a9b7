import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { OWNER, ownedFolder } from '../../../src/lib/fs/ownedFolder.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { startMessagesServer } from '../../helpers/model/messagesServer.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'

function makeTmp() {
  const tmp = makeFolder()
  const dead = join(tmp, 'kode-run-sandbox-dead')
  mkdirSync(dead)
  writeFileSync(join(dead, OWNER), JSON.stringify({ ...ownIdentity(), pid: 2 ** 22 + 1 }))
  return { tmp, dead, living: ownedFolder(tmp, 'kode-run-sandbox-') }
}

it('removes what killed runs left, and not before the first request is out', { tags: 'long' }, async () => {
  const { tmp, dead, living } = makeTmp()
  let wasThere: boolean | undefined
  const server = await startMessagesServer(() => {
    wasThere = existsSync(dead)
    return { turn: { say: 'done' } }
  })
  onTestFinished(() => server.close())
  const run = await runCli(['go'], { server, env: { TMPDIR: tmp } })
  expect([run.code, wasThere, existsSync(dead), existsSync(living)]).toEqual([0, true, false, true])
})

it('removes it where a run ends before any request', { tags: 'long' }, async () => {
  const { tmp, dead } = makeTmp()
  const policy = 'version: 1\nhooks: { UserPromptSubmit: [{ hooks: [{ type: command, command: "exit 2" }] }] }\n'
  const run = await runCli(['go'], { policy, env: { TMPDIR: tmp }, server: { url: 'http://127.0.0.1:9' } })
  expect([run.result().exit_reason, existsSync(dead)]).toEqual(['stopped_by_hook', false])
})
