import type { CommandLink, Subject } from '../../contracts/subject.ts'
import { unfollowed } from '../../files/resolvePath.ts'
import { analyzeCommand } from '../../shell/analyzeCommand.ts'
import { spellWord } from '../../shell/words/quoteWord.ts'
import { describeReason } from '../explain/describeReason.ts'
import { isLinkCovered, wordsOf } from '../matchers/command.ts'
import { type CommandPattern, commandPatternOf, SEPARATOR } from '../matchers/parseCommandPattern.ts'
import type { Policy, Rule } from '../Policy.ts'
import type { Remark } from '../rules/readRules.ts'
import { isProgramRunner, riskOf } from './riskyCommands.ts'

/** Remarks on rules for commands. If the sandbox is required, any command may start. */
export function lintCommandRule({ settings }: Policy, rule: Rule): readonly Remark[] {
  const { tool, list, target } = rule
  const isBoxed = settings.sandbox.mode === 'required'
  const everything = list === 'allow' && !isBoxed ? [EVERYTHING] : []
  if (tool === 'PowerShell' && target.kind === 'bare') return everything
  if (tool !== 'Bash') return []
  if (target.kind === 'bare') return everything
  if (target.kind !== 'command') return []
  const pattern = commandPatternOf(target)
  const port = lintPort(pattern, target.pattern)
  return port.length > 0 ? port : list === 'allow' ? lintAllow(pattern, isBoxed) : lintDeny(pattern, target.pattern)
}

const EVERYTHING: Remark = {
  message:
    'allows every command; only the sandbox and the Edit and Read rules limit what they do, so write `sandbox: { mode: required }`',
}

/** `:*` after a host looks like "any port" but means "more words". */
function lintPort(pattern: CommandPattern, text: string): readonly Remark[] {
  const last = pattern.kind === 'prefix' ? (pattern.words.at(-1) ?? '') : ''
  if (!text.trim().endsWith(':*') || !HOST.test(last)) return []
  const message = `\`:*\` means further words, so ${last}:8080 does not match; write the port`
  return [{ message, edit: `Bash(${text.trim().slice(0, -2)}:8080*)` }]
}

const HOST = /^(?:\w+:\/\/[\w.-]+|localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\])$/i

function lintAllow(pattern: CommandPattern, isBoxed: boolean): readonly Remark[] {
  if (pattern.kind === 'any') return []
  const unmatched = lintUnmatched(pattern)
  if (unmatched.length > 0 || isBoxed) return unmatched
  if (pattern.kind === 'exact') {
    const [name = '', second, ...others] = pattern.words
    const isStdin = others.length === 0 && (second === undefined || second === '-')
    return isStdin && isProgramRunner(name, second) ? [{ message: `${name} runs whatever is piped into it` }] : []
  }
  if (pattern.kind === 'glob') return lintGlob(pattern.segments)
  return [riskOf(pattern.words) ?? []].flat()
}

/** A star that may match the program itself, or a word that controls what the program does. */
function lintGlob(segments: readonly string[]): readonly Remark[] {
  const [start = '', next = ''] = segments
  if (start === '') return [{ message: 'starts with `*`, which is as good as allowing every command' }]
  const fixed = start.split(SEPARATOR)
  if (fixed.length === 1) {
    const message = `also allows every other program whose name starts with \`${start}\``
    return [{ message, ...(next === '' && !start.includes('/') && { edit: `Bash(${start} *)` }) }]
  }
  return fixed.at(-1) === '' ? [riskOf(fixed.slice(0, -1)) ?? []].flat() : []
}

function lintDeny(pattern: CommandPattern, text: string): readonly Remark[] {
  if (pattern.kind === 'any') return []
  const slip = slipOf(text.trim())
  if (slip !== undefined) return [slip]
  const words = wordsOf(pattern)
  const option = words.find((word) => word.startsWith('-'))
  const before = words.slice(0, option === undefined ? undefined : words.indexOf(option))
  const edit = `Bash(${before.join(' ')} *)`
  if (option !== undefined && before.length > 0 && !before.some((word) => word.includes('*'))) {
    return [{ message: `another option with the same effect as \`${option}\` gets around it`, edit }]
  }
  if (pattern.kind === 'exact') return [{ message: 'matches only exactly these words', edit: `Bash(${text.trim()} *)` }]
  return []
}

/** Literal here, but special in other pattern languages. */
function slipOf(text: string): Remark | undefined {
  if (/["']/.test(text)) return undefined
  if (text.endsWith('.*')) {
    const edit = `Bash(${text.replace(/\s*\.\*$/, '')} *)`
    return { message: '`.*` means a dot and what follows it; rules are not regular expressions', edit }
  }
  if (text.endsWith('\\*')) {
    return { message: '`\\*` matches only a literal star', edit: `Bash(${text.slice(0, -2).trimEnd()} *)` }
  }
  if (/[a-z]:$/.test(text))
    return { message: '`:` has a special meaning only before a final `*`', edit: `Bash(${text}*)` }
  if (!/[^\\|]\|[^|]/.test(text)) return undefined
  const edit = text
    .split('|')
    .map((command) => `Bash(${command.trim()})`)
    .join(' and ')
  return { message: '`|` is part of its word; a rule names one command', edit }
}

/** Sample endings for the words of a rule; the rule must cover one of them. */
const ENDINGS: readonly (readonly string[])[] = [['x'], ['x', 'x']]

/** Why an allow rule can never cover a command. It tries sample commands on the real parser. */
function lintUnmatched(pattern: Exclude<CommandPattern, { kind: 'any' }>): readonly Remark[] {
  const words = pattern.kind === 'glob' ? pattern.segments.join('x').split(SEPARATOR) : pattern.words
  const endings = pattern.kind === 'prefix' ? ENDINGS : pattern.kind === 'exact' ? [[]] : [[], ...ENDINGS]
  const found = endings.map((ending) => subjectsOf([...words, ...ending].map(spellWord).join(' ')))
  const [first = []] = found
  const isCovered = (link: CommandLink) => link.cover !== 'none' && isLinkCovered(pattern, link)
  const covers = (subjects: readonly Subject[]) => linksOf(subjects).some(isCovered)
  const isFree = linksOf(first).length > 0 && linksOf(first).every(({ cover }) => cover === 'none')
  if (!isFree && found.some(covers)) return []
  return [remarkOn(words, first)]
}

function remarkOn(words: readonly string[], subjects: readonly Subject[]): Remark {
  const name = words[0] ?? ''
  const links = linksOf(subjects)
  const strict = links.find(({ cover }) => cover === 'exact' || cover === 'never')
  if (strict !== undefined) {
    const why = strict.why === undefined ? '' : ` (${describeReason(strict.why)})`
    return { message: `never matches${why}: only a rule that spells out the whole command allows it` }
  }
  const opaque = subjects.find((subject) => subject.kind === 'opaque')
  if (opaque !== undefined) return { message: `never matches: ${describeReason(opaque.reason)}` }
  if (links.some(({ cover }) => cover === 'wildcard')) {
    return { message: `${name} is not covered by a prefix: the command it runs is judged, and needs a rule of its own` }
  }
  return { message: `never matches and is not needed: ${name} needs no rule` }
}

function linksOf(subjects: readonly Subject[]): readonly CommandLink[] {
  return subjects.flatMap((subject) => (subject.kind === 'command' ? subject.chain : []))
}

function subjectsOf(line: string): readonly Subject[] {
  const resolve = (given: string) => ({ ...unfollowed('/-/x'), given })
  return analyzeCommand(line, { cwd: '/-', root: '/-', home: '/-home', resolve }).subjects
}
