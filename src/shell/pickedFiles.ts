import type { FoundFiles, Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { includedNames } from './includedNames.ts'
import type { SortedWords } from './sortWords.ts'

const GREPS = /^(?:[efz]|b?z|x?z|l?z|zstd)?grep$/
const RECURSIVE = /^-\w*[rR]|^--(?:de?r|r)|recurse$/

const HERE: Word = { kind: 'literal', value: '.' }

/**
 * What a search through folders picks by name (`--include=`, `-g`), and all there is in a folder of git. Without either it
 * reads what there is, which no rule on files is asked about.
 */
export function pickedFiles(name: string, words: SortedWords, places: readonly Word[]): readonly FileOperand[] {
  const isGrep = GREPS.test(name)
  if (!isGrep && name !== 'rg') return []
  const isDeep = !isGrep || [...words.options, ...words.operands.map(textOf)].some((each) => RECURSIVE.test(each))
  if (!isDeep) return []
  const names = isGrep ? includedNames(words.options) : globs(words)
  // A glob in a word of its own counts as an operand, so that the last one may be the pattern.
  const starts = places.length > 0 && isGrep ? places : [...places, HERE]
  return starts.flatMap((start) => {
    if (start.kind !== 'literal' || (names.length === 0 && !/(?:^|\/)\.git(?:\/|$)/i.test(start.value))) return []
    const found: FoundFiles = { starts: [start.value], ...(names.length > 0 ? { names } : {}), isPicked: true }
    return fileOf({ kind: 'dynamic', found }, 'read').map((file) => ({ ...file, isGuess: true as const }))
  })
}

/** The globs of ripgrep that do not leave out; one with a slash may mean any name. */
function globs({ options, next }: SortedWords): readonly string[] {
  const given = options.flatMap((option, index) => {
    const attached = /^(?:-g|--i?glob=)([\s\S]+)$/.exec(option)?.[1]
    return attached ?? (/^(?:-\w*g|--i?glob)$/.test(option) ? textOf(next[index]) : [])
  })
  const names = given.filter((glob) => !glob.startsWith('!')).map((glob) => glob.slice(glob.lastIndexOf('/') + 1))
  return names.filter((name) => !/^[*?]*$/.test(name))
}

function textOf(word: Word | undefined): string {
  return word === undefined || word.kind === 'dynamic' ? '' : word.value
}
