import type { Word } from '../contracts/subject.ts'

/** What `perl -ne` opens as a command or writes to. */
const OPENED = /^\s*[|<>+]|\|\s*$/

/** Why operands of perl are not covered: its `<>` takes `touch x|` for a command, and a file may be called so. */
export function perlProblem(argv: readonly Word[]): string | undefined {
  const odd = argv.slice(1).find((word) => textsOf(word).some((text) => OPENED.test(text)))
  return odd && 'perl takes a name with `|` or `>` at its ends for a command or an output'
}

/** The texts that a word may be; where its end is not known, one that is a command. */
function textsOf(word: Word): readonly string[] {
  if (word.kind === 'literal') return [word.value]
  const patterns = word.found?.names ?? (word.kind === 'glob' ? [word.value] : word.patterns)
  return (patterns ?? [`${word.kind === 'dynamic' ? (word.prefix ?? '') : ''}*`]).map((text) =>
    text.replace(/^[*?[]|[*?\]]$/g, '|'),
  )
}
