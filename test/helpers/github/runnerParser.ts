/**
 * How GitHub's runner reads a step's output, written from what is known of it: a line ends at CR, LF or CR LF; `::name …::`
 * counts after white space at a line's start, `##[name …]` anywhere in a line; names are known ones, in any case; after
 * `::stop-commands::token` only `::token::` counts. Its string search skips signs without width, so they are removed
 * first: this reader obeys rather too much than too little.
 */
const NAMES = new Set([
  ...['add-mask', 'add-matcher', 'add-path', 'debug', 'echo', 'endgroup', 'error', 'group', 'notice'],
  ...['remove-matcher', 'save-state', 'set-env', 'set-output', 'stop-commands', 'warning', 'internal-set-repo-path'],
])

export type RunnerCommand = { readonly name: string; readonly data: string }

/** The commands that the runner obeys in an output, in order; those that only lift a stop are not among them. */
export function parseRunnerOutput(output: string): RunnerCommand[] {
  const obeyed: RunnerCommand[] = []
  let token: string | null = null
  for (const raw of output.split(/\r\n|\r|\n/)) {
    const line = raw.replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, (sign) =>
      /\s/.test(sign) ? sign : '',
    )
    const command: RunnerCommand | null = parseColons(line, token) ?? parseHashes(line, token)
    if (command === null) continue
    if (token !== null) {
      if (command.name === token) token = null
    } else {
      if (command.name === 'stop-commands') token = command.data.toLowerCase()
      obeyed.push(command)
    }
  }
  return obeyed
}

function parseColons(line: string, token: string | null): RunnerCommand | null {
  const text = line.trimStart()
  const end = text.indexOf('::', 2)
  if (!text.startsWith('::') || end === -1) return null
  return commandOf(text.slice(2, end), text.slice(end + 2), token)
}

function parseHashes(line: string, token: string | null): RunnerCommand | null {
  const start = line.indexOf('##[')
  const end = start === -1 ? -1 : line.indexOf(']', start)
  return end === -1 ? null : commandOf(line.slice(start + 3, end), line.slice(end + 1), token)
}

function commandOf(info: string, data: string, token: string | null): RunnerCommand | null {
  const name = (info.split(' ')[0] ?? '').toLowerCase()
  return NAMES.has(name) || (token !== null && name === token) ? { name, data } : null
}
