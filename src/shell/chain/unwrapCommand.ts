import type { CommandLink, Subject, Word } from '../../contracts/subject.ts'
import { programName } from '../../lib/text/programName.ts'
import { acceptsDoubleDash, type FoundStart, findStart, isInterpreter } from '../programs/findStart.ts'
import { isRunner } from '../programs/isRunner.ts'
import { startOf, textOf } from '../programs/literalWord.ts'
import { otherSpellings } from '../programs/otherSpellings.ts'
import {
  CONTEXT_WRAPPERS,
  findInner,
  HIDDEN_COMMAND_RUNNERS,
  isContextWrapper,
  SHELLS,
  SOURCES,
  TRANSPARENT_WRAPPERS,
} from '../programs/wrappers.ts'
import { assignmentProblem } from '../walk/assignmentProblem.ts'
import { resolveValue, type Walk } from '../walk/Walk.ts'
import { builtinLink } from './builtinLink.ts'
import { endOfExec, execStarts, foundPrefix, placeholderOf, withPlaceholder } from './findExec.ts'
import { findShellScript, type ShellScript } from './findShellScript.ts'

/** A command and what it runs, from the outside in. */
export type Unwrapped = {
  readonly links: readonly CommandLink[]
  /** For deny rules only: the commands of scripts in its words. */
  readonly seen: readonly Subject[]
  /** Scripts among its words that are judged like the line itself, with the index of the word in the whole command. */
  readonly scripts?: readonly ShellScript[]
}

const MAX_DEPTH = 8
const MAX_SUFFIXES = 64

/** The chain of wrappers around a command, `depth` programs deep. Never omits a link: it marks what it cannot open. */
export function unwrapCommand(argv: readonly Word[], outside: Walk, depth = 0): Unwrapped {
  const first = argv[0]
  if (first?.kind !== 'literal') return { links: [unknownName(argv)], seen: [] }
  const name = first.value
  const base = programName(name)
  if (depth > MAX_DEPTH) return closed(argv, base)
  if (outside.functions.has(name)) return { links: [{ argv, cover: 'none' }], seen: [] }
  // What a program or `command` starts is never a function.
  const walk: Walk = { ...outside, functions: new Set() }
  const builtin = builtinLink(argv)
  if (builtin) return { links: [builtin], seen: [] }
  if (TRANSPARENT_WRAPPERS.has(base))
    return name === base ? unwrapTransparent(argv, base, walk, depth) : unwrapChanger(argv, base, walk, depth)
  if (SHELLS.has(base) || SOURCES.has(name) || (name === 'eval' && depth === 0))
    return unwrapShell(argv, SOURCES.has(name) ? name : base, walk, depth)
  if (isContextWrapper(base)) return unwrapChanger(argv, base, walk, depth)
  if (HIDDEN_COMMAND_RUNNERS.has(base)) return closed(argv, base)
  return unwrapProgram(argv, base, walk, depth)
}

function unknownName(argv: readonly Word[]): CommandLink {
  return { argv, cover: 'never', isUnseen: true, why: { code: 'unknownCommand', text: '' } }
}

/** Its words do not show what it runs. */
function closed(argv: readonly Word[], program: string): Unwrapped {
  return { links: [{ argv, cover: 'exact', isUnseen: true, why: { code: 'unseenCommands', program } }], seen: [] }
}

function unwrapTransparent(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const options = TRANSPARENT_WRAPPERS.get(name) ?? {}
  // Without a command, xargs runs echo, env prints, and the others do nothing.
  if (argv.length === 1 || findInner([...argv, { kind: 'many' }], options) === argv.length)
    return { links: [{ argv, cover: /^(?:env|xargs)$/.test(name) ? 'wildcard' : 'none' }], seen: [] }
  const start = findInner(argv, options)
  const own = argv.slice(1, start)
  if (start === undefined || own.some(isSteering)) return unwrapChanger(argv, name, walk, depth)
  const words = argv.slice(start)
  const outer: CommandLink = { argv, cover: 'none' }
  if (name !== 'xargs') {
    const inner = unwrapCommand(words, walk, /^(?:command|builtin)$/.test(name) ? depth : depth + 1)
    return { ...inner, links: [outer, ...inner.links], ...shifted(inner, start) }
  }
  const { mark, isAppending } = placeholderOf(own.map(textOf), options)
  if (mark !== undefined && textOf(words[0]).includes(mark)) {
    return { links: [...closed(argv, 'xargs').links, ...suffixes(argv)], seen: [] }
  }
  const placed = mark === undefined ? words : words.map((word) => withPlaceholder(word, mark))
  const given = isAppending ? [...placed, { kind: 'many' } as const] : placed
  const inner = unwrapCommand(given, walk, depth + 1)
  return { ...inner, links: [outer, ...inner.links], ...shifted(inner, start) }
}

function shifted({ scripts = [] }: Unwrapped, by: number): Required<Pick<Unwrapped, 'scripts'>> {
  return { scripts: scripts.map((script) => ({ ...script, index: script.index + by })) }
}

/** `A=b` before a command, for a variable that controls what runs. */
function isSteering(word: Word): boolean {
  return assignmentProblem(/^([A-Za-z_]\w*)=/.exec(startOf(word))?.[1] ?? '') !== undefined
}

function unwrapChanger(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const start = findInner(argv, CONTEXT_WRAPPERS.get(name) ?? TRANSPARENT_WRAPPERS.get(name) ?? {})
  const isOpen = start === undefined || argv.some((word) => isScriptOption(name, textOf(word)))
  const isUnseen = HIDDEN_COMMAND_RUNNERS.has(name) || (isOpen && argv.length > MAX_SUFFIXES)
  const why = { code: 'changesHow', program: name } as const
  const outer: CommandLink = { argv, cover: 'exact', why, ...(isUnseen ? { isUnseen } : {}) }
  if (isOpen) return { links: [outer, ...suffixes(argv)], seen: scriptsIn(argv, name, walk) }
  const inner = unwrapCommand(argv.slice(start), walk, depth + 1)
  const scripts = (inner.scripts ?? []).flatMap(({ text }) => walk.visit.inline(text, walk))
  return { links: [outer, ...inner.links.map(onlyForDeny)], seen: [...inner.seen, ...scripts] }
}

/** Options whose value is a script or a command line. */
function isScriptOption(name: string, value: string): boolean {
  if (name === 'env') return /^(?:-[a-z0]*S|--s)/.test(value)
  return name === 'flock' && /^(?:-\w*c$|--c)/.test(value)
}

/** Every suffix of the words, when it is unknown where the command starts. */
function suffixes(argv: readonly Word[]): CommandLink[] {
  // `npx eslint -- "$x"`: a file follows.
  const isKnown = acceptsDoubleDash(programName(textOf(argv[1])))
  return argv.slice(1, MAX_SUFFIXES).flatMap((first, index) => {
    const words = argv.slice(index + 1)
    // A word that is unknown until run time counts as a program where one is expected.
    const before = textOf(argv[index])
    const isAwaited = index === 0 || (/^(?:-.*|run|exec|x|dlx|debug)$/.test(before) && !(isKnown && before === '--'))
    if (first.kind !== 'literal' && !(isAwaited && first.kind !== 'glob')) return []
    return [words, ...otherSpellings(programName(textOf(words[0])), words)].map(
      (each): CommandLink => ({ argv: each, cover: 'none' }),
    )
  })
}

/** Words that are or look like a command line: deny rules are checked against them. */
function scriptsIn(argv: readonly Word[], name: string, walk: Walk): readonly Subject[] {
  return argv.flatMap((word) => {
    const text = textOf(word)
    const glued = isScriptOption(name, text) ? /^(?:-\w*?[Sc]|--[\w-]+=)(.+)/s.exec(text)?.[1] : undefined
    // To env, `\_` and the like are spaces.
    const scripts = glued === undefined ? [] : [glued.replace(/\\[_fnrtv]/g, ' ')]
    return [...scripts, ...(/\s/.test(text) ? [text] : [])].flatMap((script) => walk.visit.inline(script, walk))
  })
}

/** A link that needs no rule. What it runs stays in the chain. */
export function onlyForDeny({ argv, isUnseen }: CommandLink): CommandLink {
  return { argv, cover: 'none', ...(isUnseen ? { isUnseen } : {}) }
}

function unwrapShell(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const found = findShellScript(name, argv)
  if (found === 'file') return unwrapProgram(argv, name, walk, depth)
  if (found === 'unseen') return closed(argv, name)
  if (found === 'output')
    return { links: [{ argv, cover: 'exact', why: { code: 'unseenCommands', program: name } }], seen: [] }
  if (found.isPlain) return { links: [{ argv, cover: 'none' }], seen: [], scripts: [found] }
  const link: CommandLink = { argv, cover: 'exact', why: { code: 'changesHow', program: name } }
  return { links: [link], seen: walk.visit.inline(found.text, walk) }
}

function unwrapProgram(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const inner = runsOf(argv, name, walk, depth)
  const spellings = [...otherSpellings(name, argv), ...behindLink(argv, name, walk)]
  const runner = isRunner(name, argv) || SHELLS.has(name)
  const links = [
    programLink(argv, name),
    ...inner.links,
    ...spellings.map((words): CommandLink => ({ argv: words, cover: 'none' })),
    ...(runner ? suffixes(argv).filter(({ argv: [first] }) => first?.kind === 'literal' || !SHELLS.has(name)) : []),
    ...sourcedFile(argv, name),
  ]
  return { ...inner, links, seen: [...inner.seen, ...(runner ? scriptsIn(argv, name, walk) : [])] }
}

/** `. ./deploy.sh` runs what a rule for `./deploy.sh` means. */
function sourcedFile(argv: readonly Word[], name: string): CommandLink[] {
  return SOURCES.has(name) && argv[1]?.kind === 'literal' ? [{ argv: argv.slice(1), cover: 'none' }] : []
}

/** What it runs is in a file, or in the output of a program. */
function isShell(name: string): boolean {
  return SHELLS.has(name) || SOURCES.has(name)
}

/** The command itself. Its kind of rule depends on whether its words start something. */
export function programLink(argv: readonly Word[], name: string): CommandLink {
  const written = name.startsWith('git-') ? otherSpellings(name, argv)[0] : undefined
  const found = written ? findStart('git', written) : joined(findStart(name, argv), startOfRun(argv, name))
  const interpreter = isInterpreter(name) || isShell(name) ? { isInterpreter: true as const } : {}
  if (found === undefined) return { argv, cover: 'wildcard', ...interpreter }
  const word = found.unknown
  if (word) {
    const why = { code: 'mayBeOption', program: name, word: startOf(word) } as const
    return { argv, cover: 'exact', why, ...interpreter }
  }
  const words = found.words ?? []
  const why = { code: 'starts', program: name, words: words.join(' ') } as const
  return { argv, cover: 'exact', why, ...(words.length > 0 ? { spelled: words } : {}), ...interpreter }
}

/** What both find: `python -m pytest -p x`. */
function joined(own: FoundStart | undefined, run: FoundStart | undefined): FoundStart | undefined {
  if (!own?.words || !run) return own ?? run
  return run.words ? { words: [...new Set([...own.words, ...run.words])] } : run
}

/** The same for a program that another one runs: `npx eslint --rulesdir x`. */
function startOfRun(argv: readonly Word[], name: string): FoundStart | undefined {
  // They also run a program without a word such as `exec`, and keep the first `--` for themselves.
  const isPackager = /^(?:npm|pnpm|yarn|bun)$/.test(name)
  if (!isPackager && !isRunner(name, argv)) return undefined
  const given = isPackager ? argv.filter((word) => textOf(word) !== '--') : argv
  const found = given.slice(1, MAX_SUFFIXES).flatMap((first, index) => {
    const start = findStart(programName(textOf(first)), given.slice(index + 1))
    return start ? [start] : []
  })
  return found.find(({ words }) => words) ?? found[0]
}

/** A program named by a path may be a link to another one. */
function behindLink(argv: readonly Word[], name: string, walk: Walk): readonly (readonly Word[])[] {
  const path = textOf(argv[0])
  if (!path.includes('/')) return []
  const target = programName(resolveValue(path, walk).resolved)
  return target === name || target === '' ? [] : [[{ kind: 'literal', value: target }, ...argv.slice(1)]]
}

/** The commands of `find -exec` and the like: each needs its own rule. */
function runsOf(argv: readonly Word[], name: string, walk: Walk, depth: number): Unwrapped {
  const links: CommandLink[] = []
  const seen: Subject[] = []
  const scripts: ShellScript[] = []
  for (const start of execStarts(name, argv)) {
    const words = argv.slice(start + 1, endOfExec(argv, start))
    if (words.length === 0) continue
    if (walk.findings.scripts <= 0) {
      links.push(...closed(words, name).links)
      break
    }
    walk.findings.scripts -= 1
    const given = words.map((word) => withPlaceholder(word, '{}', foundPrefix(argv, start)))
    const inner = unwrapCommand(given, walk, depth + 1)
    links.push(...inner.links)
    seen.push(...inner.seen)
    scripts.push(...shifted(inner, start + 1).scripts)
  }
  return { links, seen, scripts }
}
