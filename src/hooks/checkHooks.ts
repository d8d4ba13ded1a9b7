import { accessSync, constants, readSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { RunError } from '../contracts/errors.ts'
import { CALL_EVENTS, type HookSettings, type HookTable } from '../contracts/settings.ts'
import { withFile } from '../lib/fs/diskPath.ts'
import { parseUrl } from '../lib/net/parseUrl.ts'
import { orElse } from '../lib/orElse.ts'
import { programName } from '../lib/text/programName.ts'
import { takesScript } from '../shell/programs/findStart.ts'
import { commandWords } from './commandWords.ts'
import { nameOf } from './HookReply.ts'
import { toProcess } from './runCommandHook.ts'

export type CheckOptions = {
  readonly cwd: string
  /** The environment of the hooks' own process; `PATH` and `HOME` are used. */
  readonly env: Readonly<Record<string, string | undefined>>
}

const BUILTINS = new Set(
  '. : [ alias bg break builtin cd command compgen continue declare dirs disown echo enable eval exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
)

/**
 * Throws `RunError('config')` that lists every hook that cannot work: a script or program that is missing or not
 * executable, an `if` on an event without a call, a matcher that never matches. What only the shell can find out is
 * left to the run, where a failure denies.
 */
export function checkHooks(table: HookTable, options: CheckOptions): void {
  const problems = new Set<string>()
  for (const [event, groups] of Object.entries(table)) {
    for (const { matcher, hooks } of groups) {
      const idle = problemOfMatcher(matcher)
      if (idle !== undefined) problems.add(`hooks.${event}: ${idle}`)
      for (const hook of hooks) {
        const problem = problemOf(event, hook, options)
        if (problem === undefined) continue
        const name = nameOf(hook)
        problems.add(`hooks.${event}: ${problem.startsWith(`${name} `) ? problem : `${name}: ${problem}`}`)
      }
    }
  }
  if (problems.size === 0) return
  throw new RunError('config', `Hooks that cannot run:\n${[...problems].map((line) => `  ${line}`).join('\n')}`)
}

/** `mcp__server` looks like a rule for a whole server, but as a matcher it names one tool that cannot exist. */
function problemOfMatcher(matcher: string | undefined): string | undefined {
  const server = matcher?.split(/[|,]/).find((name) => /^\s*mcp__(?:(?!__)[\w-])+\s*$/.test(name))
  return server && `the matcher ${server.trim()} matches no tool: write ${server.trim()}__.*`
}

function problemOf(event: string, hook: HookSettings, options: CheckOptions): string | undefined {
  if (hook.if !== undefined && !CALL_EVENTS.some((name) => name === event)) {
    return '`if` needs a tool call, and this event has none: remove it'
  }
  if (hook.type === 'http') return parseUrl(hook.url) === undefined ? 'the URL cannot be parsed' : undefined
  if (hook.type === 'agent' && event === 'SessionEnd') return 'the run has ended then, so no agent can start'
  if (hook.type !== 'command') return undefined
  if (hook.args !== undefined) {
    const { file, args } = toProcess(hook, options.cwd)
    return problemOfWords([file, ...args], options)
  }
  const home = options.env['HOME']
  const known = { CLAUDE_PROJECT_DIR: options.cwd, PWD: options.cwd, ...(home === undefined ? {} : { HOME: home }) }
  const words = commandWords(hook.command, known)
  if (words === undefined || isForeseen(words, hook.command)) return undefined
  return problemOfWords(words, options, BUILTINS)
}

/** `notify-send done || true`: a program may be missing, because the line handles that. A script may not. */
function isForeseen([program = '']: readonly string[], line: string): boolean {
  return !program.includes('/') && !takesScript(program) && /^[^|&;\n]*\|\|/.test(line)
}

function problemOfWords(
  [program = '', ...operands]: readonly string[],
  options: CheckOptions,
  builtins: ReadonlySet<string> = new Set(),
): string | undefined {
  if (builtins.has(program)) return undefined
  const problem = problemOfProgram(program, options)
  if (problem !== undefined) return problem
  const [first] = operands
  const isScript = first !== undefined && !first.startsWith('-')
  if (!isScript || !takesScript(programName(program))) return undefined
  if (/^(?:deno|bun)$/.test(program) && !first.includes('/')) return undefined
  return problemOfFile(resolve(options.cwd, first), constants.R_OK)
}

function problemOfProgram(program: string, options: CheckOptions): string | undefined {
  if (program.includes('/')) {
    const path = resolve(options.cwd, program)
    return problemOfFile(path, constants.X_OK) ?? problemOfShebang(path, options)
  }
  const folders = (options.env['PATH'] ?? '').split(':').filter(isAbsolute)
  const isFound = folders.some((folder) => problemOfFile(join(folder, program), constants.X_OK) === undefined)
  return isFound ? undefined : `${program} is not on the PATH`
}

function problemOfFile(path: string, access: number): string | undefined {
  const isFile = orElse(undefined, () => statSync(path).isFile())
  if (isFile !== true) return `${path} ${isFile === undefined ? 'does not exist' : 'is not a file'}`
  const problem = access === constants.X_OK ? 'is not executable (chmod +x)' : 'cannot be read'
  return orElse(`${path} ${problem}`, () => void accessSync(path, access))
}

/** A script whose first line names a missing interpreter fails like a missing script. */
function problemOfShebang(path: string, options: CheckOptions): string | undefined {
  const [, interpreter, argument] = /^#![ \t]*(\S+)(?:[ \t]+(\S+))?/.exec(firstBytes(path)) ?? []
  if (interpreter === undefined) return undefined
  const named =
    /\/env$/.test(interpreter) && argument !== undefined && !argument.startsWith('-') ? argument : interpreter
  const problem = problemOfProgram(named, options)
  return problem && `its first line names an interpreter that cannot run: ${problem}`
}

function firstBytes(path: string): string {
  const bytes = Buffer.alloc(256)
  // Executable but not readable: a program, not a script.
  return bytes.toString(
    'utf8',
    0,
    orElse(0, () => withFile(path, 'r', (file) => readSync(file, bytes))),
  )
}
