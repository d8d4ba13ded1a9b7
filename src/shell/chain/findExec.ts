import type { Word } from '../../contracts/subject.ts'
import { textOf } from '../../programs/textOf.ts'

const ACTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|execdir|ok|okdir)$/],
  ['fd', /^(?:-[xX]|--exec(?:-batch)?)$/],
  ['fdfind', /^(?:-[xX]|--exec(?:-batch)?)$/],
])

/** Where the options stand behind which find runs a command. */
export function execStarts(name: string, argv: readonly Word[]): readonly number[] {
  const action = ACTIONS.get(name)
  return action ? [...argv.keys()].filter((index) => action.test(textOf(argv[index]))) : []
}

/** Where the command behind `-exec` ends: at a `;`, or at a `+` after `{}`. */
export function endOfExec(argv: readonly Word[], start: number): number {
  const texts = argv.map((word) => (word.kind === 'literal' ? word.value : undefined))
  const end = texts.findIndex(
    (text, index) => index > start && (text === ';' || (text === '+' && texts[index - 1] === '{}')),
  )
  return end < 0 ? argv.length : end
}

/** The word with a file in place of the mark: `{}` alone may be any, and with a text before it begins so. */
export function withPlaceholder(word: Word, mark: string): Word {
  if (word.kind !== 'literal' || !word.value.includes(mark)) return word
  const prefix = word.value.slice(0, word.value.indexOf(mark))
  const suffix = word.value.slice(word.value.lastIndexOf(mark) + mark.length)
  return { kind: 'dynamic', ...(prefix === '' ? {} : { prefix }), ...(suffix === '' ? {} : { suffix }) }
}
