import type { Word } from '../contracts/subject.ts'
import { buildFolder } from './buildFolder.ts'
import { isTranslating } from './isTranslating.ts'

/** Options whose value is the next word. */
const VALUED =
  /^(?:-[SBDUGTACP]|--(?:preset|build|install|target|config|prefix|component|parallel|log-level|workflow)|-[jt])$/

/** Variables that only say how is built, whatever plain word they are given. */
const COMMON =
  /^(?:CMAKE_(?:BUILD_TYPE|(?:C|CXX|CUDA)_STANDARD|CONFIGURATION_TYPES|OSX_(?:ARCHITECTURES|DEPLOYMENT_TARGET)|CUDA_ARCHITECTURES|(?:C|CXX)_VISIBILITY_PRESET)|BUILD_TYPE|\w*SANITIZERS?)$/
const PROGRAM = /^CMAKE_\w*(?:COMPILER|LAUNCHER|LINKER|MAKE_PROGRAM)$/
const KNOWN_PROGRAM = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ccache|ninja|make|lld|mold)(?:-\d+)?$/
const SWITCH = /^(?:ON|OFF|TRUE|FALSE|YES|NO|\d[\d.]*|)$/i
const PLAIN = /^[\w+,-][\w.+,-]*$/
const FLAGS = /^CMAKE_(?:C|CXX)_FLAGS(?:_\w+)?$/
/** A folder, a target, an option: `NAME=x` for a target is a variable to make. */
const PLAIN_WORD = /^(?:-[\w./+:@%,~=-]*|[\w./+:@%,~-]*)$/
const GENERATOR = /^(?:-G ?)?(?:Unix Makefiles|Ninja Multi-Config|Ninja)$/
/** Behind `--build … --`: another folder, makefile or text. */
const ELSEWHERE = /^-\w*[CfIE]|^--(?:di|fi|ma|in|ev)/

/**
 * Why a call of cmake is not covered: a variable that is not known may name what it loads or runs, what shows help writes a
 * file behind it, and a folder beside `-S` is the one that counts.
 */
export function cmakeProblem(argv: readonly Word[]): string | undefined {
  const values = argv.slice(1).map((word) => (word.kind === 'literal' ? word.value : ''))
  const isShown = values.some((value) => /^--(?:version|help)/.test(value)) && argv.length > 2
  if (isShown) return 'cmake with a file for its help writes it'
  const odd = values.find(
    (value, index) =>
      !/^-D/.test(value) && values[index - 1] !== '-D' && !PLAIN_WORD.test(value) && !GENERATOR.test(value),
  )
  if (odd !== undefined) return `cmake with ${odd}, which a shell or make may read`
  if (argv.some(({ kind }) => kind === 'glob')) return 'cmake with wildcards: a file may be called like a command'
  const built = values.find((value, index) => values[index - 1] === '--build' && !buildFolder.test(value))
  if (built !== undefined) return `cmake --build ${built}: what lies there is run`
  const end = values.indexOf('--')
  const moved = end < 0 ? undefined : values.slice(end).find((value) => ELSEWHERE.test(value))
  if (moved !== undefined) return `cmake that hands on ${moved}`
  const target = values.find((value, index) => {
    if (/^(?:-t|--target=)(?:.*=.|-)/.test(value)) return true
    return /^(?:-t|--target)$/.test(values[index - 1] ?? '') && value.startsWith('-')
  })
  if (target !== undefined) return `cmake ${target}: make takes it for a variable`
  const variable = values.find((value, index) => isVariable(values[index - 1] ?? '', value))
  if (variable !== undefined) return `cmake ${variable}: the variable may decide what is loaded or run`
  if (!values.some((value) => /^-S/.test(value))) return undefined
  const other = values.find((value, index) => !value.startsWith('-') && !VALUED.test(values[index - 1] ?? ''))
  return other === undefined ? undefined : `cmake -S with another folder: ${other}`
}

function isVariable(before: string, word: string): boolean {
  const text = before === '-D' ? word : /^-D(.+)$/s.exec(word)?.[1]
  if (text === undefined) return false
  const [, name = '', value = ''] = /^\s*([^:=]*)(?::\w+)?=([\s\S]*)$/.exec(text) ?? []
  if (name === '') return true
  if (FLAGS.test(name)) return !isTranslating(value)
  if (PROGRAM.test(name)) return !KNOWN_PROGRAM.test(value)
  return !(SWITCH.test(value) || (COMMON.test(name) && PLAIN.test(value)))
}
