import type { CommandLink, Word } from '../../contracts/subject.ts'
import { textOf } from '../programs/literalWord.ts'

/** Programs that only read, whatever their arguments are, except for those below. What a wrapper starts is a link of its own. */
const READERS = new Set(
  [
    'ls cat head tail wc grep egrep fgrep rg find cut sort uniq tr nl tac rev fold column comm paste join strings od hexdump',
    'diff cmp md5sum sha1sum sha256sum cksum stat file which type basename dirname realpath readlink du df tree jq seq',
    'echo printf pwd cd date true false : test [ sleep expr env printenv whoami id groups uname nproc uptime free ps',
    'timeout nice command',
  ].flatMap((names) => names.split(' ')),
)
const GIT_READERS =
  /^(?:status|log|diff|show|ls-files|ls-tree|blame|rev-parse|rev-list|describe|cat-file|grep|shortlog|merge-base|name-rev|for-each-ref|show-ref|count-objects|whatchanged)$/
/** Arguments that make readers write or run something. */
const WRITE_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/],
  ['sort', /^(?:-[a-zA-Z]*o|--o)/],
  ['tree', /^-[a-zA-Z]*[oR]/],
  ['file', /^(?:-[a-zA-Z]*C|--c)/],
  ['date', /^(?:-[a-zA-Z]*s|--s)/],
  ['git', /^--output/],
])

/** True for a chain of known readers without such arguments. It decides how a line runs, not whether it runs. */
export function isReader(chain: readonly CommandLink[]): boolean {
  if (chain.some((link) => link.isUnseen || (link.cover !== 'none' && link.cover !== 'wildcard'))) return false
  return chain.filter((link) => link.cover === 'wildcard').every(({ argv }) => isReading(argv))
}

function isReading(argv: readonly Word[]): boolean {
  const name = textOf(argv[0])
  const words = argv.slice(1)
  if (words.some((word) => WRITE_OPTIONS.get(name)?.test(textOf(word)))) return false
  // A second operand is written. `-` and what follows `--` are operands.
  if (name === 'uniq') return words.filter((word) => !/^--?[^-]/.test(textOf(word))).length < 2
  if (name === 'git') return GIT_READERS.test(textOf(words.find((word) => !textOf(word).startsWith('-'))))
  return READERS.has(name) || (words.length === 1 && textOf(words[0]) === '--version' && !name.includes('/'))
}
