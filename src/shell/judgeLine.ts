import { parse } from 'unbash'
import type { Subject } from '../contracts/subject.ts'
import type { Checks } from './checks.ts'
import { collectHidden, onlyForDeny } from './collectHidden.ts'
import { lateRemote } from './lateRemote.ts'
import { laterUses } from './laterUses.ts'
import type { ShellAnalysis, ShellContext } from './shellContext.ts'
import { addOpaque, addSubject, isOnDisk, newFindings, type Visitors, type Walk } from './walk.ts'
import { walkScript } from './walkScript.ts'

/** Longer lines are not even looked through for deny: they are refused, whatever is in them. */
const MAX_SCAN = 200_000
const MAX_DEPTH = 8
/** How often the bodies of loops over literal words are walked with their values, all loops together. */
const MAX_ROUNDS = 128

/** What a line touches, asked with these checks; see `analyzeCommand`. */
export function judgeLine(text: string, context: ShellContext, checks: Checks): ShellAnalysis {
  const walk = newWalk(context, checks, 0)
  const refusal = checks.refusalOf(text)
  if (refusal) addOpaque(walk, refusal)
  const canonical = text.length > MAX_SCAN ? '' : walkText(text, walk)
  judgeLaterUses(walk)
  judgeFitted(walk)
  judgeRemotes(walk)
  const { subjects, isOpaque, isReadOnly } = walk.findings
  return { subjects: [...subjects.values()], canonical: isOpaque ? null : canonical, isReadOnly }
}

/** A path that the line itself may have moved: an operand may be any file, a target or a folder is not judged. */
function judgeLaterUses(walk: Walk): void {
  const { uses, places } = walk.findings
  const leading = places.filter((place) => !place.isFolder)
  for (const { path, subject } of laterUses([...uses], leading)) {
    if (subject?.source === 'operand') {
      const { found, matches, ...rest } = subject
      addSubject(walk, { ...rest, glob: '**' })
    } else
      addOpaque(
        walk,
        `\`${path.given}\` may lead elsewhere after what the line does before; use it in a call of its own`,
      )
  }
}

/** Files that a glob or a search means: the disk shows them only as long as nothing before may make more. */
function judgeFitted(walk: Walk): void {
  const { changes, fitted } = walk.findings
  const isLater = fitted.some((use) => changes.some(({ at, command }) => at <= use.at && command !== use.command))
  if (isLater) {
    addOpaque(
      walk,
      'sed -i on a glob, or xargs, beside commands that may make files for it; use it in a call of its own',
    )
  }
}

/** A name of a remote that the line itself may have made a folder. */
function judgeRemotes(walk: Walk): void {
  const { uses, places } = walk.findings
  const name = lateRemote(uses, places, isOnDisk('.git/refs/remotes/origin', walk))
  if (name !== undefined) {
    addOpaque(walk, `the remote \`${name}\` may be a folder after what the line does; use it in a call of its own`)
  }
}

function newWalk(context: ShellContext, checks: Checks, depth: number): Walk {
  const findings = newFindings()
  return {
    context,
    checks,
    findings,
    visit: VISITORS,
    depth,
    variables: new Map(),
    rounds: MAX_ROUNDS,
    cwd: context.cwd,
    moves: 0,
  }
}

/** A parser or a walk that throws (deep nesting overflows the stack) makes the line opaque. */
function walkText(text: string, walk: Walk): string {
  try {
    const canonical = walkScript(parse(text), walk)
    return canonical.trim() === '' && !walk.findings.isOpaque ? addOpaque(walk, 'there is no command in it') : canonical
  } catch (error) {
    return addOpaque(walk, `it cannot be parsed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const VISITORS: Visitors = {
  script: walkScript,
  hidden: collectHidden,
  inline: (text, outer) => {
    if (outer.depth >= MAX_DEPTH) return { subjects: [], isOpaque: true }
    const walk: Walk = { ...newWalk(outer.context, outer.checks, outer.depth + 1), cwd: outer.cwd }
    walk.findings.scripts = outer.findings.scripts
    walkText(text, walk)
    outer.findings.scripts = walk.findings.scripts
    const subjects = [...walk.findings.subjects.values()].filter((subject) => subject.kind !== 'opaque')
    return { subjects: subjects.map(onlyForDeny), isOpaque: walk.findings.isOpaque || subjects.some(isClosed) }
  },
}

/** True for a command that runs what cannot be seen. */
function isClosed(subject: Subject): boolean {
  return subject.kind === 'command' && subject.chain.some((link) => link.isOpaque || link.cover === 'never')
}
