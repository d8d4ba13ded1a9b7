import { join, relative } from 'node:path'
import type { FileAccess } from '../contracts/files.ts'
import type { SkillInfo } from '../Tool.ts'
import { definedDescription, definedName, listFolder, readDefinition } from './readDefinition.ts'

const FOLDER = join('.claude', 'skills')
const MAX_SKILLS = 100

/**
 * The skills of the project, by folder name: `.claude/skills/<folder>/SKILL.md`. Only name and description are kept;
 * the text is read when the skill is used. An unusable skill is a warning. Never throws.
 */
export async function loadSkills(
  root: string,
  files: FileAccess,
): Promise<{ readonly skills: readonly SkillInfo[]; readonly warnings: readonly string[] }> {
  const skills = new Map<string, SkillInfo>()
  const warnings: string[] = []
  for (const { name: folder, kind } of await listFolder(join(root, FOLDER), files)) {
    if (kind !== 'directory') continue
    const path = join(root, FOLDER, folder, 'SKILL.md')
    const skill = await readSkill(path, folder, files)
    if (skill === undefined) continue
    const problem = 'problem' in skill ? skill.problem : tooMany(skills)
    if (problem !== undefined) warnings.push(`${relative(root, path)}: not offered, ${problem}`)
    else if (!('problem' in skill)) skills.set(skill.name, skill)
  }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), warnings }
}

async function readSkill(
  path: string,
  folder: string,
  files: FileAccess,
): Promise<SkillInfo | { readonly problem: string } | undefined> {
  const definition = await readDefinition(path, files)
  if ('problem' in definition) return definition
  const { keys } = definition
  if (keys['disable-model-invocation'] === true) return undefined
  const name = definedName({}, folder)
  const description = definedDescription(keys)
  if (name === undefined)
    return { problem: 'the name of its folder has characters other than letters, digits, ., _ and -' }
  return description === undefined ? { problem: 'it has no description' } : { name, description, path }
}

function tooMany(known: ReadonlyMap<string, SkillInfo>): string | undefined {
  return known.size >= MAX_SKILLS ? `there are more than ${MAX_SKILLS} skills` : undefined
}
