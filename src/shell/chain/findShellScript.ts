import type { Word } from '../../contracts/subject.ts'
import { SOURCES } from '../programs/wrappers.ts'

/** The script that `bash -c 'script'` or `eval script` runs. `isPlain`: only the script decides what runs. */
export type ShellScript = {
  readonly text: string
  readonly index: number
  readonly isPlain: boolean
  readonly isEval: boolean
  /** The shell may be one that knows no `[[` and no `((`. */
  readonly isPosix: boolean
}

/** Options that do not matter for parsing the script. */
const PLAIN = /^-[ceuxfvnh]+$/

/** What a shell runs: a script among its words, a `file`, the `output` of a program, or something that no word shows. */
export function findShellScript(name: string, argv: readonly Word[]): ShellScript | 'file' | 'output' | 'unseen' {
  const values = argv.map((word) => (word.kind === 'literal' ? word.value : undefined))
  if (name === 'eval') {
    const start = values[1] === '--' ? 2 : 1
    const words = values.slice(start)
    const word = argv[start]
    if (argv.length === start + 1 && word && 'isOutput' in word) return 'output'
    if (words.length === 0 || words.includes(undefined)) return 'unseen'
    return { text: words.join(' '), index: start, isPlain: true, isEval: true, isPosix: false }
  }
  if (SOURCES.has(name)) return kindOf(argv[values[1] === '--' ? 2 : 1])
  let hasScript = false
  let isPlain = name === values[0]
  for (let index = 1; index < values.length; index += 1) {
    const value = values[index]
    if (value === undefined) return hasScript ? 'unseen' : unknownFile(argv[index])
    if (/^(?:[-+]\w*[oO]|--(?:rcfile|init-file))$/.test(value)) {
      isPlain &&= /^-[euxfvnh]*o$/.test(value) && /^(?:pipefail|errexit|nounset|xtrace)$/.test(values[index + 1] ?? '')
      hasScript ||= /^[-+]\w*c/.test(value)
      index += 1
    } else if (value === '--' || value === '-' || !/^[-+]/.test(value)) {
      const at = value === '--' || value === '-' ? index + 1 : index
      const text = values[at]
      if (!hasScript) return kindOf(argv[at])
      return text === undefined ? 'unseen' : { text, index: at, isPlain, isEval: false, isPosix: name !== 'bash' }
    } else {
      // The value of an `o` is the next word, wherever the letter stands.
      if (/^-[^-]*s|^[-+][^-]*[oO]/.test(value)) return 'unseen'
      if (/^[-+]\w*c/.test(value)) hasScript = true
      if (!PLAIN.test(value) && !/^--(?:norc|noprofile)$/.test(value)) isPlain = false
    }
  }
  return values[1] === '--version' || values[1] === '--help' ? 'file' : 'unseen'
}

/** `"$FOLDER/build.sh"` names a file: options have no slash, devices no dot. Any other word may be `-c`. */
function unknownFile(word: Word | undefined): 'file' | 'output' | 'unseen' {
  const kind = kindOf(word)
  const isFile = word && 'suffix' in word && /\/[\w-]+(?:\.[\w-]+)+$/.test(word.suffix ?? '')
  return kind === 'file' && !isFile ? 'unseen' : kind
}

/** The line itself may write into a device, so that is no file. */
function kindOf(word: Word | undefined): 'file' | 'output' | 'unseen' {
  if (word?.kind === 'literal') return /^\/+(?:dev|proc)\//.test(word.value) ? 'unseen' : 'file'
  if (word?.kind !== 'dynamic') return 'unseen'
  if (word.isOutput) return 'output'
  return word.prefix?.startsWith('/dev/fd/') ? 'unseen' : 'file'
}
