import type { Word } from '../contracts/subject.ts'
import { npmNames } from './npmNames.ts'

/** Nothing, or options that take no word. */
const SWITCH = /^$|=|^-(?:s|q|d|-silent|-quiet|-json|-no-[\w-]+|-if-present|-workspaces|ws)$/
const STARTING = /^(?:run?(?:-\w*)?|rum|urn)$/
/** They hand their words to a script of the project. */
const RUNNING = /^(?:run|run-script|rum|urn|test|tst|t|start|stop|restart)$/
/** The first word behind them is a package, the others are its own. */
const FETCHING = /^(?:exec|x|dlx)$/
/** They start a shell, an editor, or what their words say. */
const OPENING: Readonly<Record<string, RegExp>> = {
  npm: /^(?:explo\w*|edi?t?)$/,
  bun: /^(?:exec|repl)$/,
  pnpm: /^node$/,
  yarn: /^(?:node|plugin|policies)$/,
}
/** Commands of other managers that take packages; any other word may be a script. */
const TAKING =
  /^(?:a|add|install|i|it|install-test|ln|link|pack|publish|dlx|x|exec|create|global|import|patch|up|update|upgrade|upgrade-interactive)$/

/** A package that is a folder, an archive or a repository: its scripts run when it is packed or installed. */
const PLACE = /^(?:[./~]|[a-z+]+:|[\w.-]+\/)|.@(?:[./~]|[a-z+]+:|[\w.-]+\/)|^[^@].*#|\.(?:tgz|tar(?:\.gz)?)(?:$|[?#])/i

/** No name of a registry, whatever it is: blanks that npm drops, `..`, a second slash. */
const ODD = /.@.*[/\\]|\.\.|(?:^|@)\s|\\|^@[^/]*\/[^@]*\//

/** Why a call of npm is not covered: it takes a package from a place where anyone may have put its scripts. */
export function npmProblem(name: string, argv: readonly Word[]): string | undefined {
  const words = argv.slice(1)
  const end = words.findIndex((word) => word.kind === 'literal' && word.value === '--')
  const texts = (end < 0 ? words : words.slice(0, end)).map(startOf)
  const spelt = words.find((word) => word.kind === 'literal' && /[`]|\$[({]/.test(word.value))
  if (spelt?.kind === 'literal') return `${name} hands ${spelt.value} to a shell, quoted by some versions only`
  const operands = texts.filter((word) => !word.startsWith('-'))
  // Of a switch npm takes what stands behind `=` for an operand: `--json=./src`.
  const values = texts.flatMap((word) => /^-[^=]*=([\s\S]+)$/.exec(word)?.[1] ?? [])
  const start = operands[0] === 'workspace' && name === 'yarn' ? 2 : 0
  const [command = '', ...packages] = operands.slice(start)
  const started = operands.findIndex((word) => STARTING.test(word))
  if (started >= 0 && operands.indexOf('env', started) > 0) {
    return `${name} run env runs the command behind it where the project has no script of that name`
  }
  // The word may be the value of an option in front of it: then any other may be the command.
  const isSure = start > 0 || SWITCH.test(texts[texts.indexOf(command) - 1] ?? '')
  const commands = isSure ? [start] : operands.keys()
  const namesAt = (at: number): string[] => {
    const word = operands[at] ?? ''
    return name === 'npm' && word !== '' ? [word, ...npmNames(word)] : [word]
  }
  if ([...commands].some((at) => namesAt(at).some((each) => isSetting(each, operands[at + 1]))))
    return `${name} may write settings that decide what runs`
  const isOpening = (word: string): boolean => OPENING[name]?.test(word) === true
  if ([...commands].some((at) => namesAt(at).some(isOpening))) return `${name} ${command} runs what it is told`
  if (isSure && (name === 'npm' ? RUNNING.test(command) : !TAKING.test(command))) return undefined
  const behind = end < 0 ? [] : words.slice(end + 1, end + 2).map(startOf)
  const given = isSure && FETCHING.test(command) ? [...packages, ...behind].slice(0, 1) : packages
  const found = [...given, ...values].find((each) => PLACE.test(each) || ODD.test(each))
  return found === undefined ? undefined : `${name} ${command} ${found}: scripts of a package from there would run`
}

/** What is known of a word from its beginning. */
function startOf(word: Word): string {
  return word.kind === 'dynamic' ? (word.prefix ?? '') : word.value
}

/** `npm config set editor x`, also shortened; only what shows settings passes. */
function isSetting(command: string, action = 'list'): boolean {
  if (/^(?:set|edit|set-script)$/.test(command)) return true
  if (command === 'pkg') return !/^(?:get|list)$/.test(action)
  return /^(?:c|co|con|conf|confi|config)$/.test(command) && !/^(?:get|list|ls)$/.test(action)
}
