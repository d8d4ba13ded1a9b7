import { nearest } from '../../lib/text/nearest.ts'
import { findTool } from '../../Tool.ts'
import { getAllBaseTools } from '../../tools.ts'
import type { ToolRunner } from './ToolRunner.ts'

/** Replacements for tools of Claude Code and Kode that need a person, a screen or a daemon. */
const INSTEAD: Readonly<Record<string, string>> = {
  Brief: 'nobody is watching: write it into the summary of Finish',
  Snip: 'a conversation that fills its window is compacted automatically',
  TeamCreate: 'start agents with Agent and run_in_background, and continue with them through SendMessage',
  TeamDelete: 'agents end with their answer, or with the run',
  CronCreate: 'a run ends; schedule the next one outside of it',
  CronDelete: 'a run ends; schedule the next one outside of it',
  CronList: 'a run ends; schedule the next one outside of it',
  RemoteTrigger: 'a run ends; schedule the next one outside of it',
  ScheduleWakeup: 'Sleep waits; a run that has ended is started from outside',
  PushNotification: 'nobody is watching: write it into the summary of Finish',
  Config: 'policy and flags are fixed before the run starts',
  REPL: 'Bash runs an interpreter with the code as its input',
  WebBrowser: 'WebFetch reads a page, and a browser can be an MCP server of the policy',
  Monitor: 'Bash with run_in_background starts a command, BashOutput reads it',
  LSP: 'Grep finds names, and Bash runs the checker of the project',
}

/** The answer to a call of a tool that the run does not have: why, the closest name, or all names. */
export function unknownTool(name: string, runner: ToolRunner): string {
  const names = runner.tools().map((tool) => tool.name)
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined
  if (instead !== undefined) return `There is no ${name} in an unattended run: ${instead}.`
  const known = findTool(getAllBaseTools(), name)
  const there =
    known === undefined
      ? `There is no tool ${JSON.stringify(name.slice(0, 80))}.`
      : `${known.name} is not offered in this run: its policy or flags leave it out, or what it needs is missing.`
  const close = nearest(name, names)
  if (known === undefined && close !== undefined) return `${there} Did you mean ${close}?`
  if (names.length === 0) return `${there} There are none here: answer in words.`
  return `${there} Tools: ${names.join(', ')}.${names.includes('ToolSearch') ? ' ToolSearch loads more.' : ''}`
}
