import type { Word } from '../../contracts/subject.ts'
import { textOf } from '../programs/literalWord.ts'
import type { WrapperOptions } from '../programs/wrappers.ts'
import { fixedStart, sharedStart } from '../words/wordOf.ts'

const ACTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|execdir|ok|okdir)$/],
  ['fd', /^(?:-[xX]|--exec(?:-batch)?)$/],
  ['fdfind', /^(?:-[xX]|--exec(?:-batch)?)$/],
])

/** The options of find that run a command. */
export function execStarts(name: string, argv: readonly Word[]): readonly number[] {
  const action = ACTIONS.get(name)
  return action ? [...argv.keys()].filter((index) => action.test(textOf(argv[index]))) : []
}

/** Where the command of `-exec` ends: at a `;`, or at a `+` after `{}`. That of `-ok` ends at a `;` only. */
export function endOfExec(argv: readonly Word[], start: number): number {
  const texts = argv.map(textOf)
  const hasPlus = !texts[start]?.startsWith('-ok')
  const end = texts.findIndex(
    (text, index) => index > start && (text === ';' || (hasPlus && text === '+' && texts[index - 1] === '{}')),
  )
  return end < 0 ? argv.length : end
}

/** The prefixes of every path that find passes on: the folders where it starts. */
export function foundPrefix(argv: readonly Word[], start: number): string {
  if (textOf(argv[0]) !== 'find') return ''
  if (textOf(argv[start]).endsWith('dir')) return './'
  const end = argv.findIndex((word) => word.kind === 'many' || /^[-(!]/.test(textOf(word)))
  const folders = argv.slice(1, end).map(fixedStart)
  if (folders.length === 0) return './'
  return sharedStart(folders) || (folders.every((folder) => /^[\w./~]/.test(folder)) ? '.' : '')
}

/** The word with a path in place of `{}`. A bare `{}` starts as the path does, otherwise the text before it starts. */
export function withPlaceholder(word: Word, mark: string, found = ''): Word {
  if (word.kind !== 'literal' || !word.value.includes(mark)) return word
  const before = word.value.slice(0, word.value.indexOf(mark))
  const prefix = before + found
  const suffix = word.value.slice(word.value.lastIndexOf(mark) + mark.length)
  return { kind: 'dynamic', ...(prefix === '' ? {} : { prefix }), ...(suffix === '' ? {} : { suffix }) }
}

/** The placeholder that xargs replaces with each line. A later `-n` or `-L` may append them after all. */
export function placeholderOf(
  own: readonly string[],
  { valued }: WrapperOptions,
): { mark: string | undefined; isAppending: boolean } {
  let mark: string | undefined
  let isAppending = true
  for (let index = 0; index < own.length; index += 1) {
    const option = own[index] ?? ''
    if (/^-[Ii]/.test(option)) {
      mark = option === '-I' ? own[index + 1] : option.slice(2) || '{}'
      isAppending = false
    } else isAppending ||= /^(?:-[nL]|--max-(?:args|lines))/.test(option)
    if (valued?.test(option)) index += 1
  }
  return { mark, isAppending }
}
