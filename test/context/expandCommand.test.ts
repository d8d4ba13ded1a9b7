import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandLine } from '../helpers/commandLine.ts'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'

const FILES = {
  '.claude/commands/fix.md': '---\ndescription: fixes\n---\nFix issue $ARGUMENTS now.\n',
  '.claude/skills/pdf/SKILL.md': '---\nname: other\ndescription: fills\n---\nFill the form.',
}

describe('a run', () => {
  it('sends the text of the command, and refuses an unknown one before any request', async () => {
    const server = await serveTurns(() => ({ say: 'done' }))
    const run = await runCli(['/fix 7'], { server, files: FILES })
    expect(run.code).toBe(0)
    expect(server.requests[0]?.body.messages[0].content[0].text).toBe('Fix issue 7 now.')
    expect(run.records[0]).toMatchObject({ slash_commands: expect.arrayContaining(['pdf', 'fix']) })
    const refused = await runCli(['/nope 7'], { server, files: FILES })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('There is no command /nope')
    expect(server.requests).toHaveLength(1)
  })

  it('runs the commands of a command file as Bash calls of the run, and says what was denied', async () => {
    const server = await serveTurns(() => ({ say: 'done' }))
    const look = 'Log: !`echo seen $((40 + 2))`\nPush: !`git push`\nBroken: !`ls nowhere`'
    const run = await runCli(['/look'], {
      ...{ server, files: { '.claude/commands/look.md': look } },
      policy: 'version: 1\nsandbox: { mode: off }\npermissions: { allow: ["Bash(echo *)", "Bash(ls *)"] }\n',
    })
    const text = server.requests[0]?.body.messages[0].content[0].text
    expect(text).toMatch(
      /^Log: seen 42\nPush: \[`git push` gave no result: .*not allowed.*\]\nBroken: \[`ls nowhere` gave no result: .*nowhere/s,
    )
    expect(server.requests[0]?.body.messages).toHaveLength(1)
    expect(run.stderr).toMatch(/\[command\] ✓ Bash\(echo seen .*✗ .*Bash\(git push\) denied.*✗ .*Bash\(ls nowhere\)/s)
    expect(run.result().permission_denials).toMatchObject([{ tool_name: 'Bash', tool_input: { command: 'git push' } }])
    const { code, out } = await commandLine(run.project, ['verify', run.transcript])
    expect([code, out], run.stderr).toEqual([0, expect.any(String)])
  })

  it('runs the commands of a skill in its call', { tags: 'long' }, async () => {
    const call = { name: 'Skill', input: { skill: 'log', args: 'main' } }
    const server = await serveTurns({ tools: [call] }, { say: 'done' })
    const skill = '---\nname: log\ndescription: reads\n---\nHere: !`echo $0 at ${CLAUDE_SKILL_DIR}`.'
    const run = await runCli(['read'], {
      ...{ server, files: { '.claude/skills/log/SKILL.md': skill } },
      policy: 'version: 1\nsandbox: { mode: off }\npermissions: { allow: [Skill, "Bash(echo *)"] }\n',
    })
    expect(run.code).toBe(0)
    const told = server.requests[1]?.body.messages.at(-1).content[0].content
    expect(told).toMatch(/Here: main at .*\.claude\/skills\/log/)
    const started = run.records.filter((record) => record.type === 'system' && record.subtype === 'tool_intent')
    expect(started.map((record) => (record as { tool_name?: string }).tool_name)).toEqual(['Skill', 'Bash'])
  })

  it('adds the files that a command names as far as Read rules allow them, and no secret', async () => {
    const server = await serveTurns(() => ({ say: 'done' }))
    const see = { '.claude/commands/see.md': 'See @ok.txt @.env @../summary @$1' }
    const files = { ...see, 'ok.txt': 'fine', '.env': 'A=canary', no: 'closed' }
    const policy = 'version: 1\nsandbox: { mode: off }\npermissions: { allow: ["Read(ok.txt)"] }\n'
    const prepare = (cwd: string) => writeFileSync(join(cwd, '../summary'), 'outside')
    const run = await runCli(['/see no'], { server, files, policy, prepare })
    expect(run.code).toBe(0)
    const text = server.requests[0]?.body.messages[0].content[0].text
    expect(text).toContain('<file path="ok.txt">\nfine\n</file>')
    expect(text).not.toMatch(/canary|closed|outside/)
  })
})
