import { oneLine } from './words.ts'

/** The call as its rule would be written: `Bash(git push)`, `Read(a.ts)`; by the file it is about, where that is known. */
export function callWords(tool: string, input: Readonly<Record<string, unknown>>, path?: string | null): string {
  const main =
    path ??
    ['command', 'file_path', 'path', 'pattern', 'url', 'notebook_path', 'skill', 'subagent_type']
      .map((key) => input[key])
      .find((value): value is string => typeof value === 'string')
  const first = Object.values(input).find((value) => typeof value === 'string')
  const shown = main ?? first ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input))
  return shown === '' ? tool : `${tool}(${oneLine(shown, 200)})`
}
