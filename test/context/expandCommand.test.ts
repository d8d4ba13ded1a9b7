import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expandCommand } from '../../src/context/expandCommand.ts'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'
import { createToolContext } from '../helpers/tools/toolContext.ts'

const FILES = {
  '.claude/commands/fix.md': '---\ndescription: fixes\n---\nFix issue $ARGUMENTS now.\n',
  '.claude/commands/move.md': 'Move $1 to $2.',
  '.claude/commands/plain.md': 'Say hello.',
  '.claude/commands/web/add.md': 'Add $ARGUMENTS.',
  '.claude/skills/pdf/SKILL.md': '---\nname: other\ndescription: fills\n---\nFill the form.',
}

async function expand(prompt: string): Promise<string> {
  const { cwd, files } = createToolContext()
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  return (await expandCommand(prompt, cwd, files)).replaceAll(cwd, '<project>')
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
    // What is no command stays.
    ['fix /plain', 'fix /plain'],
    ['/etc/hosts has a wrong line', '/etc/hosts has a wrong line'],
    ['/ is the root', '/ is the root'],
  ])('%j', async (prompt, expected) => expect(await expand(prompt)).toBe(expected))

  it.each(['/nope', '/other x', '/web'])('refuses %s by name', async (prompt) => {
    await expect(expand(prompt)).rejects.toThrow(
      /^There is no command \/\w+ in \.claude\/commands or \.claude\/skills\. There are: \/pdf, \/fix, \/move, \/plain, \/web:add\./,
    )
  })
})

describe('a run', () => {
  it('sends the text of the command, and refuses an unknown one before any request', async () => {
    const server = await serveTurns(() => ({ say: 'done' }))
    const run = await runCli(['/fix 7'], { server, files: FILES })
    expect(run.code).toBe(0)
    expect(server.requests[0]?.body.messages[0].content[0].text).toBe('Fix issue 7 now.')
    expect(run.records[0]).toMatchObject({ slash_commands: ['pdf', 'fix', 'move', 'plain', 'web:add'] })
    const refused = await runCli(['/nope 7'], { server, files: FILES })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('There is no command /nope')
    expect(server.requests).toHaveLength(1)
  })
})
