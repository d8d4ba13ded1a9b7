import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { grammarOf, toolParameters } from '../../../src/policy/rules/toolNames.ts'

it('match the input fields of the tools', async () => {
  for (const folder of readdirSync('src/tools')) {
    const { [folder]: tool } = await import(`../../../src/tools/${folder}/${folder}.ts`)
    const name = folder.replace(/Tool$/, '')
    if (grammarOf(name) !== 'none' || toolParameters(name) === undefined) continue
    const schema: unknown = tool.inputSchema()
    expect(schema, name).toBeInstanceOf(z.ZodObject)
    if (schema instanceof z.ZodObject) expect(Object.keys(schema.shape), name).toEqual(toolParameters(name))
  }
})

it('are known for every tool without a specifier or path', () => {
  const names = readdirSync('src/tools').map((folder) => folder.replace(/Tool$/, ''))
  const unknown = names.filter((name) => grammarOf(name) === 'none' && toolParameters(name) === undefined)
  expect(unknown).toEqual(['Glob', 'Grep', 'LS', 'MultiEdit', 'NotebookEdit', 'NotebookRead', 'Write'])
})
