import type { CommandLink, Word } from '../../contracts/subject.ts'
import { memoizeFor } from '../../lib/memoize.ts'
import { wordsIn } from '../../lib/text/words.ts'
import { SEPARATOR } from './parseCommandPattern.ts'

/** A link in the forms that rules are compared with; computed once per link. */
export type CommandForms = {
  readonly argv: readonly Word[]
  /** The last path part of the command, in lower case; undefined if it is unknown until run time. */
  readonly name: string | undefined
  /** The words, and the words without git's global options that change nothing or stay in the project. */
  readonly allow: readonly (readonly Word[])[]
  readonly allowTexts: readonly string[]
  /** Texts as literal segments: the parts between words that are unknown until run time. */
  readonly denyTexts: readonly (readonly string[])[]
}

export const formsOf = memoizeFor(({ argv, isInside }: CommandLink): CommandForms => {
  const isSkipped = (option: string) => HARMLESS.includes(option) || (isInside === true && option === '-C')
  const first = argv[0]
  const path = first?.kind === 'literal' ? first.value : undefined
  const name = path?.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const allow = path === 'git' ? distinct([argv, withoutOptions(argv, isSkipped)]) : [argv]
  const spellings = name === 'git' ? distinct([argv, withoutOptions(argv, () => true)]) : [argv]
  const renamed =
    name === undefined || name === path ? spellings : [...spellings, ...spellings.map((words) => withName(words, name))]
  return {
    argv,
    name,
    allow,
    allowTexts: allow.flatMap((words) => [allowText(words, false), allowText(words, true)]),
    denyTexts: renamed.flatMap((words) => textsOf(words)),
  }
})

/** The joined words. `~` as written, or as the command gets it. */
function allowText(words: readonly Word[], isWritten: boolean): string {
  const spell = (word: Word): string => {
    if (word.kind === 'dynamic' || word.kind === 'many') return UNKNOWN
    return word.kind === 'literal' && isWritten ? (word.written ?? word.value) : word.value
  }
  return words.map(spell).join(SEPARATOR)
}

/** Stands for an unknown word in an allow text: a character that no rule can contain. */
const UNKNOWN = '\u0001'

const HARMLESS = ['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']
const WITH_VALUE = wordsIn('-c -C --git-dir --work-tree --config-env --namespace --super-prefix --attr-source')

/** git's words without the global options before its subcommand. */
function withoutOptions(argv: readonly Word[], isSkipped: (option: string) => boolean): readonly Word[] {
  let index = 1
  for (; index < argv.length; index += 1) {
    const word = argv[index]
    if (word?.kind !== 'literal' || !word.value.startsWith('-') || !isSkipped(word.value)) break
    if (WITH_VALUE.includes(word.value)) index += 1
  }
  return [...argv.slice(0, 1), ...argv.slice(index)]
}

function withName(argv: readonly Word[], name: string): readonly Word[] {
  return [{ kind: 'literal', value: name }, ...argv.slice(1)]
}

function distinct(forms: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  return forms.filter((words, index) => index === 0 || words.length !== forms[0]?.length)
}

/** The joined text in segments; a second version keeps `~` as written. */
function textsOf(words: readonly Word[]): string[][] {
  const text = segmentsOf(words, (word) => word.value)
  const hasWritten = words.some((word) => word.kind === 'literal' && word.written !== undefined)
  return hasWritten ? [text, segmentsOf(words, (word) => word.written ?? word.value)] : [text]
}

function segmentsOf(words: readonly Word[], spell: (word: Extract<Word, { kind: 'literal' }>) => string): string[] {
  const segments = ['']
  for (const [index, word] of words.entries()) {
    const parts = word.kind === 'literal' ? [spell(word)] : ['', '']
    const [first = '', ...rest] = parts
    segments.push(`${segments.pop() ?? ''}${index === 0 ? '' : SEPARATOR}${first}`, ...rest)
  }
  return segments
}
