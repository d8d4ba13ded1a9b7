import { join } from 'node:path'
import type { FileAccess } from '../contracts/files.ts'
import { type DefinitionFolder, listFolder } from './readDefinition.ts'

const DEEPEST = 5
const NAME = /^[A-Za-z0-9][\w.-]*$/

/** The names that a prompt `/name` may call: skills by their folder, commands by their path with `:`. Never throws. */
export async function listCommands(folders: readonly DefinitionFolder[]): Promise<readonly string[]> {
  const found = folders.map(async ({ folder, files, prefix }) => {
    const [skills, commands] = await Promise.all([skillsIn(folder, files), commandsIn(join(folder, 'commands'), files)])
    return [...skills, ...commands].map((name) => prefix + name)
  })
  return [...new Set((await Promise.all(found)).flat())]
}

async function skillsIn(folder: string, files: FileAccess): Promise<string[]> {
  const folders = (await listFolder(join(folder, 'skills'), files)).filter(({ kind }) => kind === 'directory')
  const found = folders.map(async ({ name }) => {
    const entries = await listFolder(join(folder, 'skills', name), files)
    return NAME.test(name) && entries.some((entry) => entry.name === 'SKILL.md') ? [name] : []
  })
  return (await Promise.all(found)).flat()
}

async function commandsIn(folder: string, files: FileAccess, depth = 0): Promise<string[]> {
  const found = (await listFolder(folder, files)).map(async ({ name, kind }) => {
    if (kind !== 'directory') return name.endsWith('.md') && NAME.test(name) ? [name.slice(0, -3)] : []
    if (depth === DEEPEST || !NAME.test(name)) return []
    return (await commandsIn(join(folder, name), files, depth + 1)).map((inner) => `${name}:${inner}`)
  })
  return (await Promise.all(found)).flat()
}
