import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { FileAccess } from '../contracts/files.ts'
import { type FilledTemplate, fillTemplate, withOutputs } from '../lib/text/fillTemplate.ts'
import { splitFrontMatter } from '../lib/text/splitFrontMatter.ts'
import { stripHidden } from '../lib/text/visibleName.ts'
import { listCommands } from './listCommands.ts'
import { type DefinitionFolder, variablesOf } from './readDefinition.ts'

const MAX_BYTES = 100_000
/** A path such as `/etc/hosts` at the start of a prompt is not a command. */
const CALL = /^\/([A-Za-z0-9][\w.-]*(?::[A-Za-z0-9][\w.-]*)*)(?:\s+([\s\S]*))?$/

/** Where a command file comes from, and what it may name. */
export type CommandPlace = {
  /** The project's, then those of plugins. */
  readonly folders: readonly DefinitionFolder[]
  /** The checkout, where `@file` starts, and access to it. */
  readonly cwd: string
  readonly checkout: FileAccess
  /** Does the policy allow reading this file? */
  readonly mayRead: (path: string) => boolean
  readonly sessionId: string
}

/**
 * The prompt for `/name args`: of the command `commands/name.md` or the skill `name`, filled in, with the files that a
 * command names as `@file`. A plugin's begin with its name, `/plugin:name`. Any other prompt is unchanged. Throws
 * `usage` for an unknown command: a command is never sent as plain text.
 */
export async function expandCommand(prompt: string, place: CommandPlace): Promise<FilledTemplate> {
  const { folders, cwd, sessionId } = place
  const [, full, words = ''] = CALL.exec(prompt.trim()) ?? []
  if (full === undefined) return { texts: [prompt], commands: [] }
  const from = folders.find(({ prefix }) => prefix !== '' && full.startsWith(prefix)) ?? folders[0]
  const given = words.trim()
  const known = { CLAUDE_SESSION_ID: sessionId, CLAUDE_PROJECT_DIR: cwd, ...(from && variablesOf(from)) }
  const name = full.slice(from?.prefix.length)
  const command = await readText(['commands', `${name.replaceAll(':', '/')}.md`], from)
  if (command !== undefined)
    return withFiles(fillTemplate(command.text, { given, kind: 'command', variables: known }), place)
  const skill = await readText(['skills', name, 'SKILL.md'], from)
  if (skill === undefined) throw unknownCommand(full, await listCommands(folders))
  const folder = dirname(skill.path)
  const variables = { ...known, CLAUDE_SKILL_DIR: folder }
  const filled = fillTemplate(skill.text, { given, kind: 'skill', variables })
  const [first = '', ...others] = filled.texts
  return { ...filled, texts: [`Skill ${full}. Paths in it start at ${folder}.\n\n${first}`, ...others] }
}

const MAX_FILES = 20

/** Adds the files that the text names as `@path`. What is no file there stays text. */
async function withFiles(filled: FilledTemplate, { cwd, checkout, mayRead }: CommandPlace): Promise<FilledTemplate> {
  const names = [...withOutputs(filled).matchAll(/(?<=^|[\s(])@([\w./-]*[\w/-])/g)].map(([, path = '']) => path)
  const blocks: string[] = []
  const there = [...new Set(names)].filter((name) => existsSync(join(cwd, name)))
  for (const name of there.slice(0, MAX_FILES)) {
    const path = join(cwd, name)
    if (!mayRead(path)) {
      blocks.push(`\n\n(@${name} was not read: the policy does not allow it)`)
      continue
    }
    try {
      const { bytes, size } = await checkout.read(path, { maxBytes: MAX_BYTES })
      const cut = size > MAX_BYTES ? `\n(the first ${MAX_BYTES} of ${size} bytes)` : ''
      blocks.push(`\n\n<file path="${name}">\n${stripHidden(new TextDecoder().decode(bytes))}\n</file>${cut}`)
    } catch (error) {
      blocks.push(`\n\n(@${name} was not read: ${messageOf(error)})`)
    }
  }
  const more = there.length - MAX_FILES
  if (more > 0) blocks.push(`\n\n(${more} more files were not read: a command may name ${MAX_FILES})`)
  return { ...filled, texts: [...filled.texts.slice(0, -1), (filled.texts.at(-1) ?? '') + blocks.join('')] }
}

async function readText(names: readonly string[], from: DefinitionFolder | undefined) {
  if (from === undefined) return undefined
  const path = join(from.folder, ...names)
  // A missing or unreadable file is not a command.
  const content = await from.files.read(path, { maxBytes: MAX_BYTES }).catch(() => undefined)
  if (content === undefined) return undefined
  if (content.size > MAX_BYTES)
    throw new RunError('usage', `${path} is larger than ${MAX_BYTES} bytes: make it smaller.`)
  return { path, text: splitFrontMatter(stripHidden(new TextDecoder().decode(content.bytes))).body.trim() }
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
