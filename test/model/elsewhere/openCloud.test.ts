import { chmodSync, cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCloud } from '../../../src/model/elsewhere/openCloud.ts'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { sandboxProblem } from '../../faults/machine.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import {
  answerWithEvents,
  answerWithFrames,
  signatureFor,
  startCloud,
  startProxy,
} from '../../helpers/model/cloudServer.ts'
import { type CliOptions, runCli } from '../../helpers/runs/cliRun.ts'

const SECRET = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY00'
const SESSION = 'FwoGZXIvYXdzEXAMPLEsessiontoken0123456789'
const AWS = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: SECRET }

/** A command that shows what it gets, then the end. */
const TURNS: readonly Turn[] = [{ tools: [{ name: 'Bash', input: { command: 'env' } }] }, { say: 'done' }]
const POLICY = `version: 1
permissions: { allow: [Bash] }
env: { pass: ["AWS_*", "GOOGLE_*", "ANTHROPIC_*"], secrets: [AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, ANTHROPIC_FOUNDRY_API_KEY] }
`

function cloudRun(env: CliOptions['env'] = {}, options: CliOptions = {}, args: readonly string[] = []) {
  return runCli(['do it', ...args], { policy: POLICY, hasKey: false, env, ...options })
}

it('asks Amazon Bedrock with a signed request, and reads its event stream', async () => {
  const turns = [...TURNS]
  const cloud = await startCloud((_, response) =>
    answerWithFrames(turns.shift() ?? { say: '?' }, 'claude-sonnet-5-5', response),
  )
  const env = { ...AWS, CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_BEDROCK_BASE_URL: cloud.url }
  const run = await cloudRun({ ...env, AWS_SESSION_TOKEN: SESSION }, {}, [
    '--model',
    'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ])
  expect([run.code, run.result().result], run.stderr).toEqual([0, 'done'])
  const [first] = cloud.requests
  expect(first?.path).toBe('/model/eu.anthropic.claude-sonnet-4-5-20250929-v1:0/invoke-with-response-stream')
  expect(first?.headers['x-amz-security-token']).toBe(SESSION)
  expect(JSON.parse(first?.text ?? '')).toMatchObject({ anthropic_version: expect.any(String), max_tokens: 32_000 })
  for (const request of cloud.requests)
    expect(request.headers.authorization).toContain(`Signature=${signatureFor(request, SECRET)}`)
  // A known price: the id without what Bedrock adds.
  expect(run.result().total_cost_usd).toBeGreaterThan(0)
  const whole = JSON.stringify(run.records) + run.stdout + run.stderr
  for (const secret of [SECRET, SESSION]) expect(whole).not.toContain(secret)
  expect(run.toolResults().join()).not.toMatch(/^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN|ACCESS_KEY_ID)=/m)
  expect(run.toolResults().join()).toContain('AWS_REGION=eu-central-1')
  expect(run.warnings().join('\n')).toContain('AWS_SECRET_ACCESS_KEY is not passed')
})

it.each([
  ['bedrock', { ...AWS, CLAUDE_CODE_USE_BEDROCK: '1' }, 'BEDROCK', answerWithFrames],
  ['foundry', { CLAUDE_CODE_USE_FOUNDRY: '1', ANTHROPIC_FOUNDRY_API_KEY: SECRET }, 'FOUNDRY', answerWithEvents],
] as const)('asks %s through the proxy of the environment', { tags: 'long' }, async (_, env, name, answer) => {
  const cloud = await startCloud((_request, response) => answer({ say: 'done' }, 'claude-sonnet-5-5', response))
  const proxy = await startProxy()
  const run = await cloudRun({ ...env, [`ANTHROPIC_${name}_BASE_URL`]: cloud.url, HTTP_PROXY: proxy.url })
  expect([run.code, run.result().result], run.stderr).toEqual([0, 'done'])
  expect(new Set(proxy.hosts)).toEqual(new Set([new URL(cloud.url).host]))
  if (name === 'BEDROCK')
    for (const request of cloud.requests)
      expect(request.headers.authorization).toContain(`Signature=${signatureFor(request, SECRET)}`)
})

it('asks Google Vertex AI with a token of its workload identity, and hides the file of the login', {
  tags: 'long',
}, async () => {
  const place = makeFolder()
  const file = join(place, 'login.json')
  const show = { tools: [{ name: 'Bash', input: { command: `cat ${place}/l*.json || echo absent` } }] }
  const turns: Turn[] = [show, { say: 'done' }]
  const token = 'ya29.loopback-token-0123456789'
  const cloud = await startCloud((request, response) => {
    if (request.path !== '/token') return answerWithEvents(turns.shift() ?? { say: '?' }, 'claude-haiku-4-5', response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ access_token: token, expires_in: 3600, token_type: 'Bearer' }))
  })
  // Workload identity: the login that CI systems get. A token of the CI's own is exchanged for one of Google's.
  writeFileSync(join(place, 'oidc.txt'), 'oidc-token-of-the-runner-0123456789')
  const account = {
    type: 'external_account',
    token_url: `${cloud.url}/token`,
    credential_source: { file: join(place, 'oidc.txt') },
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  }
  writeFileSync(file, JSON.stringify(account))
  const env = {
    ...{ CLAUDE_CODE_USE_VERTEX: '1', CLOUD_ML_REGION: 'us-east5', GOOGLE_APPLICATION_CREDENTIALS: file },
    ANTHROPIC_VERTEX_PROJECT_ID: 'my-project',
    ANTHROPIC_VERTEX_BASE_URL: `${cloud.url}/v1`,
  }
  const run = await cloudRun(env, {}, ['--model', 'claude-haiku-4-5@20251001', '--add-dir', place])
  expect([run.code, run.result().result], run.stderr).toEqual([0, 'done'])
  const path = '/v1/projects/my-project/locations/us-east5/publishers/anthropic/models'
  const asked = cloud.requests.filter((request) => request.path !== '/token')
  expect(asked[0]?.path).toBe(`${path}/claude-haiku-4-5@20251001:streamRawPredict`)
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`, `Bearer ${token}`])
  expect(cloud.requests.filter((request) => request.path === '/token')).toHaveLength(1)
  expect(run.result().total_cost_usd).toBeGreaterThan(0)
  if (sandboxProblem() !== undefined) return
  expect(run.toolResults().join('\n')).not.toContain('external_account')
  expect(run.toolResults()[0]).toContain('absent')
})

it('starts no gcloud of the checkout to find a project', { tags: 'long' }, async () => {
  const place = makeFolder()
  const login = join(place, 'login.json')
  const account = { type: 'authorized_user', client_id: 'x', client_secret: 'y', refresh_token: 'z' }
  writeFileSync(login, JSON.stringify(account))
  const bin = 'node_modules/.bin'
  const env = {
    ...{ CLAUDE_CODE_USE_VERTEX: '1', CLOUD_ML_REGION: 'us-east5', GOOGLE_APPLICATION_CREDENTIALS: login },
    // As `npx` does it; the folder is relative here. No answer of a metadata server.
    ...{ PATH: `${bin}:${process.env['PATH']}`, METADATA_SERVER_DETECTION: 'none' },
  }
  const run = await cloudRun(env, {
    isProcess: true,
    files: { [`${bin}/gcloud`]: `#!/bin/sh\necho ran > ${place}/ran\n` },
    prepare: (project) => chmodSync(join(project, bin, 'gcloud'), 0o755),
  })
  expect([run.code, run.stderr]).toEqual([78, expect.stringContaining('set ANTHROPIC_VERTEX_PROJECT_ID')])
  expect(existsSync(join(place, 'ran'))).toBe(false)
})

it('asks Microsoft Foundry with its key, or with the token that the key helper prints', { tags: 'long' }, async () => {
  const cloud = await startCloud((_, response) => answerWithEvents({ say: 'done' }, 'claude-sonnet-5-5', response))
  const env = { ANTHROPIC_FOUNDRY_BASE_URL: `${cloud.url}/anthropic` }
  const key = { CLAUDE_CODE_USE_FOUNDRY: 'true', ANTHROPIC_FOUNDRY_API_KEY: 'foundry-key-0123456789' }
  const run = await cloudRun({ ...env, ...key })
  expect(run.code, run.stderr).toBe(0)
  const policy = 'version: 1\nrun: { provider: foundry, apiKeyHelper: "echo entra-token-0123456789" }\n'
  const other = await cloudRun(env, { policy })
  expect(other.code, other.stderr).toBe(0)
  expect(cloud.requests.map(({ path, headers }) => [path, headers['x-api-key'] ?? headers.authorization])).toEqual([
    ['/anthropic/v1/messages', 'foundry-key-0123456789'],
    ['/anthropic/v1/messages', 'Bearer entra-token-0123456789'],
  ])
})

const NO_LOGIN = {
  ...{ CLAUDE_CODE_USE_VERTEX: '1', GOOGLE_APPLICATION_CREDENTIALS: '/nowhere/login.json' },
  ANTHROPIC_VERTEX_BASE_URL: 'http://127.0.0.1:1',
}

it.each([
  ['no region', { CLAUDE_CODE_USE_BEDROCK: '1' }, 78, 'Amazon Bedrock needs a region: set AWS_REGION'],
  ['no resource', { CLAUDE_CODE_USE_FOUNDRY: '1' }, 78, 'needs ANTHROPIC_FOUNDRY_RESOURCE or'],
  ['two clouds', { CLAUDE_CODE_USE_FOUNDRY: '1', CLAUDE_CODE_USE_VERTEX: '1' }, 2, 'are both set: set one'],
  ['a file of credentials that is not there', NO_LOGIN, 77, 'there are no usable Google credentials'],
] as const)('ends before any request with %s', async (_, env, code, text) => {
  const run = await cloudRun(env)
  expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(text)])
})

it('says who answers in a dry run, and asks for the id of its provider', { tags: 'long' }, async () => {
  const run = await cloudRun({ ...AWS, CLAUDE_CODE_USE_BEDROCK: '1' }, {}, ['--dry-run'])
  expect(run.stdout).toContain(
    'model    global.anthropic.claude-sonnet-5-5 of Amazon Bedrock at bedrock-runtime.eu-central-1.amazonaws.com, key not needed',
  )
})

it('never loads a package from the checkout', () => {
  const checkout = makeFolder()
  const repository = join(import.meta.dirname, '../../..')
  const inside = join(checkout, 'node_modules/@anthropic-ai/bedrock-sdk')
  cpSync(join(repository, 'node_modules/@anthropic-ai/bedrock-sdk/package.json'), join(inside, 'package.json'))
  writeFileSync(join(inside, 'index.js'), 'throw new Error("loaded from the checkout")')
  const environment = { AWS_REGION: 'us-east-1', NODE_PATH: join(checkout, 'node_modules') }
  const open = () => openCloud('bedrock', { environment, checkout: [checkout, repository] })
  expect(open).toThrow(
    /Amazon Bedrock needs the package @anthropic-ai\/bedrock-sdk: npm install -g @anthropic-ai\/bedrock-sdk; .*is in the checkout/,
  )
  // Elsewhere, NODE_PATH names it.
  expect(() => openCloud('bedrock', { environment, checkout: [repository] })).toThrow('loaded from the checkout')
})
