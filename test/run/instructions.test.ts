import { describe, expect, it } from 'vitest'
import { playRun } from '../helpers/runs/playRun.ts'

const FILES = {
  'AGENTS.md': 'Indent with tabs.\n@.env\n@asked.md\n@secret/k.md\n@docs/style.md\n@key.pem\n',
  '.env': 'TOKEN=canary-of-env\n',
  'asked.md': 'canary-of-ask\n',
  'secret/k.md': 'canary-of-deny\n',
  'key.pem': 'canary-of-key\n',
  'docs/style.md': 'Short words.\n@../.env\n',
  '.claude/agents/spy.md': '---\nname: spy\ndescription: canary-of-agent\n---\ngo\n',
  '.claude/skills/spy/SKILL.md': '---\nname: spy\ndescription: canary-of-skill\n---\ngo\n',
}

describe("the project's own instructions", () => {
  it('contain nothing that the agent could not read', { tags: 'long' }, async () => {
    const run = await playRun([], {
      policy: `version: 1
permissions:
  presets: [read-only]
  deny: ["Read(./secret/**)"]
  ask: ["Read(asked.md)", "Read(.claude/agents/**)", "Read(.claude/skills/**)"]
  allow: [Agent, Skill]
`,
      files: FILES,
    })
    const sent = JSON.stringify(run.api.requests.map(({ body }) => body))
    expect(sent).toContain('Indent with tabs.')
    expect(sent).toContain('Short words.')
    expect(sent).not.toContain('canary')
    expect(run.result().warnings).toEqual(
      expect.arrayContaining([expect.stringContaining('asked.md'), expect.stringContaining('secret/k.md')]),
    )
  })

  it('are read without an allow rule, except protected files', { tags: 'long' }, async () => {
    const run = await playRun([], {
      policy: 'version: 1\npermissions: { allow: ["Bash(ls *)", Agent] }\n',
      files: FILES,
    })
    const sent = JSON.stringify(run.api.requests.map(({ body }) => body))
    for (const text of ['Indent with tabs.', 'Short words.', 'canary-of-ask', 'canary-of-agent']) {
      expect(sent).toContain(text)
    }
    for (const text of ['canary-of-env', 'canary-of-key']) expect(sent).not.toContain(text)
  })

  it('include what a rule allows', { tags: 'long' }, async () => {
    const policy = 'version: 1\npermissions: { presets: [read-only], allow: ["Read(.env)"] }\n'
    const run = await playRun([], { policy, files: FILES })
    expect(JSON.stringify(run.api.requests[0]?.body)).toContain('canary-of-env')
  })
})
