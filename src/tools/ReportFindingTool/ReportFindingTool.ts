import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as z from 'zod'
import { findingShape } from '../../contracts/events/itemShapes.ts'
import { pathInside } from '../../lib/fs/paths.ts'
import { semanticNumber } from '../../Tool/semanticValues.ts'
import { buildTool, FREE_ON_DEMAND, invalid, ONLY_READS } from '../../Tool.ts'

/** Reports a problem at a place in the project, for annotations, SARIF and code-quality reports. */
export const ReportFindingTool = buildTool({
  name: 'ReportFinding',
  searchHint: 'annotate a line: review comment, bug, warning',
  ...FREE_ON_DEMAND,
  inputSchema: () =>
    z.strictObject({
      path: z.string().min(1).describe('the file, from the project root'),
      line: semanticNumber(z.number().int().positive()).describe('the first line, from 1'),
      end_line: semanticNumber(z.number().int().positive()).optional().describe('the last line; default: the first'),
      severity: z.enum(['info', 'warning', 'error']).describe('how serious it is'),
      title: z.string().min(1).max(200).describe('the finding in one line'),
      message: z.string().min(1).max(10_000).describe('what is wrong and what to do, in Markdown'),
    }),
  outputSchema: () =>
    z.object({
      ...findingShape,
      /** The project has no such file, so that no viewer can show the place. */
      isLost: z.literal(true).exactOptional(),
    }),
  description: () => 'Reports one problem at one place of the project; it becomes an annotation.',
  ...ONLY_READS,
  validateInput({ path, line, end_line }, { cwd }) {
    if (pathInside(cwd, path) === undefined) return invalid(`${path} is not in the project.`, 1)
    if ((end_line ?? line) < line) return invalid('end_line comes before line.', 2)
    return { result: true }
  },
  getPath: ({ path }) => path,
  activity: ({ path, line, title }) => `${path}:${line}: ${title}`,
  async *call({ path, end_line, ...rest }, context) {
    const inside = relative(context.cwd, pathInside(context.cwd, path) ?? context.cwd)
    const finding = { ...rest, path: inside, ...(end_line === undefined ? {} : { end_line }) }
    context.notify({ type: 'system', subtype: 'finding', ...finding })
    const isThere = existsSync(join(context.cwd, inside))
    yield { type: 'result', data: { ...finding, ...(isThere ? {} : { isLost: true as const }) } }
  },
  mapResult: ({ path, line, isLost }) => ({
    content: `Reported for ${path}:${line}.${isLost === true ? ' There is no such file: no viewer can show this place.' : ''}`,
  }),
  renderResult: ({ path, line, severity, title, message }) => `**${severity}** ${path}:${line} ${title}\n\n${message}`,
})
