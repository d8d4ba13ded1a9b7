import type { HookSettings } from '../contracts/settings.ts'
import { scriptFiles } from '../files/scriptFiles.ts'
import { commandWords } from './commandWords.ts'
import { toProcess } from './runCommandHook.ts'
import { TOKEN } from './shellWords.ts'

/** The files below `folders` that a command hook runs, in every simple command of its line; absolute. */
export function hookScripts(hook: HookSettings, cwd: string, folders: readonly string[]): readonly string[] {
  if (hook.type !== 'command') return []
  const { file, args } = toProcess(hook, cwd)
  const commands = hook.args === undefined ? simpleCommands(hook.command, cwd) : [[file, ...args]]
  return [...new Set(commands.flatMap((words) => scriptFiles(words, cwd, folders)))]
}

/** The words of each simple command; a word that only the shell knows stays as written. */
function simpleCommands(line: string, cwd: string): readonly (readonly string[])[] {
  const known = { CLAUDE_PROJECT_DIR: cwd, PWD: cwd }
  const commands: string[][] = [[]]
  let isTarget = false
  for (const [token] of line.matchAll(TOKEN)) {
    if (/^[|&;()\n]/.test(token)) commands.push([])
    else if (!/^[<>]/.test(token) && !isTarget) commands.at(-1)?.push(...(commandWords(token, known) ?? [token]))
    isTarget = /^[<>]/.test(token)
  }
  return commands
}
