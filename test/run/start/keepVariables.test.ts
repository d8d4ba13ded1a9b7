import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { keepVariables } from '../../../src/run/start/keepVariables.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'

/** Memory, because temporary folders are never fixed. */
const BASE = '/dev/shm'

it.skipIf(process.platform !== 'linux')(
  'a hook may add folders of tools to the path, but none of the home',
  async () => {
    const home = mkdtempSync(join(BASE, 'kode-run-home-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    // In a checkout below a folder of tools, commands write.
    for (const name of ['bin', 'lib', 'tools/bin', 'tools/lib', 'tools/lib/written'])
      mkdirSync(join(home, name), { recursive: true })
    const PATH = [join(home, 'bin'), join(home, 'tools/bin')].join(':')
    const { settings } = await policyOf({})
    const writable = [join(home, 'tools/lib/written')]
    const policy = { settings: { ...settings, sandbox: { ...settings.sandbox, writable } } }
    const variables: Record<string, string> = {}
    const hook = (value: string) => ({ hook: 'h', before: { PATH }, after: { PATH: value, CLAUDE_ENV_FILE: '' } })
    const kept = (folder: string) =>
      keepVariables([hook(`${join(home, folder)}:${PATH}`)], {
        children: { environment: { PATH }, sandbox: { environment: {} } },
        ...{ policy, home, config: { cwd: join(home, 'project'), addDirs: [] }, variables },
        redactor: { learn: () => undefined, forModel: (text: string) => text },
        ...{ secrets: [], credentials: [] },
      } as never)
    for (const folder of ['lib', 'tools/lib/written'])
      expect(kept(folder)).toEqual([expect.stringContaining(`PATH (commands may change ${join(home, folder)}`)])
    expect(kept('tools/lib')).toEqual([])
    expect(variables['PATH']).toBe(`${join(home, 'tools/lib')}:${PATH}`)
  },
)
