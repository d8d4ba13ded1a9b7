import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadSkills } from '../../src/context/loadSkills.ts'
import { SkillTool } from '../../src/tools/SkillTool/SkillTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

async function createContext() {
  const context = createToolContext()
  const folder = join(context.cwd, '.claude', 'skills', 'pack')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), '---\nname: pack\ndescription: Packs.\n---\n\nRead files.md\u200b first.')
  mkdirSync(join(folder, '../greet'))
  writeFileSync(
    join(folder, '../greet/SKILL.md'),
    '---\nname: greet\ndescription: Greets.\n---\nGreet $ARGUMENTS. Cost: $1.',
  )
  return {
    ...context,
    ...(await loadSkills([{ folder: join(context.cwd, '.claude'), files: context.files, prefix: '' }])),
    folder,
  }
}

it('Skill returns the text, and the folder of its other files', async () => {
  const context = await createContext()
  const { text } = await runTool(SkillTool, { skill: 'pack', args: 'dist' }, context)
  expect(text).toBe(`Skill pack. Paths in it start at ${context.folder}.\n\nRead files.md first.\n\nARGUMENTS: dist`)
})

it('Skill fills in the arguments, and takes the name with a slash too', async () => {
  const context = await createContext()
  const told = async (input: Record<string, string>) =>
    (await runTool(SkillTool, input, context)).text?.split('\n').at(-1)
  expect(await told({ skill: 'greet', args: 'Ada $1 $& $ARGUMENTS' })).toBe('Greet Ada $1 $& $ARGUMENTS. Cost: $1.')
  expect(await told({ skill: '/greet' })).toBe('Greet . Cost: $1.')
  expect(SkillTool.subjects({ skill: '/greet' }, context)).toMatchObject([{ specifier: 'greet' }])
})

it('Skill is judged by the name of the skill, and knows only the listed ones', async () => {
  const context = await createContext()
  expect(SkillTool.subjects({ skill: 'pack' }, context)).toEqual([{ kind: 'name', tool: 'Skill', specifier: 'pack' }])
  const { step, text } = await runTool(SkillTool, { skill: '../../x' }, context)
  expect(step).toBe('validate')
  expect(text).toBe('There is no skill ../../x. There are: greet, pack.')
  expect((await runTool(SkillTool, { skill: 'pack' }, createToolContext())).text).toContain('The project has none.')
})
