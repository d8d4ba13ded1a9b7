import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KEY, TOKEN } from '../helpers/github/actionRun.ts'
import { play } from '../helpers/github/reviewRuns.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampled } from '../helpers/sampled.ts'

/** What a runner behind a company's proxy has set. */
const COMPANY = {
  HTTPS_PROXY: 'http://proxy.corp:8080',
  NODE_EXTRA_CA_CERTS: '/etc/corp.pem',
  SSL_CERT_FILE: '/etc/corp.pem',
  npm_config_registry: 'http://mirror.corp/npm/',
}

/** The action as a ref without built files has it, and a folder with an `npm` of ours. */
function makeUnbuilt(npm: (bin: string) => string): { readonly action: string; readonly bin: string } {
  const action = makeFolder()
  for (const path of ['action', 'action.yml', 'package.json']) cpSync(path, join(action, path), { recursive: true })
  const bin = makeFolder()
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm(bin)}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  return { action, bin }
}

it('builds a ref without built files once, says so, and shows packages no secret', { tags: 'long' }, async () => {
  const { action, bin } = makeUnbuilt(
    (folder) =>
      `echo "$@" > '${folder}/words'; env > '${folder}/seen'; ln -s '${process.cwd()}/node_modules' node_modules`,
  )
  for (const path of ['src', 'scripts', 'presets']) cpSync(path, join(action, path), { recursive: true })
  const replay = '- { tool: Finish, input: { status: completed, summary: well } }\n'
  const given = { action, replay, env: { ...COMPANY, PATH: `${bin}:${process.env['PATH']}` } }
  const first = await play(given)
  expect(first.code).toBe(0)
  expect(first.log).toContain('is not built: building it once')
  expect(readFileSync(join(bin, 'words'), 'utf8')).toContain('ci --ignore-scripts')
  for (const text of [KEY, TOKEN, 'INPUT_', 'ACTIONS_'])
    expect(readFileSync(join(bin, 'seen'), 'utf8')).not.toContain(text)
  for (const [name, value] of Object.entries(COMPANY))
    expect(readFileSync(join(bin, 'seen'), 'utf8')).toContain(`${name}=${value}\n`)
  expect(existsSync(join(action, 'dist/action.js'))).toBe(true)
  const second = await play(given)
  expect([second.code, second.log.includes('building')]).toEqual([0, false])
})

describe('reports why setup failed, and sets the conclusion', () => {
  const failing = (code: string) => `echo 'npm error code ${code}' >&2; exit 1`
  const untrusted = failing('SELF_SIGNED_CERT_IN_CHAIN')
  it.each(
    sampled(
      [
        ['the registry’s certificate', untrusted, /does not know\. Name the file .*NODE_EXTRA_CA_CERTS/],
        ['no way to the registry', failing('ETIMEDOUT'), /cannot be reached\. Set HTTPS_PROXY/],
        ['a proxy that wants a login', failing('E407'), /the proxy asks for a login/],
        ['a locked package that the mirror lacks', failing('E404'), /npm_config_registry/],
        ['nothing that is known', 'exit 9', /npm ci failed: it ended with 9\./],
        ['silence', 'exec sleep 600', /it was not done after 1 s; most often the registry cannot be reached/],
      ] as const,
      1,
      3,
    ),
  )('%s', { tags: 'long' }, async (_name, npm, words) => {
    const { action, bin } = makeUnbuilt(() => npm)
    const env = { PATH: `${bin}:${process.env['PATH']}`, KODE_RUN_SETUP_SECONDS: '1' }
    const run = await play({ action, env })
    expect([run.code, run.commands.filter(({ name }) => name === 'error').length]).toEqual([70, 1])
    expect(run.log).toMatch(words)
    expect(run.outputs).toEqual({ conclusion: 'failure', exit_code: '70', exit_reason: 'internal' })
  })
})
