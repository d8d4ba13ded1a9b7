import { expect, it } from 'vitest'
import { toToolSpec } from '../../src/model/toolSpec.ts'
import { getAllBaseTools } from '../../src/tools.ts'

const OPTIONS = { tools: getAllBaseTools(), cwd: '/project' }

// What the model reads of each tool costs tokens in each request: a change is seen in review. `-u` writes it.
it('tells the model of each tool what it told', async () => {
  const told = getAllBaseTools().map(async (tool) => {
    const { name, aliases, searchHint, shouldDefer, alwaysLoad, isFree, isOptIn } = tool
    const spec = 'serverTool' in tool && tool.serverTool ? { ...tool.serverTool } : await toToolSpec(tool, OPTIONS)
    const { description = '', ...rest } = { ...spec } as { readonly description?: string }
    const facts = JSON.stringify({ aliases, searchHint, shouldDefer, alwaysLoad, isFree, isOptIn })
    return `## ${name}\n${facts}\n\n${description}\n\n${JSON.stringify(rest, null, 1)}`
  })
  await expect((await Promise.all(told)).join('\n\n')).toMatchFileSnapshot('golden/tools.md')
})
