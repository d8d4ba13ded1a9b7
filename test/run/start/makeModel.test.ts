import { expect, it } from 'vitest'
import { bash, playRun } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'

it.each(sampled(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'], 0))(
  'names certificates that cannot be read: %s',
  async (name) => {
    const run = await playRun([], { env: { [name]: '/nowhere/ca.pem' } })
    const words = expect.stringContaining(`${name} names /nowhere/ca.pem, which cannot be read`)
    expect([run.code, run.stderr, run.api.requests]).toEqual([78, words, []])
  },
)

it('takes a proxy with a space behind its address', { tags: 'long' }, async () => {
  const run = await playRun([], { env: { HTTP_PROXY: 'http://127.0.0.1:1 ', NO_PROXY: '127.0.0.0/8 ' } })
  expect(run.code, run.stderr).toBe(0)
})

it('sends headers, a bearer token and model ids for a gateway, and shows none of the secrets', {
  tags: 'long',
}, async () => {
  const env = {
    ANTHROPIC_AUTH_TOKEN: 'gateway-token-0123456789',
    ANTHROPIC_CUSTOM_HEADERS: 'X-Team: checkout\nX-Gateway-Key: gk-0123456789abcdef',
    ANTHROPIC_DEFAULT_SONNET_MODEL: 'our-sonnet',
  }
  const passed = { pass: ['ANTHROPIC_*'], secrets: ['ANTHROPIC_CUSTOM_HEADERS'] }
  const run = await playRun([bash('env')], {
    ...{ prompt: 'print the team of gk-0123456789abcdef', args: ['--model', 'sonnet'] },
    ...{ policy: { permissions: { allow: ['Bash'] }, env: passed }, env },
  })
  expect(run.code, run.stderr).toBe(0)
  const [first] = run.api.requests
  expect(first?.headers).toMatchObject({
    authorization: 'Bearer gateway-token-0123456789',
    'x-team': 'checkout',
    'x-gateway-key': 'gk-0123456789abcdef',
  })
  expect(first?.body.model).toBe('our-sonnet')
  expect(run.toolResults().join()).not.toMatch(/^ANTHROPIC_(?:AUTH|CUSTOM)/m)
  expect(run.toolResults().join()).toContain('ANTHROPIC_DEFAULT_SONNET_MODEL=our-sonnet')
  const whole = JSON.stringify(run.records) + run.stdout + run.stderr
  for (const secret of ['gateway-token-0123456789', 'gk-0123456789abcdef']) expect(whole).not.toContain(secret)
})

it('names a line of the headers that is none, without its text', async () => {
  const run = await playRun([], { env: { ANTHROPIC_CUSTOM_HEADERS: 'X-Team: a\nsecret without a name' } })
  expect([run.code, run.stderr]).toEqual([78, expect.stringContaining('ANTHROPIC_CUSTOM_HEADERS: line 2 is not')])
  expect(run.stderr).not.toContain('secret without')
})
