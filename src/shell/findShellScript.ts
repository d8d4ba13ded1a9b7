import type { Word } from '../contracts/subject.ts'

/** The script that `bash -c 'script'` or `eval script` runs; undefined where it is not among the words. */
export function findShellScript(name: string, argv: readonly Word[]): string | undefined {
  const values = argv.slice(1).map((word) => (word.kind === 'literal' ? word.value : undefined))
  if (name === 'eval') {
    const words = values[0] === '--' ? values.slice(1) : values
    return words.every((value) => value !== undefined) ? words.join(' ') : undefined
  }
  let hasScript = false
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (value === undefined) return undefined
    if (/^-\w*c\w*[oO]|^-\w*[oO]\w*c/.test(value)) return undefined
    if (/^(?:[-+]\w*[oO]|--(?:rcfile|init-file))$/.test(value)) index += 1
    else if (value === '--' || value === '-') return hasScript ? values[index + 1] : undefined
    else if (!/^[-+]/.test(value)) return hasScript ? value : undefined
    if (/^-\w*c/.test(value)) hasScript = true
  }
  return undefined
}
