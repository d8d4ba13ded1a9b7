import type { Word } from '../contracts/subject.ts'
import { findSubcommand } from './gitProblem.ts'
import { isLongOption } from './optionSpelling.ts'

/** Options whose value may be a word of its own; `isSure` where it always is, and never a repository. */
type Valued = { readonly short: string; readonly long: readonly string[]; readonly isSure?: true }

const TRANSFER: Valued = {
  short: 'ojsX',
  long: (
    'push-option repo receive-pack exec server-option upload-pack depth deepen shallow-since shallow-exclude refmap ' +
    'negotiation-tip filter jobs submodule-prefix recurse-submodules-default strategy strategy-option cleanup remote sort'
  ).split(' '),
}
const CLONE: Valued = {
  short: 'boucj',
  isSure: true,
  long: (
    'branch origin upload-pack config jobs depth shallow-since shallow-exclude reference reference-if-able filter ' +
    'server-option bundle-uri template separate-git-dir ref-format revision'
  ).split(' '),
}

/** Where the subcommand has its repository among the operands. */
type Shape = { readonly valued: Valued; readonly from: number; readonly to?: number }

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['push', { valued: TRANSFER, from: 0, to: 1 }],
  ['pull', { valued: TRANSFER, from: 0, to: 1 }],
  ['ls-remote', { valued: TRANSFER, from: 0, to: 1 }],
  ['fetch', { valued: TRANSFER, from: 0, to: 1 }],
  ['clone', { valued: CLONE, from: 0, to: 1 }],
  ['request-pull', { valued: { short: '', long: [] }, from: 1, to: 2 }],
  ['submodule', { valued: { short: '', long: ['reference'] }, from: 0, to: 0 }],
  ['archive', { valued: { short: '', long: ['remote'] }, from: 0, to: 0 }],
])

/** `git remote` and what of its operands is a repository. */
const REMOTES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['add', { valued: { short: 'tm', long: ['track', 'master'], isSure: true }, from: 1 }],
  ['set-url', { valued: { short: '', long: [] }, from: 1 }],
  ...['show', 'prune', 'update', 'set-head'].map((name): [string, Shape] => [
    name,
    { valued: { short: '', long: [] }, from: 0 },
  ]),
])

export type Repositories = {
  readonly repositories: readonly Word[]
  readonly operands: readonly Word[]
  readonly isClone: boolean
  /** They are written down as what a name stands for, and used later. */
  readonly isKept: boolean
}

/** What of a git command's words is or may be a repository; `operands` is what it has besides its options and their values. */
export function findRepositories(argv: readonly Word[]): Repositories {
  const { subcommand = '', rest } = findSubcommand(argv)
  const isRemote = subcommand === 'remote'
  const at = isRemote ? rest.findIndex((word) => !isLiteral(word, /^-/)) : -1
  const action = rest[at]
  const shape = isRemote ? REMOTES.get(action?.kind === 'literal' ? action.value : '') : SHAPES.get(subcommand)
  if (shape === undefined) return { repositories: [], operands: [], isClone: false, isKept: false }
  const { operands, values, isMany } = readWords(rest.slice(at + 1), shape.valued)
  const own = operands.filter((word, index) => isMany || index < (shape.to ?? Infinity) || word.kind === 'glob')
  const repositories = own.filter((word, index) => isMany || index >= shape.from || word.kind === 'glob')
  const isKept = shape === REMOTES.get('add') || shape === REMOTES.get('set-url')
  return { repositories: [...repositories, ...values], operands, isClone: subcommand === 'clone', isKept }
}

/** The operands, and the values of options that are or may be repositories. */
function readWords(words: readonly Word[], valued: Valued) {
  const operands: Word[] = []
  const values: Word[] = []
  let isMany = false
  let isOnlyOperands = false
  let taker: string | undefined
  for (const word of words) {
    const text = word.kind === 'literal' ? word.value : ''
    // Whether a word like this is the value is not always known: then every word may be the repository
    if (taker !== undefined && text.startsWith('-')) {
      isMany = true
      taker = undefined
    }
    if (taker !== undefined) {
      if (isMany || !isSure(taker, valued) || word.kind === 'glob') values.push(word)
      taker = undefined
    } else if (!isOnlyOperands && text === '--') isOnlyOperands = true
    else if (isOnlyOperands || !text.startsWith('-')) operands.push(word)
    else {
      if (isLongOption(text, 'multiple')) isMany = true
      const [name = '', ...value] = text.split('=')
      const isRepository = REPOSITORIES.some((each) => isLongOption(name, each))
      if (value.length > 0 && isRepository) values.push({ kind: 'literal', value: value.join('=') })
      if (value.length === 0 && takesNext(text, valued)) taker = text
    }
  }
  return { operands, values, isMany }
}

const REPOSITORIES = ['repo', 'remote', 'reference', 'reference-if-able', 'bundle-uri']

function isSure(option: string, valued: Valued): boolean {
  const isSpeltOut = !option.startsWith('--') || valued.long.includes(option.slice(2))
  return valued.isSure === true && isSpeltOut && !REPOSITORIES.includes(option.slice(2))
}

/** The first short option with a value takes the next word where it ends the bundle. */
function takesNext(option: string, { short, long }: Valued): boolean {
  if (option.startsWith('--')) return long.some((name) => isLongOption(option, name))
  const first = [...option].findIndex((letter, index) => index > 0 && short.includes(letter))
  return first === option.length - 1
}

function isLiteral(word: Word | undefined, text: RegExp): boolean {
  return word?.kind === 'literal' && text.test(word.value)
}
