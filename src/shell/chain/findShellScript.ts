import type { Word } from '../../contracts/subject.ts'

/** The script that `bash -c 'script'` or `eval script` runs. `isPlain`: only the script decides what runs. */
export type ShellScript = {
  readonly text: string
  readonly index: number
  readonly isPlain: boolean
  readonly isEval: boolean
}

/** Options that do not matter for parsing the script. */
const PLAIN = /^-[ceuxfvnh]+$/

/** What a shell runs: a script among its words, a `file`, or something that no word shows. */
export function findShellScript(name: string, argv: readonly Word[]): ShellScript | 'file' | 'unseen' {
  const values = argv.map((word) => (word.kind === 'literal' ? word.value : undefined))
  if (name === 'eval') {
    const start = values[1] === '--' ? 2 : 1
    const words = values.slice(start)
    if (words.length === 0 || words.includes(undefined)) return 'unseen'
    return { text: words.join(' '), index: start, isPlain: true, isEval: true }
  }
  let hasScript = false
  let isPlain = name === values[0]
  for (let index = 1; index < values.length; index += 1) {
    const value = values[index]
    if (value === undefined) return 'unseen'
    if (/^(?:[-+]\w*[oO]|--(?:rcfile|init-file))$/.test(value)) {
      isPlain &&= value === '-o' && /^(?:pipefail|errexit|nounset|xtrace)$/.test(values[index + 1] ?? '')
      hasScript ||= /^-\w*c/.test(value)
      index += 1
    } else if (value === '--' || value === '-' || !/^[-+]/.test(value)) {
      const at = value === '--' || value === '-' ? index + 1 : index
      const text = values[at]
      if (text === undefined) return 'unseen'
      return hasScript ? { text, index: at, isPlain, isEval: false } : 'file'
    } else {
      if (/^-[^-]*s/.test(value) || /^-[^-]*c[^-]*[oO]|^-[^-]*[oO][^-]*c/.test(value)) return 'unseen'
      if (/^-\w*c/.test(value)) hasScript = true
      if (!PLAIN.test(value) && !/^--(?:norc|noprofile)$/.test(value)) isPlain = false
    }
  }
  return /^--(?:version|help)$/.test(values.at(-1) ?? '') && values.length === 2 ? 'file' : 'unseen'
}
