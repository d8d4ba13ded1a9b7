import type { Word } from '../contracts/subject.ts'
import { isTranslating } from './isTranslating.ts'

/** Variables by which makefiles are commonly told what to build or test; no program looks for them in its environment. */
const COMMON =
  /^(?:V|VERBOSE|DEBUG|Q|CI|N|K|J|JOBS|TESTS?|TEST_?(?:NAME|FILE|FILTER|PATTERN|PATH|DIR|CASE|SUITE|OPTS)|RUN|(?:[A-Z]+_?)?ARGS|(?:(?:PY|C|UNIT)?TEST_?)?FLAGS|FILTER|PATTERN|FILES?|BUILD(?:_?TYPE|_?MODE|_?DIR)?|CONFIG(?:URATION)?|MODE|PROFILE|RELEASE|STATIC|SHARED|ARCH|GOOS|GOARCH|OS|PLATFORM|VERSION|TAG|BRANCH|COMMIT|NAME|PKG|PACKAGE|TARGET|WHAT|COVERAGE|COVER|RACE|ASAN|SAN|SANITIZE|WERROR|OPT|STRICT|FORCE|SEED|COUNT|TIMEOUT|LOG_?LEVEL|PORT|HOST|ENV|STAGE|SERVICE|PREFIX|DESTDIR|NODE_ENV|NO_COLOR|FORCE_COLOR)$/
/** Recipes begin with them. */
const PREFIXES = /^[QV]$/
/** Those of them that hold no path. */
const WORDS = /^(?:RUN|CONFIG(?:URATION)?|PROFILE|ENV|MODE|PLATFORM|SERVICE|STAGE)$/
/** Options of test runners and compilers that load nothing. */
const OPTION =
  /^--?(?:\d+|[a-z]*v+|all|bail|benchmem|ci|color|count|cover|coverage|cov|debug|fail-?fast|features|ff|filter|grep|jobs|lf|maxfail|no-[\w-]+|parallel|quiet|race|release|reporter|run|short|silent|tags|tb|tests?|testNamePattern|timeout|verbose|watch|workers|[jkmnqstx])(?:[=\d].*)?$/
const PLAIN_TEXT = /^[\w\s.,:+@%=/~^-]*$/

/** What make's own rules run, by compilers' own names, and what they hand on, if it only says how to translate. */
const COMPILERS = /^(?:CC|CXX|LD|AR|CPP)=(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar)(?:-\d+)?$/
const OWN_FLAGS = /^(?:C|CXX|CPP|LD|AS|AR|F|FC|L|Y|GO|MAKE|MF|RUST|JAVA|CO|GF|LINT|OBJC)?_?FLAGS$/

/** Why a call of make is not covered: a variable that it hands to programs, or that names one, is not known to be harmless. */
export function makeProblem(argv: readonly Word[]): string | undefined {
  const found = argv.slice(1).find((word) => textsOf(word)?.every(isHarmless) !== true)
  if (found === undefined) return undefined
  if (found.kind !== 'literal') return 'make with a word known only when it runs, which may set a variable'
  return `make with ${found.value}: the variable may decide what runs`
}

/** The texts that a word may be; undefined where it may be another: a file may be called like a command. */
function textsOf(word: Word): readonly string[] | undefined {
  if (word.kind === 'literal') return [word.value]
  if (word.kind === 'glob') return undefined
  if (word.patterns) return word.patterns.some((text) => /[*?[]/.test(text)) ? undefined : word.patterns
  return /^(?:-[jl]|--(?:jobs|load))/.test(word.prefix ?? '') ? [word.prefix ?? ''] : undefined
}

/** A goal stands in the recipes, and a shell reads these; make looks for files by wildcards too. */
const GOAL = /^[\w./+:@%,~^-]*$/

function isHarmless(word: string): boolean {
  // A line end parts two commands of a recipe.
  if (/[\n\r\v\f]/.test(word)) return false
  if (!word.includes('=')) return GOAL.test(word)
  if (word.startsWith('-')) return GOAL.test(word.replace('=', ''))
  const [, name = '', value = ''] = /^([^=\s:+?!]*)[+?:]*=([\s\S]*)$/.exec(word) ?? []
  if (COMPILERS.test(word)) return true
  if (PREFIXES.test(name)) return /^[@\d]*$/.test(value)
  if (OWN_FLAGS.test(name)) return /^(?:C|CXX|CPP|LD)FLAGS$/.test(name) && isTranslating(value)
  if (WORDS.test(name) && value.includes('/')) return false
  if (/(?:^|\/)\.(?:\.(?:\/|$)|[\w-])/.test(value)) return false
  const options = value.split(/\s+/).filter((each) => each.startsWith('-'))
  if (!options.every((each) => OPTION.test(each) || isTranslating(each))) return false
  return COMMON.test(name) && PLAIN_TEXT.test(value) && !/@|-wrapper|-fplugin|-fmodule|-specs/.test(value)
}
