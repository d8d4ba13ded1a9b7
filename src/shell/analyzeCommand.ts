import { isDeepStrictEqual } from 'node:util'
import type { Reason } from '../contracts/reason.ts'
import type { PathForms } from '../contracts/subject.ts'
import { literalWord } from './programs/literalWord.ts'
import { collectHidden, collectInline } from './walk/collectHidden.ts'
import {
  addSubject,
  newFindings,
  noteOpaquePart,
  type ShellAnalysis,
  type ShellContext,
  type Visitors,
  type Walk,
} from './walk/Walk.ts'
import { walkScript, walkText } from './walk/walkScript.ts'

export type { ShellAnalysis, ShellContext } from './walk/Walk.ts'

/** A longer line is refused unread: not even deny rules are checked against it. */
const MAX_SCAN = 200_000
/** How often loop bodies over literal words are walked with their values, for all loops together. */
const MAX_ROUNDS = 128

type Asked = { readonly question: Parameters<ShellContext['resolve']>; readonly answer: PathForms }
type Known = { readonly asked: readonly Asked[]; readonly analysis: ShellAnalysis }

/** Of as many lines as a message usually has. */
const MOST_KNOWN = 32
const recent = new Map<string, Known>()

/**
 * What a Bash line touches, and the canonical text to execute. Pure except for `resolve`; never throws. A call asks for
 * its line about ten times: it is read again only if a path in it means something else by then.
 */
export function analyzeCommand(text: string, context: ShellContext): ShellAnalysis {
  const key = JSON.stringify([text, context.cwd, context.root, context.home])
  const known = recent.get(key)
  if (known?.asked.every(({ question, answer }) => isDeepStrictEqual(context.resolve(...question), answer)))
    return known.analysis
  const asked: Asked[] = []
  const resolve: ShellContext['resolve'] = (...question) => {
    const answer = context.resolve(...question)
    asked.push({ question, answer })
    return answer
  }
  const analysis = analyze(text, { ...context, resolve })
  recent.delete(key)
  recent.set(key, { asked, analysis })
  const [oldest] = recent.keys()
  if (recent.size > MOST_KNOWN && oldest !== undefined) recent.delete(oldest)
  return analysis
}

function analyze(text: string, context: ShellContext): ShellAnalysis {
  const walk = newWalk(context)
  const { findings } = walk
  const refusal = refusalOf(text)
  if (refusal) noteOpaquePart(walk, refusal, undefined, true)
  const canonical = text.length > MAX_SCAN ? '' : walkText(text, walk)
  if (findings.subjects.size === 0) {
    const words = [literalWord(':')]
    if (canonical === '') noteOpaquePart(walk, { code: 'noCommand' })
    else addSubject(walk, { kind: 'command', chain: [{ argv: words, cover: 'none' }], text: text.trim().slice(0, 200) })
  }
  return {
    subjects: [...findings.subjects.values()],
    canonical: findings.canRebuild ? canonical : null,
    isReadOnly: findings.isReadOnly,
    startsGit: findings.startsGit,
  }
}

function newWalk(context: ShellContext): Walk {
  return {
    context,
    findings: newFindings(),
    visit: VISITORS,
    depth: 0,
    isPosix: false,
    facts: { isAssignedOnce: () => false, isNumeric: () => false, isArray: () => false, isMoving: () => false },
    variables: new Map(),
    functions: new Set(),
    rounds: MAX_ROUNDS,
    cwd: context.cwd,
    moves: 0,
  }
}

const VISITORS: Visitors = { script: walkScript, text: walkText, hidden: collectHidden, inline: collectInline }

/** Longer lines are not judged; an agent that needs one writes a script file. */
const MAX_LENGTH = 10_000

/** Why a line is not judged at all; undefined if it can be. */
function refusalOf(text: string): Reason | undefined {
  if (text.trim() === '') return { code: 'emptyLine' }
  if (text.length > MAX_LENGTH) return { code: 'longLine', most: MAX_LENGTH }
  if (/[^\P{Cc}\t\n]/u.test(text)) return { code: 'controlCharacter' }
  if (/\p{Cs}/u.test(text)) return { code: 'brokenUnicode' }
  // Bash reads the `#` as part of the word; a parser may read it as a comment.
  if (/[<>]\(/.test(text) && /\)#/.test(text)) return { code: 'hashAfterParenthesis' }
  return undefined
}
