import { join } from 'node:path'
import type { FileAccess } from '../contracts/files.ts'
import { listFolder } from './readDefinition.ts'

/** Where commands and skills are, from the project root. */
export const COMMANDS = join('.claude', 'commands')
export const SKILLS = join('.claude', 'skills')

const DEEPEST = 5
const NAME = /^[A-Za-z0-9][\w.-]*$/

/** The names that a prompt `/name` may call: skills by their folder, commands by their path with `:`. Never throws. */
export async function listCommands(root: string, files: FileAccess): Promise<readonly string[]> {
  const [skills, commands] = await Promise.all([skillsIn(root, files), commandsIn(join(root, COMMANDS), files)])
  return [...new Set([...skills, ...commands])]
}

async function skillsIn(root: string, files: FileAccess): Promise<string[]> {
  const folders = (await listFolder(join(root, SKILLS), files)).filter(({ kind }) => kind === 'directory')
  const found = folders.map(async ({ name }) => {
    const entries = await listFolder(join(root, SKILLS, name), files)
    return NAME.test(name) && entries.some((entry) => entry.name === 'SKILL.md') ? [name] : []
  })
  return (await Promise.all(found)).flat().sort()
}

async function commandsIn(folder: string, files: FileAccess, depth = 0): Promise<string[]> {
  const found = (await listFolder(folder, files)).map(async ({ name, kind }) => {
    if (kind !== 'directory') return name.endsWith('.md') && NAME.test(name) ? [name.slice(0, -3)] : []
    if (depth === DEEPEST || !NAME.test(name)) return []
    return (await commandsIn(join(folder, name), files, depth + 1)).map((inner) => `${name}:${inner}`)
  })
  return (await Promise.all(found)).flat().sort()
}
