import type { Word } from '../contracts/subject.ts'

/** Where the command behind `-exec` ends: at a `;`, or at a `+` after `{}`. */
export function endOfExec(argv: readonly Word[], start: number): number {
  const texts = argv.map((word) => (word.kind === 'literal' ? word.value : undefined))
  const end = texts.findIndex(
    (text, index) => index > start && (text === ';' || (text === '+' && texts[index - 1] === '{}')),
  )
  return end < 0 ? argv.length : end
}
