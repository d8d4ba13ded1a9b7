import { nearest } from '../lib/text/nearest.ts'
import { absentTool } from './absentTool.ts'
import type { ToolRunner } from './ToolRunner.ts'

/** What the model is told of a tool that there is not: the name that it nearly wrote, or all names. */
export function unknownTool(name: string, runner: ToolRunner): string {
  const names = runner.tools().map((tool) => tool.name)
  const absent = absentTool(name)
  if (absent !== undefined) return absent
  const there = `There is no tool ${JSON.stringify(name.slice(0, 80))}.`
  const close = nearest(name, names)
  if (close !== undefined) return `${there} Did you mean ${close}?`
  if (names.length === 0) return `${there} There are none here: answer in words.`
  return `${there} Tools: ${names.join(', ')}.${names.includes('ToolSearch') ? ' ToolSearch loads more.' : ''}`
}
