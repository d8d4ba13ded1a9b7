import type { Word } from '../contracts/subject.ts'
import { fileCommands } from './fileCommands.ts'

/** What an option is about that runs or loads a program of the caller's choice, in any tool. */
const ABOUT =
  'exec execute executable command commands cmd hook hooks plugin plugins eval evaluate shell script scripts wrapper pager editor launcher preload interpreter compiler linker program load dlopen rcfile agent under pipe prepipe helper runtool tool shellcheck pyflakes doctor pdb ipdb debugger repl'.split(
    ' ',
  )

/** Options that switch such a thing off, show it, or only bound it. */
const HARMLESS = /^--?(?:no|ignore|skip|without|disable|exclude|list|show|print|help)\b|(?:timeout|version|list)$/

/** What an option is about whose value is loaded as code where it is a file of code, or a folder. */
const LOADED =
  /^--?(?:[\w-]*-)?(?:addon|autoload|bootstrap|conf|config|formatter|import|loader|module|parser|preprocessor|preset|processor|register|reporter|require|resolver|rules|rulesdir|ruleset|settings|setup|standard|transform)(?:-(?:dir|directory|file|path))?$|^-[cr]$/i
const CODE =
  /\/(?:[^.]*|.*\.(?:[cm]?[jt]sx?|py|rb|php|phar|pl|pm|lua|sh|so|dll|jar|class|groovy|kts))$|^(?:data|file|https?):/i
const PACKAGE = /^@[\w.-]+\/[\w.-]+$/

/** They run the project's code, whatever their options say. */
const PROJECT = new Set(
  'pytest jest vitest mocha ava phpunit pest rspec playwright cypress karma tox nox nyc c8 vite next nuxt ng nx turbo lerna storybook wdio'.split(
    ' ',
  ),
)

/**
 * Why a wildcard does not cover a call of a program whose options are not known here: one of them is named after what it
 * runs or loads (`--exec`, `--init-hook`, `--plug`), or about what is loaded, and names code. Tools take beginnings of such
 * names too.
 */
export function strangerProblem(name: string, argv: readonly Word[]): string | undefined {
  const end = argv.findIndex((word) => word.kind === 'literal' && word.value === '--')
  const found = argv
    .slice(1, end < 0 ? undefined : end)
    .map(startOf)
    .find(isRunning)
  if (found !== undefined) return `${name} ${found}: an option that seems to run a program`
  const words = argv.map(startOf)
  const isPlain = PROJECT.has(name) || fileCommands.has(name)
  const loading = isPlain ? undefined : words.find((word, index) => index > 0 && isLoading(word, words[index + 1]))
  return loading === undefined ? undefined : `${name} ${loading}: an option that seems to load code`
}

/** `--bootstrap=src/x.php`, `--rulesdir src/rules`. */
function isLoading(option: string, next: string | undefined): boolean {
  const joined = /^-[cr]([^=]*\/.*)$/.exec(option)?.[1]
  if (joined !== undefined) return CODE.test(joined)
  const at = option.indexOf('=')
  if (!LOADED.test(at < 0 ? option : option.slice(0, at))) return false
  const value = at < 0 ? (next ?? '') : option.slice(at + 1)
  return CODE.test(value) && !PACKAGE.test(value)
}

/** What is known of a word from its beginning. */
function startOf(word: Word): string {
  return word.kind === 'dynamic' ? (word.prefix ?? '') : word.value
}

function isRunning(option: string): boolean {
  const name = /^--?([a-z][\w.-]{2,})/i.exec(option)?.[1]
  if (name === undefined || HARMLESS.test(option.split('=')[0] ?? '')) return false
  const parts = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]/)
  return parts.some((part, index) => ABOUT.some((word) => part === word || (isLast(index, parts) && isCut(part, word))))
}

function isLast(index: number, parts: readonly string[]): boolean {
  return index === parts.length - 1
}

/** A beginning that is long enough to be meant. */
function isCut(part: string, word: string): boolean {
  return part.length > 3 && word.startsWith(part)
}
