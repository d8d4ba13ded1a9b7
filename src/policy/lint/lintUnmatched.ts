import type { CommandLink, PathForms, Subject } from '../../contracts/subject.ts'
import { analyzeCommand } from '../../shell/analyzeCommand.ts'
import { describeReason } from '../explain/describeReason.ts'
import { isLinkCovered } from '../matchers/command.ts'
import { type CommandPattern, SEPARATOR } from '../matchers/parseCommandPattern.ts'
import type { Remark } from './lintPolicy.ts'

/** Sample endings for the words of a rule; the rule must cover one of them. */
const ENDINGS: readonly (readonly string[])[] = [['x'], ['x', 'x']]

/** Why an allow rule can never cover a command. It tries sample commands on the real parser. */
export function lintUnmatched(pattern: Exclude<CommandPattern, { kind: 'any' }>): readonly Remark[] {
  const words = pattern.kind === 'glob' ? pattern.segments.join('x').split(SEPARATOR) : pattern.words
  const endings = pattern.kind === 'prefix' ? ENDINGS : pattern.kind === 'exact' ? [[]] : [[], ...ENDINGS]
  const found = endings.map((ending) => subjectsOf([...words, ...ending].map(quotedWord).join(' ')))
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
    const message = `${name} is not covered by a prefix: the command it runs is judged, and needs a rule of its own`
    return { message, edit: 'Bash(npm test)' }
  }
  return { message: `never matches and is not needed: ${name} needs no rule` }
}

function linksOf(subjects: readonly Subject[]): readonly CommandLink[] {
  return subjects.flatMap((subject) => (subject.kind === 'command' ? subject.chain : []))
}

function subjectsOf(line: string): readonly Subject[] {
  const resolve = (given: string): PathForms => ({ given, lexical: '/-/x', resolved: '/-/x', physical: '/-/x' })
  return analyzeCommand(line, { cwd: '/-', root: '/-', home: '/-home', resolve }).subjects
}

function quotedWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
