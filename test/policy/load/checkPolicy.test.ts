import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluate } from '../../../src/policy/evaluate.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { isOfPreset } from '../../../src/policy/presets.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { bashCall, HOME, PROJECT, readCall, writeCall } from '../../helpers/policy/policyCalls.ts'

/** Written by hand into a team's repository, with tabs. */
const TEAM = `{
	"$schema": "https://json.schemastore.org/claude-code-settings.json",
	"model": "claude-sonnet-5-5",
	"includeCoAuthoredBy": false,
	"permissions": {
		"allow": [
			"Bash(npm run lint)",
			"Bash(npm run test:*)",
			"Read(~/.zshrc)",
			"Write(docs/**)",
			"WebFetch(domain:docs.example.com)",
			"mcp__github__get_issue"
		],
		"ask": ["Bash(git push:*)"],
		"deny": ["Bash(curl:*)", "Read(./.env)", "Read(./.env.*)", "Read(./secrets/**)"],
		"additionalDirectories": ["../docs/"],
		"defaultMode": "acceptEdits",
		"disableBypassPermissionsMode": "disable"
	},
	"env": { "CLAUDE_CODE_ENABLE_TELEMETRY": "1", "RETRIES": 3 }
}
`

/** Hooks, as users of Claude Code have them. */
const HOOKS = `{ "hooks": {
  "PreToolUse": [
    { "matcher": "Bash", "hooks": [{ "type": "command", "command": "'$CLAUDE_PROJECT_DIR'/hooks/check.sh", "timeout": 10 }] },
    { "matcher": "Edit|MultiEdit|Write", "hooks": [{ "type": "command", "command": "python3 guard.py", "statusMessage": "?" }] }
  ],
  "PostToolUse": [
    { "matcher": "*", "hooks": [{ "type": "oracle", "prompt": "look" }, { "type": "command", "command": "npx prettier" }] }
  ],
  "WorktreeCreate": [{ "hooks": [{ "type": "command", "command": "x" }] }],
  "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
} }`

/** As the program itself writes it after "don't ask again". */
const LOCAL =
  '{"permissions":{"allow":["Bash(ls:*)","Bash(grep:*)","Bash(npx tsc:*)","WebSearch"],"deny":[]},"enableAllProjectMcpServers":true,"model":"opus","apiKeyHelper":"./key.sh"}'

function load(text: string, { settings = false, name = 'settings.json' } = {}) {
  const file = path.join(makeFiles({ [name]: text }), name)
  return loadPolicy({ ...(settings ? { settings: [file] } : { file }), cwd: PROJECT, home: HOME })
}

describe("Claude Code's settings.json as a policy", () => {
  // Claude Code never asks for reading; without this nothing could be looked at.
  it('includes the preset read-only in addition to its own rules', async () => {
    const policy = await load('{"permissions":{"allow":["Bash(npm test)"],"deny":["Read(secrets/**)"]}}')
    const bash = ['ls -la', 'npm test'].map((line) => bashCall(line))
    const calls = [readCall('src/a.ts'), ...bash, readCall('secrets/a'), writeCall('a.ts')]
    expect(calls.map((call) => evaluate(policy, call).behavior)).toEqual(['allow', 'allow', 'allow', 'deny', 'ask'])
  })

  it('leaves out an allow rule or a mode that is not valid', async () => {
    const text =
      '{"permissions":{\n"defaultMode":"yolo",\n"allow":["npm test",\n3,\n"",\n"Bash(ls",\n"Nope(x)",\n"Bash(make)"]}}'
    const policy = await load(text)
    expect(policy.settings.defaultMode).toBe('default')
    expect(evaluate(policy, bashCall('make')).reason).toMatchObject({ rule: { text: 'Bash(make)', line: 8 } })
    expect(evaluate(policy, bashCall('npm test')).behavior).toBe('ask')
  })

  it.each(['deny', 'ask'])('refuses an invalid %s rule, which would not protect anything', async (list) => {
    const load1 = (rule: string) => load(`{"permissions":{"${list}":[${rule}]}}`)
    await expect(load1('"git push"')).rejects.toThrow(/settings\.json:1:\d+ git push: .*did you mean Bash\(git push\)/)
    await expect(load1('3')).rejects.toThrow(/settings\.json:1:\d+/)
  })

  it('keeps rules, lines, mode, model, folders and environment', async () => {
    const policy = await load(TEAM)
    expect(
      policy.rules.filter((rule) => !isOfPreset(rule)).map(({ list, text, line }) => `${line} ${list} ${text}`),
    ).toEqual([
      '15 deny Bash(curl:*)',
      '15 deny Read(./.env)',
      '15 deny Read(./.env.*)',
      '15 deny Read(./secrets/**)',
      '14 ask Bash(git push:*)',
      '7 allow Bash(npm run lint)',
      '8 allow Bash(npm run test:*)',
      '9 allow Read(~/.zshrc)',
      '10 allow Write(docs/**)',
      '11 allow WebFetch(domain:docs.example.com)',
      '12 allow mcp__github__get_issue',
    ])
    expect(policy.settings).toMatchObject({
      defaultMode: 'acceptEdits',
      additionalDirectories: ['/srv/docs'],
      run: { model: 'claude-sonnet-5-5' },
      env: { set: { CLAUDE_CODE_ENABLE_TELEMETRY: '1', RETRIES: '3' } },
    })
    const bash = ['npm run lint', 'curl x', 'git push'].map((line) => bashCall(line))
    const calls = [...bash, readCall('.env'), writeCall('docs/a.md')]
    expect(calls.map((call) => evaluate(policy, call).behavior)).toEqual(['allow', 'deny', 'ask', 'deny', 'allow'])
  })

  it('keeps hooks', async () => {
    const policy = await load(HOOKS)
    expect(policy.settings.hooks.PreToolUse?.map(({ matcher }) => matcher)).toEqual(['Bash', 'Edit|MultiEdit|Write'])
    expect(policy.settings.hooks.PreToolUse?.[1]?.hooks).toEqual([{ type: 'command', command: 'python3 guard.py' }])
    expect(policy.settings.hooks.PostToolUse?.[0]?.hooks).toEqual([{ type: 'command', command: 'npx prettier' }])
  })

  it.each([
    [
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"oracle","prompt":"x"}]}]}}',
      'a hook of type "oracle" cannot run here',
    ],
    ['{"permissions":{"defaultMode":"bypassPermissions"}}', 'there is no mode that skips permissions'],
    ['{"permissions":{"deny":["Bash(git:* --force)"]}}', '`:*` has a meaning only at the end'],
    ['{"permissions":{"deny":"Bash"}}', 'permissions.deny: expected a list'],
    ['{"permissions":{"allow":["Bash(ls)"],}, "model": }', /settings\.json:1:\d+/],
  ])('refuses settings that would weaken it: %s', (text, problem) => expect(load(text)).rejects.toThrow(problem))

  it('is merged with a policy by --settings; only JSON without a version counts as settings', async () => {
    expect((await load(LOCAL)).settings).toMatchObject({ projectMcp: true, run: { model: 'opus' } })
    expect((await load(LOCAL, { settings: true })).rules.filter((rule) => !isOfPreset(rule))).toHaveLength(4)
    await expect(load('model: x', { name: 'policy.yml' })).rejects.toThrow('version is missing')
    await expect(load('{"version":1,"model":"x"}')).rejects.toThrow('unknown key "model" (it belongs to `run.model`)')
  })
})
