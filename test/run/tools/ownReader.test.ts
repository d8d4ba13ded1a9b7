import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'
import { FINISH } from '../../helpers/runs/playRun.ts'

const POLICY =
  'version: 1\nsandbox: { mode: off }\npermissions: { presets: [read-only], allow: [Bash, "Edit(src/**)"] }\n'

/** How many copies of the checkout there are after the call, to compare with. */
async function imagesAfter(name: string, input: Record<string, unknown>): Promise<number> {
  const tmp = makeFolder()
  let images = -1
  const server = await serveTurns(({ index }) => {
    if (index === 0) return call(name, input)
    const files = readdirSync(tmp, { recursive: true, encoding: 'utf8' })
    images = files.filter((path) => /^kode-run-account-[^/]*\/watched\/pack$/.test(path)).length
    return FINISH
  })
  const files = { 'docs/a.md': 'a\n', 'docs/b.md': 'b\n', 'src/c': 'c\n' }
  const run = await runCli(['go'], { server, policy: POLICY, files, env: { TMPDIR: tmp } })
  expect(run.code).toBe(0)
  return images
}

it('a search does not compare the checkout without a sandbox; a command does', { tags: 'long' }, async () => {
  expect(await imagesAfter('Grep', { pattern: 'a' })).toBe(0)
  expect(await imagesAfter('Bash', { command: 'true' })).toBeGreaterThan(0)
})
