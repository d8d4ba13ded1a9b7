import { dirname, join } from 'node:path'
import { RunError } from '../contracts/errors.ts'
import type { FileAccess } from '../contracts/files.ts'
import { fillArguments } from '../lib/text/fillArguments.ts'
import { splitFrontMatter } from '../lib/text/splitFrontMatter.ts'
import { stripHidden } from '../lib/text/stripHidden.ts'
import { COMMANDS, listCommands, SKILLS } from './listCommands.ts'

const MAX_BYTES = 100_000
/** A path such as `/etc/hosts` at the start of a prompt is not a command. */
const CALL = /^\/([A-Za-z0-9][\w.-]*(?::[A-Za-z0-9][\w.-]*)*)(?:\s+([\s\S]*))?$/

/**
 * The prompt for `/name args`: the text of the project's `.claude/commands/name.md`, or of the skill in the folder
 * `name`, with the arguments filled in. Any other prompt is unchanged. Throws `usage` for an unknown command: a command
 * is never sent as plain text.
 */
export async function expandCommand(prompt: string, root: string, files: FileAccess): Promise<string> {
  const [, name, given = ''] = CALL.exec(prompt.trim()) ?? []
  if (name === undefined) return prompt
  const words = given.trim()
  const command = await readText(join(root, COMMANDS, `${name.replaceAll(':', '/')}.md`), files)
  if (command !== undefined) return fillArguments(command, words, 'command')
  const path = join(root, SKILLS, name, 'SKILL.md')
  const skill = await readText(path, files)
  if (skill === undefined) throw unknownCommand(name, await listCommands(root, files))
  return `Skill ${name}. Paths in it start at ${dirname(path)}.\n\n${fillArguments(skill, words, 'skill')}`
}

async function readText(path: string, files: FileAccess): Promise<string | undefined> {
  try {
    const { bytes } = await files.read(path, { maxBytes: MAX_BYTES })
    return splitFrontMatter(stripHidden(new TextDecoder().decode(bytes))).body.trim()
  } catch {
    // A missing or unreadable file is not a command.
    return undefined
  }
}

function unknownCommand(name: string, known: readonly string[]): RunError {
  const there =
    known.length === 0
      ? 'The project has none.'
      : `There are: ${known
          .slice(0, 30)
          .map((each) => `/${each}`)
          .join(', ')}.`
  const advice = 'To send a task as text, start it with another character.'
  return new RunError('usage', `There is no command /${name} in .claude/commands or .claude/skills. ${there} ${advice}`)
}
