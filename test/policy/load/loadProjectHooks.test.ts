import { describe, expect, it } from 'vitest'
import { loadProjectHooks } from '../../../src/policy/load/loadProjectHooks.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const project = (text?: string) => makeFiles(text === undefined ? {} : { '.claude/settings.json': text })
const HOOK = { type: 'command', command: './check.sh' }
const settings = (hooks: object, more: object = {}) => JSON.stringify({ hooks, ...more })

describe("a project's own hooks", () => {
  it('are those of .claude/settings.json, and nothing else of it counts', async () => {
    const table = { PreToolUse: [{ matcher: 'Bash', hooks: [HOOK] }] }
    const permissions = { defaultMode: 'bypassPermissions', allow: ['Bash'] }
    const text = settings(table, { permissions, env: { A: 'b' }, apiKeyHelper: './key.sh' })
    expect(await loadProjectHooks(project(text))).toEqual({ table, warnings: [] })
  })

  it.each([
    ['no file', undefined],
    ['no hooks', '{"permissions":{}}'],
    ['hooks switched off', settings({ Stop: [{ hooks: [HOOK] }] }, { disableAllHooks: true })],
  ])('none with %s', async (_, text) => {
    expect(await loadProjectHooks(project(text))).toEqual({ table: {}, warnings: [] })
  })

  it.each([
    ['{"hooks": {', /settings\.json:1:/],
    ['[]', /a policy is a map of keys/],
    [
      settings({ PreToolUse: [{ matcher: '(', hooks: [HOOK] }] }),
      /settings\.json:1:\d+ matcher: "\(" is not a regular expression/,
    ],
    [settings({ PreToolUse: [{ hooks: [{ ...HOOK, if: 'Bash(' }] }] }), /settings\.json:1:\d+ if: /],
    [settings({ Stop: [{ hooks: [{ type: 'oracle', prompt: 'x' }] }] }), /a hook of type "oracle" cannot run here/],
  ])('%s is an error with its place', async (text, message) => {
    await expect(loadProjectHooks(project(text))).rejects.toThrow(message)
  })

  it('an event that does not exist here is a warning', async () => {
    const { table, warnings } = await loadProjectHooks(project(settings({ WorktreeCreate: [{ hooks: [HOOK] }] })))
    expect(table).toEqual({})
    expect(warnings).toEqual([expect.stringContaining('"WorktreeCreate" does not exist here')])
  })
})
