/** What stands here for tools of Claude Code and Kode that need a person, a screen, or a program that stays. */
const INSTEAD: Readonly<Record<string, string>> = {
  Brief: 'nobody reads along: say it in the summary of Finish',
  Snip: 'a conversation that fills its window is summarized by itself',
  TeamCreate: 'start agents with Agent and run_in_background, and continue with one by SendMessage',
  TeamDelete: 'agents end with their answer, or with the run',
  CronCreate: 'a run ends: what starts it again is outside of it',
  Monitor: 'Bash with run_in_background starts a command, BashOutput reads it',
  LSP: 'Grep finds names, and Bash runs the checker of the project',
}

/** Why a tool that models know from elsewhere is not here, and what is; undefined for any other name. */
export function absentTool(name: string): string | undefined {
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined
  return instead === undefined ? undefined : `There is no ${name} in an unattended run: ${instead}.`
}
