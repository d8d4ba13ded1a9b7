import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word as SyntaxWord } from 'unbash'
import type { CommandLink, Subject, Word } from '../../contracts/subject.ts'
import { onlyForDeny, unwrapCommand } from '../chain/unwrapCommand.ts'
import { readWord } from '../words/readWord.ts'
import { addSubject, newFindings, orOpaque, resolveValue, type Walk } from './Walk.ts'

const HIDDEN = { code: 'hidden' } as const

/** Adds what deny rules check in a part that is not judged: its commands and their targets. None is ever allowed. */
export function collectHidden(node: SyntaxNode, walk: Walk): void {
  const quiet: Walk = {
    ...walk,
    visit: { ...walk.visit, script: () => '', hidden: () => undefined },
    findings: newFindings(),
  }
  const collect = (each: SyntaxNode): void => {
    if (each.type === 'Command') addHiddenCommand(each, walk, quiet)
    if (each.type === 'Redirect') addHiddenTarget(each, walk, quiet)
    forEachChild(each, collect)
  }
  collect(node)
}

/** The commands of a text that is not judged, for deny rules only. */
export function collectInline(text: string, walk: Walk): readonly Subject[] {
  const { findings } = walk
  if (findings.scripts <= 0) return []
  findings.scripts -= 1
  const own: Walk = { ...walk, depth: walk.depth + 1, findings: { ...newFindings(), scripts: findings.scripts } }
  try {
    collectHidden(parse(text), own)
  } catch {
    return []
  }
  findings.scripts = own.findings.scripts
  return [...own.findings.subjects.values()].flatMap((subject): Subject[] =>
    subject.kind === 'command'
      ? [{ ...subject, chain: subject.chain.map(onlyForDeny) }]
      : subject.kind === 'path'
        ? [subject]
        : [],
  )
}

function addHiddenCommand(command: Command, walk: Walk, quiet: Walk): void {
  const words = [command.name, ...command.args].flatMap((each) => (each?.type === 'Word' ? [each] : []))
  if (words.length === 0) return
  const argv = words.map((each) => wordOf(each, quiet))
  const { links, seen, scripts = [] } = unwrapCommand(argv, quiet)
  const chain = links.map((link): CommandLink => ({ ...link, cover: 'never', why: HIDDEN }))
  const text = words.map((each) => each.text).join(' ')
  addSubject(walk, { kind: 'command', chain, text: text.slice(0, 200) })
  for (const subject of [...seen, ...scripts.flatMap(({ text }) => collectInline(text, walk))])
    addSubject(walk, subject)
}

function addHiddenTarget(redirect: Extract<Redirection, { type: 'Redirect' }>, walk: Walk, quiet: Walk): void {
  const word = redirect.target && wordOf(redirect.target, quiet)
  if (word?.kind !== 'literal' || walk.cwd === undefined || /&$/.test(redirect.operator)) return
  const path = resolveValue(word.value, walk)
  addSubject(walk, { kind: 'path', access: redirect.operator === '<' ? 'read' : 'write', path, source: 'operand' })
}

/** A word that cannot be read counts as any number of arbitrary words. */
function wordOf(word: SyntaxWord, quiet: Walk): Word {
  return orOpaque(word, quiet, () => readWord(word, quiet).word) ?? { kind: 'many' }
}
