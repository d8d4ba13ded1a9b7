import type { Word } from '../contracts/subject.ts'
import { toolName } from './toolName.ts'

/** Options of compilers that only say what is translated, how, and where it goes; any other may start or load something. */
const KNOWN =
  /^-(?:[cSEvswgP]|d[DIMNU]|M{1,2}|M?MD|MP|M[FTQ].*|O\w*|g[\w-]*|W[a-z][\w+-]*(?:=[\w+-]*)?|std=[\w+:]+|[IDULlox].*|f[\w+-]+|f(?:sanitize|visibility|diagnostics-color|stack-limit|tls-model|lto|max-errors|excess-precision|macro-prefix-map|file-prefix-map|debug-prefix-map|abi-version|template-depth|constexpr-depth|openmp|message-length)[\w-]*=.*|m[\w.+-]+(?:=[\w.+-]+)?|p(?:thread|edantic|edantic-errors|ie|ipe|g)?|no-pie|ansi|shared|static[\w-]*|rdynamic|nostd\w+|nodefaultlibs|nostartfiles|include|isystem|iquote|idirafter|isysroot|imacros|dump(?:version|machine|fullversion)|print-[\w-]+(?:=[\w.+-]+)?|Wl,(?:-rpath|-rpath-link|-z|-soname)(?:,|=)[^,@]*|Wl,-{1,2}(?:as-needed|no-as-needed|gc-sections|start-group|end-group|whole-archive|no-whole-archive|export-dynamic|no-undefined|strip-all|strip-debug|build-id|O\d|s|S|E|Bsymbolic|Bstatic|Bdynamic|fatal-warnings|warn-common))$|^--(?:coverage|version|help|target-help|verbose|std=[\w+:]+|sysroot=.*)$/

/** What some of them say that reaches further. */
const FURTHER =
  /^-f(?:plugin|module|dump|profile(?!-arcs$)|opt-info|callgraph|stack-usage|diagnostics-add|diagnostics-format)/

/** What they write beside what they translate. */
const WRITING = /^-(?:[ESco]|M|-coverage|ftest-coverage|fprofile)/

/** Why a call of a compiler is not covered: an option that is not known to be harmless. */
export function compilerProblem(argv: readonly Word[]): string | undefined {
  const found = argv.find(
    (word, index) =>
      index > 0 &&
      word.kind === 'literal' &&
      (/^@/.test(word.value) || (/^-./.test(word.value) && (!KNOWN.test(word.value) || FURTHER.test(word.value)))),
  )
  const isChecked = argv.some((word) => word.kind === 'literal' && word.value === '-fsyntax-only')
  const written = isChecked
    ? argv.slice(1).find((word) => word.kind === 'literal' && WRITING.test(word.value))
    : undefined
  if (written?.kind === 'literal') return `a compiler's ${written.value} writes in spite of -fsyntax-only`
  const other = found ?? strangeOutput(argv)
  if (other === undefined) return undefined
  const name = other.kind === 'literal' ? other.value : 'output'
  return `a compiler's ${name} can run or write more than the rule says`
}

const PLAIN = /^[\w./+:@%,=~-]+$/

/** Text that it writes into files which are no text of a compiler: what stands there may be read by a shell or by make. */
function strangeOutput(argv: readonly Word[]): Word | undefined {
  const values = argv.map((word) => (word.kind === 'literal' ? word.value : ''))
  const isText = values.some((value, index) => /^-(?:E|S|M)/.test(value) || (index === 0 && toolName(value) === 'cpp'))
  // With jobs gcc writes the name into a makefile of its own; a name that is not known may be any.
  const isLinked = values.some((value) => value.startsWith('-flto'))
  const at = values.findIndex((value, index) => {
    const before = values[index - 1] ?? ''
    const [, option = before, own = ''] = /^(-o|-M[FTQ])([\s\S]+)$/.exec(value) ?? []
    const text = own === '' ? value : own
    if (isLinked && option === '-o' && !PLAIN.test(text)) return true
    if (/^-M[TQ]$/.test(option)) return !/^[\w./+%-]*$/.test(text)
    const isOutput = option === '-MF' || (option === '-o' && isText)
    return (
      isOutput &&
      text !== '-' &&
      !/\.(?:d|dep|dd|P|[PT]l?po|[PT]l?o|i|ii|mi|s|S|asm|o|lo|pp|txt)$|^\/dev\/(?:null|stdout)$/.test(text)
    )
  })
  return argv[at]
}
