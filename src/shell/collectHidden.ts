import { type Command, forEachChild, type Redirection, type SyntaxNode, type Word as SyntaxWord } from 'unbash'
import type { CommandLink, Subject, Word } from '../contracts/subject.ts'
import { operandSubject } from './fileOperand.ts'
import { readWord } from './readWord.ts'
import { nameOf, unwrapCommand } from './unwrapCommand.ts'
import { addSubject, resolveValue, type Walk } from './walk.ts'

/** Adds what deny can know of a part that is not judged: its commands and their files, none of them ever allowed. */
export function collectHidden(node: SyntaxNode, walk: Walk): void {
  const quiet: Walk = { ...walk, visit: { ...walk.visit, script: () => '', hidden: () => undefined } }
  collect(node, walk, { ...quiet, findings: { ...walk.findings, subjects: new Map() } })
}

function collect(node: SyntaxNode, walk: Walk, quiet: Walk): void {
  if (node.type === 'Command') addHiddenCommand(node, walk, quiet)
  if (node.type === 'Redirect') addHiddenTarget(node, walk, quiet)
  forEachChild(node, (child) => collect(child, walk, quiet))
}

function addHiddenCommand(command: Command, walk: Walk, quiet: Walk): void {
  const words = [command.name, ...command.args].flatMap((each) => (each?.type === 'Word' ? [each] : []))
  const argv = words.map((each) => wordOf(each, quiet))
  if (nameOf(argv) === undefined) return
  const { links, seen } = unwrapCommand(argv, quiet)
  const chain = links.map(
    (link): CommandLink => ({ ...link, cover: 'never', why: 'it stands in a part that is not judged' }),
  )
  addSubject(walk, { kind: 'command', chain, text: words.map((each) => each.text).join(' ') })
  for (const subject of seen) addSubject(walk, subject)
  if (walk.cwd === undefined) return
  const { cwd } = walk
  for (const file of links.flatMap((link) => walk.checks.fileOperands(nameOf(link.argv) ?? '', link.argv))) {
    addSubject(
      walk,
      operandSubject(file, {
        cwd,
        resolve: (path) => resolveValue(path, { context: walk.context, cwd }),
        disk: walk.context,
      }),
    )
  }
}

function addHiddenTarget(redirect: Extract<Redirection, { type: 'Redirect' }>, walk: Walk, quiet: Walk): void {
  const word = redirect.target && wordOf(redirect.target, quiet)
  if (word?.kind !== 'literal' || walk.cwd === undefined || /&$/.test(redirect.operator)) return
  const path = resolveValue(word.value, walk)
  addSubject(walk, { kind: 'path', access: redirect.operator === '<' ? 'read' : 'write', path, source: 'operand' })
}

/** A word that cannot be read counts as any words at all. */
function wordOf(word: SyntaxWord, quiet: Walk): Word {
  const read = readWord(word, quiet)
  return 'problem' in read ? { kind: 'glob', value: '**' } : read.word
}

/** Subjects as only deny and ask look at them: no command needs a rule, no path an allow. */
export function onlyForDeny(subject: Subject): Subject {
  if (subject.kind === 'path') return { ...subject, source: 'operand' }
  if (subject.kind !== 'command') return subject
  return { ...subject, chain: subject.chain.map(({ argv }) => ({ argv, cover: 'free' })) }
}
