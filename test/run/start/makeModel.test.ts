import { expect, it } from 'vitest'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'

it.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])('names certificates that cannot be read: %s', async (name) => {
  const server = await serveTurns({ say: 'done' })
  const run = await runCli(['do it'], { server, env: { [name]: '/nowhere/ca.pem' } })
  expect([run.code, run.stderr]).toEqual([
    78,
    expect.stringContaining(`${name} names /nowhere/ca.pem, which cannot be read`),
  ])
  expect(server.requests).toEqual([])
})

it('takes a proxy with a space behind its address', async () => {
  const server = await serveTurns({ say: 'done' })
  const run = await runCli(['do it'], { server, env: { HTTP_PROXY: 'http://127.0.0.1:1 ', NO_PROXY: '127.0.0.0/8 ' } })
  expect(run.code, run.stderr).toBe(0)
})
