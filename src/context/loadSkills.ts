import { dirname, join, relative } from 'node:path'
import type { SkillInfo } from '../Tool.ts'
import {
  type DefinitionFolder,
  definedDescription,
  definedName,
  listFolder,
  readDefinition,
  variablesOf,
} from './readDefinition.ts'

const MAX_SKILLS = 100

/**
 * The skills of project and plugins, by folder name: `skills/<folder>/SKILL.md`. Only name and description are kept;
 * the text is read when the skill is used. An unusable skill is a warning. Never throws.
 */
export async function loadSkills(folders: readonly DefinitionFolder[]) {
  const skills = new Map<string, SkillInfo>()
  const warnings: string[] = []
  for (const from of folders) {
    for (const { name, kind } of await listFolder(join(from.folder, 'skills'), from.files)) {
      if (kind !== 'directory') continue
      const path = join(from.folder, 'skills', name, 'SKILL.md')
      const skill = await readSkill(path, name, from)
      if (skill === undefined) continue
      const warn = (problem: string) =>
        warnings.push(`${relative(dirname(from.folder), path)}: not offered, ${problem}`)
      if ('problem' in skill) warn(skill.problem)
      else if (skills.size >= MAX_SKILLS) warn(`there are more than ${MAX_SKILLS} skills`)
      else skills.set(skill.name, skill)
    }
  }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), warnings }
}

async function readSkill(path: string, folder: string, from: DefinitionFolder) {
  const definition = await readDefinition(path, from.files)
  if ('problem' in definition) return definition
  const { keys } = definition
  if (keys['disable-model-invocation'] === true) return undefined
  const name = definedName({}, folder)
  const description = definedDescription(keys)
  if (name === undefined)
    return { problem: 'the name of its folder has characters other than letters, digits, ., _ and -' }
  if (description === undefined) return { problem: 'it has no description' }
  return { name: from.prefix + name, description, path, ...(from.prefix && { variables: variablesOf(from) }) }
}
