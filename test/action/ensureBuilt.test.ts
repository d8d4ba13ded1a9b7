import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { KEY, makeFolder, makeRepository, playAction, TOKEN } from '../helpers/actionRun.ts'
import { plainEvent } from '../helpers/githubEvents.ts'

it('builds a ref without built files once, says so, and shows packages no secret', async () => {
  const action = makeFolder('kode-run-unbuilt-')
  for (const path of ['src', 'action', 'action.yml', 'package.json', 'scripts']) {
    cpSync(path, join(action, path), { recursive: true })
  }
  const bin = makeFolder('kode-run-bin-')
  const npm = `#!/bin/sh\necho "$@" > '${bin}/words'\nenv > '${bin}/seen'\nln -s '${process.cwd()}/node_modules' node_modules\n`
  writeFileSync(join(bin, 'npm'), npm)
  chmodSync(join(bin, 'npm'), 0o755)
  const { folder, commits } = makeRepository({ 'README.md': 'shop\n' })
  const replay = join(makeFolder('kode-run-replay-'), 'replay.yml')
  writeFileSync(replay, '- { tool: Finish, input: { status: completed, summary: well } }\n')
  const play = () =>
    playAction({
      ...{ action, workspace: folder, sha: commits[0] ?? '', event: plainEvent('schedule') },
      inputs: { prompt: 'Look.', anthropic_api_key: KEY, args: `--replay ${replay}` },
      env: { PATH: `${bin}:${process.env['PATH']}` },
    })
  const first = await play()
  expect(first.code).toBe(0)
  expect(first.log).toContain('is not built: building it once')
  expect(readFileSync(join(bin, 'words'), 'utf8')).toContain('install --no-save --ignore-scripts')
  for (const text of [KEY, TOKEN, 'INPUT_', 'ACTIONS_'])
    expect(readFileSync(join(bin, 'seen'), 'utf8')).not.toContain(text)
  expect(existsSync(join(action, 'dist/action.js'))).toBe(true)
  const second = await play()
  expect([second.code, second.log.includes('building')]).toEqual([0, false])
})
