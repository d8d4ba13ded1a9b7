import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expandCommand } from '../../src/context/expandCommand.ts'
import { linesOf, withOutputs } from '../../src/lib/text/fillTemplate.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'
import { createToolContext } from '../helpers/tools/toolContext.ts'

const FILES = {
  '.claude/commands/fix.md': '---\ndescription: fixes\n---\nFix issue $ARGUMENTS now.\n',
  '.claude/commands/move.md': 'Move $1 to $2.',
  '.claude/commands/plain.md': 'Say hello.',
  '.claude/commands/web/add.md': 'Add $ARGUMENTS.',
  '.claude/commands/look.md':
    'State:\n!`git status --short`\nIssue !`gh issue view $1 -c` and @src/a.js, not a@src/a.js or @nobody.',
  '.claude/commands/zero.md': '$0 then $1, $ARGUMENTS[1], $5, ${CLAUDE_SESSION_ID} ${HOME}.',
  '.claude/commands/block.md': 'See\n```!\ngit log -1\ngit diff\n```\nend, `code`!`x`',
  'src/a.js': 'let a\n',
  '.claude/skills/dir/SKILL.md': 'Run ${CLAUDE_SKILL_DIR}/x.sh for $0 in !`ls $ARGUMENTS`.',
  '.claude/skills/pdf/SKILL.md': '---\nname: other\ndescription: fills\n---\nFill the form.',
}

async function expand(prompt: string, mayRead = (_path: string) => true): Promise<string> {
  const { cwd, files } = createToolContext()
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  const filled = await expandCommand(prompt, {
    folders: [{ folder: join(cwd, '.claude'), files, prefix: '' }],
    cwd,
    checkout: files,
    mayRead,
    sessionId: 'session',
  })
  const outputs = linesOf(filled).map((line) => `<${line}>`)
  return withOutputs(filled, outputs).replaceAll(cwd, '<project>')
}

describe('expandCommand', () => {
  it.each([
    ['/fix 12 and 13', 'Fix issue 12 and 13 now.'],
    ['/fix', 'Fix issue  now.'],
    ['/move a.txt b.txt', 'Move a.txt to b.txt.'],
    ['/plain', 'Say hello.'],
    ['  /plain in French\nand Dutch', 'Say hello.\n\nARGUMENTS: in French\nand Dutch'],
    ['/web:add a page', 'Add a page.'],
    [
      '/pdf form.pdf',
      'Skill pdf. Paths in it start at <project>/.claude/skills/pdf.\n\nFill the form.\n\nARGUMENTS: form.pdf',
    ],
    [
      '/look 7',
      'State:\n<git status --short>\nIssue <gh issue view 7 -c> and @src/a.js, not a@src/a.js or @nobody.\n\n<file path="src/a.js">\nlet a\n\n</file>',
    ],
    // What an argument brings is neither a command nor shell code.
    [
      '/look 7;id',
      expect.stringContaining('[`gh issue view $1 -c` was not run: its argument has characters that a shell reads]'),
    ],
    ['/fix !`id`', 'Fix issue !`id` now.'],
    ['/zero "a b" c', 'a b then c, c, $5, session ${HOME}.'],
    ['/block', 'See\n<git log -1\ngit diff>\nend, `code`!`x`'],
    [
      '/dir src',
      'Skill dir. Paths in it start at <project>/.claude/skills/dir.\n\nRun <project>/.claude/skills/dir/x.sh for src in <ls src>.',
    ],
    // What is no command stays.
    ['fix /plain', 'fix /plain'],
    ['/etc/hosts has a wrong line', '/etc/hosts has a wrong line'],
    ['/ is the root', '/ is the root'],
  ])('%j', async (prompt, expected) => expect(await expand(prompt)).toEqual(expected))

  it('adds no file that the policy does not allow to read', async () => {
    const text = await expand('/look 7', (path) => !path.endsWith('a.js'))
    expect(text).toContain('(@src/a.js was not read: the policy does not allow it)')
    expect(text).not.toContain('let a')
  })

  it.each(['/nope', '/other x', '/web'])('refuses %s by name', async (prompt) => {
    await expect(expand(prompt)).rejects.toThrow(
      /^There is no command \/\w+ in \.claude\/commands or \.claude\/skills\. There are: (?:\/[\w:]+, )*\/fix, .*\/web:add\b/,
    )
  })
})

describe('a run', () => {
  it('sends the text of the command, and refuses an unknown one before any request', async () => {
    const server = await serveTurns(() => ({ say: 'done' }))
    const run = await runCli(['/fix 7'], { server, files: FILES })
    expect(run.code).toBe(0)
    expect(server.requests[0]?.body.messages[0].content[0].text).toBe('Fix issue 7 now.')
    expect(run.records[0]).toMatchObject({
      slash_commands: expect.arrayContaining(['pdf', 'fix', 'move', 'plain', 'web:add']),
    })
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
    const server = await serveTurns(
      { tools: [{ name: 'Skill', input: { skill: 'log', args: 'main' } }] },
      { say: 'done' },
    )
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
    const files = {
      '.claude/commands/see.md': 'See @ok.txt @.env @../summary @$1',
      'ok.txt': 'fine',
      '.env': 'A=canary',
      no: 'closed',
    }
    const policy = 'version: 1\nsandbox: { mode: off }\npermissions: { allow: ["Read(ok.txt)"] }\n'
    const run = await runCli(['/see no'], {
      server,
      files,
      policy,
      prepare: (cwd) => writeFileSync(join(cwd, '../summary'), 'outside'),
    })
    expect(run.code).toBe(0)
    const text = server.requests[0]?.body.messages[0].content[0].text
    expect(text).toContain('<file path="ok.txt">\nfine\n</file>')
    expect(text).not.toMatch(/canary|closed|outside/)
  })
})
