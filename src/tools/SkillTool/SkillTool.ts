import { dirname } from 'node:path'
import * as z from 'zod'
import { fillTemplate, linesOf, withOutputs } from '../../lib/text/fillTemplate.ts'
import { splitFrontMatter } from '../../lib/text/splitFrontMatter.ts'
import { stripHidden } from '../../lib/text/visibleName.ts'
import { buildTool, invalid } from '../../Tool.ts'

const MAX_BYTES = 100_000

const inputSchema = () =>
  z.strictObject({
    skill: z.string().min(1).describe('its name'),
    args: z.string().optional().describe('what to do with it'),
  })

/** Returns the text of a skill, with the output of the commands in it. The agent reads the skill's other files when it needs them. */
export const SkillTool = buildTool({
  name: 'Skill',
  searchHint: 'instructions for a special kind of work',
  shouldDefer: true,
  isSearchOrReadCommand: true,
  inputSchema,
  outputSchema: () => z.object({ skill: z.string(), folder: z.string(), text: z.string() }),
  isAvailable: ({ hasSkills }) => hasSkills,
  description: () => 'Reads the instructions of a skill, by its name.',
  isReadOnly: () => true,
  // Its commands may write.
  isConcurrencySafe: () => false,
  subjects: (input) => [{ kind: 'name', tool: 'Skill', specifier: nameOf(input) }],
  validateInput(input, { skills }) {
    const skill = nameOf(input)
    if (skills.some((known) => known.name === skill)) return { result: true }
    const names = skills.map((known) => known.name).join(', ')
    const message = `There is no skill ${skill}. ${names === '' ? 'The project has none.' : `There are: ${names}.`}`
    return invalid(message, 1)
  },
  activity: (input) => `Reading the skill ${nameOf(input)}`,
  async *call(input, context) {
    const [skill, given] = [nameOf(input), (input.args ?? '').trim()]
    const { path = '', variables: more } = context.skills.find((known) => known.name === skill) ?? {}
    const { bytes } = await context.files.read(path, { maxBytes: MAX_BYTES })
    const { body } = splitFrontMatter(stripHidden(new TextDecoder().decode(bytes)))
    const folder = dirname(path)
    const variables = {
      CLAUDE_SKILL_DIR: folder,
      CLAUDE_PROJECT_DIR: context.cwd,
      CLAUDE_SESSION_ID: context.sessionId,
      ...more,
    }
    const filled = fillTemplate(body, { given, kind: 'skill', variables })
    const text = withOutputs(filled, await context.runCommands(linesOf(filled)))
    yield { type: 'result', data: { skill, folder, text } }
  },
  mapResult: ({ skill, folder, text }) => ({
    content: `Skill ${skill}. Paths in it start at ${folder}.\n\n${text}`.trim(),
  }),
})

/** A skill is also called by its command, `/name`. */
function nameOf({ skill }: z.infer<ReturnType<typeof inputSchema>>): string {
  return skill.replace(/^\//, '')
}
