import type { CommandLink, FoundFiles, Subject, Word } from '../contracts/subject.ts'
import { endOfExec } from './endOfExec.ts'
import { findShellScript } from './findShellScript.ts'
import { manyOf, partly } from './foundWords.ts'
import { isFreeBuiltin } from './isFreeBuiltin.ts'
import { isReader } from './isReader.ts'
import { isRunner } from './isRunner.ts'
import { otherSpellings } from './otherSpellings.ts'
import { readFind } from './readFind.ts'
import { speltOptions } from './speltOptions.ts'
import { staysIn } from './staysIn.ts'
import { isOnDisk, resolveValue, type Walk } from './walk.ts'
import { findInner, TRANSPARENT, VISIBLE } from './wrappers.ts'
import { foundByXargs, placeholderOf } from './xargsWords.ts'

/** A command and what it runs, from the outside in; `seen` is what only deny looks at: the commands of inline scripts. */
export type Unwrapped = { readonly links: readonly CommandLink[]; readonly seen: readonly Subject[] }

const MAX_DEPTH = 8
const MAX_SUFFIXES = 64
/** Commands of one find. */
const MAX_RUNS = 8

/** The chain of wrappers around a command. Never leaves a link out: what cannot be opened is marked so. */
export function unwrapCommand(argv: readonly Word[], walk: Walk, depth = 0): Unwrapped {
  const name = nameOf(argv)
  if (depth > MAX_DEPTH) return closed(argv, 'too many wrappers around it')
  if (name === undefined)
    return { links: [{ argv, cover: 'never', why: 'its name is known only when it runs', isOpaque: true }], seen: [] }
  if (isFreeBuiltin(argv)) return { links: [{ argv, cover: 'free' }], seen: [] }
  const base = baseName(name)
  const kind = walk.checks.wrapperKind(base)
  if (kind === 'transparent' && name === base) return unwrapTransparent(argv, base, walk, depth)
  if (kind === 'transparent' || kind === 'visible') return unwrapVisible(argv, base, walk, depth)
  if (kind === 'script') return unwrapScript(argv, base, walk)
  if (kind === 'opaque') return closed(argv, `what ${base} runs or changes cannot be seen`)
  return judgeInnermost(argv, base, walk, depth)
}

export function nameOf(argv: readonly Word[]): string | undefined {
  const first = argv[0]
  return first?.kind === 'literal' ? first.value : undefined
}

function closed(argv: readonly Word[], why: string): Unwrapped {
  return { links: [{ argv, cover: 'exact', why, isOpaque: true }], seen: [] }
}

function unwrapTransparent(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const options = TRANSPARENT.get(name) ?? {}
  const start = findInner(argv, options)
  if (start === undefined) return unwrapVisible(argv, name, walk, depth)
  const words = argv.slice(start)
  if (name !== 'xargs') {
    const inner = unwrapCommand(words, walk, depth + 1)
    return { links: [{ argv, cover: 'free' }, ...inner.links], seen: inner.seen }
  }
  const mark = placeholderOf(argv.slice(1, start))
  if (mark === null || (mark !== undefined && nameOf(words)?.includes(mark))) {
    const closedLink = closed(argv, 'xargs runs what it reads').links
    return { links: [...closedLink, ...suffixes(argv)], seen: [] }
  }
  const found = foundByXargs(argv.slice(1, start), walk)
  const given =
    mark === undefined ? [...words, ...manyOf(found)] : words.map((word) => withPlaceholder(word, mark, found))
  const inner = unwrapCommand(given, walk, depth + 1)
  return { links: [{ argv, cover: 'free' }, ...inner.links], seen: inner.seen }
}

function unwrapVisible(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const options = VISIBLE.get(name) ?? TRANSPARENT.get(name) ?? {}
  const outer: CommandLink = {
    argv,
    cover: 'exact',
    why: `${name} changes how its command runs: only an exact rule covers it`,
  }
  if (argv.some((word) => word.kind === 'literal' && isScriptOption(name, word.value))) {
    return { links: [{ ...outer, isOpaque: true }, ...suffixes(argv)], seen: [] }
  }
  const start = findInner(argv, options)
  if (start === undefined) return { links: [{ ...outer, isOpaque: true }, ...suffixes(argv)], seen: [] }
  const inner = unwrapCommand(argv.slice(start), walk, depth + 1)
  const isClosed = inner.links.some((link) => link.isOpaque) || changesPrograms(name, argv.slice(1, start))
  return { links: [isClosed ? { ...outer, isOpaque: true } : outer, ...inner.links.map(onlyForDeny)], seen: inner.seen }
}

/** Options whose value is a script or a command line. */
function isScriptOption(name: string, value: string): boolean {
  if (name === 'env') return /^(?:-[a-z0]*S|--s)/.test(value)
  if (name === 'flock') return /^(?:-\w*c$|--c)/.test(value)
  return name === 'watch' || name === 'sg' || name === 'entr'
}

function changesPrograms(name: string, words: readonly Word[]): boolean {
  return name === 'env' && words.some((word) => word.kind !== 'literal' || word.value.includes('='))
}

/** Every end of the words, where it is not known which one is the command. */
function suffixes(argv: readonly Word[]): CommandLink[] {
  return argv.slice(1, MAX_SUFFIXES).flatMap((_, index) => {
    const words = argv.slice(index + 1)
    return [words, ...otherSpellings(baseName(nameOf(words) ?? ''), words)].map((each) => ({
      argv: each,
      cover: 'free',
    }))
  })
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

function onlyForDeny(link: CommandLink): CommandLink {
  return { argv: link.argv, cover: 'free' }
}

function unwrapScript(argv: readonly Word[], name: string, walk: Walk): Unwrapped {
  const script = findShellScript(name, argv)
  const why = `${name} runs a script: only an exact rule covers it`
  if (script === undefined || walk.findings.scripts <= 0) return closed(argv, why)
  walk.findings.scripts -= 1
  const { subjects, isOpaque } = walk.visit.inline(script, walk)
  const link: CommandLink = { argv, cover: 'exact', why }
  return { links: [isOpaque ? { ...link, isOpaque } : link], seen: subjects }
}

/** What the command is called elsewhere, and what its words may run: only deny looks at it. */
function hints(argv: readonly Word[], name: string, walk: Walk): Unwrapped {
  const spellings = [...otherSpellings(name, argv), ...behindLink(argv, name, walk)].map(
    (words): CommandLink => ({ argv: words, cover: 'free' }),
  )
  if (!isRunner(name, argv)) return { links: spellings, seen: [] }
  const scripts = argv
    .slice(1)
    .flatMap((word) => (word.kind === 'literal' && /\s/.test(word.value) ? [word.value] : []))
  const seen = scripts.flatMap((script) => {
    if (walk.findings.scripts <= 0) return []
    walk.findings.scripts -= 1
    return walk.visit.inline(script, walk).subjects
  })
  return { links: [...spellings, ...suffixes(argv)], seen }
}

/** A program that is named by a path may be a link to another one. */
function behindLink(argv: readonly Word[], name: string, walk: Walk): readonly (readonly Word[])[] {
  const path = nameOf(argv) ?? ''
  if (!path.includes('/')) return []
  const target = baseName(resolveValue(path, walk).resolved)
  return target === name || target === '' ? [] : [[{ kind: 'literal', value: target }, ...argv.slice(1)]]
}

function judgeInnermost(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const plain = name === 'find' && nameOf(argv) === 'find' ? unwrapFind(argv, walk, depth) : undefined
  if (plain) return plain
  const inner =
    name === 'find' || name === 'fd' || name === 'fdfind' ? executed(argv, name, walk, depth) : { links: [], seen: [] }
  const misplaced = walk.checks.placeProblem(argv, walk)
  const [written] = name.startsWith('git-') ? otherSpellings(name, argv) : []
  const [called, words] = written ? ['git', written] : [name, argv]
  const repository = called === 'git' ? walk.checks.remoteProblem(words, (path) => isOnDisk(path, walk)) : undefined
  const problem =
    repository === undefined ? walk.checks.flagProblem(called, words) : { why: repository, isOpaque: true }
  const link: CommandLink = misplaced
    ? { argv, cover: 'never', why: misplaced }
    : problem
      ? {
          argv,
          cover: 'exact',
          why: problem.why,
          ...speltOptions(problem.why, called, words, walk),
        }
      : { argv, cover: 'prefix', staysIn: staysIn(argv, walk) }
  const isClosed = problem?.isOpaque || inner.links.some((each) => each.isOpaque)
  const hinted = hints(argv, name, walk)
  return {
    links: [isClosed ? { ...link, isOpaque: true } : link, ...inner.links.map(onlyForDeny), ...hinted.links],
    seen: [...inner.seen, ...hinted.seen],
  }
}

/** The commands behind `find -exec` and the like, up to `;` or `+`. */
function executed(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const starts = name === 'find' ? /^-(?:exec|execdir|ok|okdir)$/ : /^(?:-[xX]|--exec(?:-batch)?)$/
  const found: Unwrapped[] = []
  for (const [index, word] of argv.entries()) {
    if (word.kind !== 'literal' || !starts.test(word.value) || found.length >= MAX_SUFFIXES) continue
    const words = argv.slice(index + 1, endOfExec(argv, index)).map((each) => withPlaceholder(each, '{}'))
    if (words.length > 0) found.push(unwrapCommand(words, walk, depth + 1))
  }
  // Where it runs is not known, and so it cannot be told what it writes.
  const isWriting = ({ argv: words }: CommandLink): boolean =>
    walk.checks.fileOperands(baseName(nameOf(words) ?? ''), words).some((file) => file.isTarget)
  const links = found.flatMap((each) => each.links)
  return {
    links: links.map((link) => (isWriting(link) ? { ...link, isOpaque: true } : link)),
    seen: found.flatMap((each) => each.seen),
  }
}

function withPlaceholder(word: Word, mark: string, found?: FoundFiles): Word {
  if (word.kind !== 'literal' || !word.value.includes(mark)) return word
  return partly(word.value.split(mark), found)
}

/**
 * A find that runs a plain command, or several that only read: it and each of them need a rule, as in a pipe to xargs. Undefined where it does anything
 * else: also with `-execdir`, which runs it in other folders.
 */
function unwrapFind(argv: readonly Word[], walk: Walk, depth: number): Unwrapped | undefined {
  const starts = [...argv.keys()].filter((index) => isWord(argv[index], /^-exec$/))
  const runs = starts.map((at) => ({ at, end: endOfExec(argv, at) }))
  const isApart = runs.every(({ end }, index) => end < (starts[index + 1] ?? argv.length))
  if (runs.length === 0 || runs.length > MAX_RUNS || !isApart) return undefined
  const links: CommandLink[] = [{ argv, cover: 'prefix', staysIn: staysIn(argv, walk) }]
  const seen: Subject[] = []
  for (const run of runs) {
    const words = argv.slice(run.at + 1, run.end)
    const first = nameOf(words)
    if (first === undefined || first.includes('{}')) return undefined
    if (words.some((word) => word.kind !== 'literal' || word.value === '+')) return undefined
    const others = argv.flatMap((word, index) => {
      const action = runs.find(({ at, end }) => index >= at && index <= end)
      if (action === undefined) return [word]
      return index === action.at ? [{ kind: 'literal', value: action === run ? '-print' : '-true' } as const] : []
    })
    if (walk.checks.flagProblem('find', others) || others.some((word) => isWord(word, /^-(?:exec|ok|files0)/)))
      return undefined
    const found = readFind(others)
    const isMany = isWord(argv[run.end], /^\+$/)
    const given = words.flatMap((word) =>
      isMany && isWord(word, /^\{\}$/) ? manyOf(found) : [withPlaceholder(word, '{}', found)],
    )
    const inner = unwrapCommand(given, { ...walk, input: undefined }, depth + 1)
    // What one of them changes, the next would not find as it was judged.
    if (runs.length > 1 && !isReader(inner.links)) return undefined
    links.push(...inner.links)
    seen.push(...inner.seen)
  }
  return { links, seen }
}

function isWord(word: Word | undefined, text: RegExp): boolean {
  return word?.kind === 'literal' && text.test(word.value)
}
