import { type OracleRules, openOracle } from '../oracle/openOracle.ts'
import type { EffectRow } from './EffectRow.ts'
import { makeProject } from './makeProject.ts'
import { removeAll, seenChanges, stateOf } from './playEffectRow.ts'

/** Plays the commands of a row as transactions in this process: the second wall alone, no rule about words. What is otherwise. */
export async function playDirect(row: EffectRow): Promise<{ problems: readonly string[]; told: readonly string[] }> {
  const folders = makeProject(row.files)
  try {
    row.prepare?.(folders)
    const before = stateOf(folders)
    const oracle = await openOracle(folders.base, folders.project)
    const told: string[] = []
    const problems: string[] = []
    for (const [index, call] of row.messages.flat().entries()) {
      const command = String(typeof call === 'string' ? call : (call.input['command'] ?? 'true'))
      const isGitAllowed = (row.policy?.allow ?? ['Bash']).some(
        (rule) => rule === 'Bash' || rule.startsWith('Bash(git'),
      )
      const report = await oracle.run(command, rulesOf(row), isGitAllowed)
      told.push(JSON.stringify(report))
      if (typeof report === 'string') {
        problems.push(report)
        continue
      }
      const end = report.undone.length > 0 ? 'undone' : report.leftOut.length > 0 ? 'leftOut' : 'kept'
      const wanted = row.expected[index]?.end ?? 'any'
      const isRight = wanted === 'any' || wanted === end || (wanted === 'stopped' && end !== 'kept')
      if (!isRight && wanted !== 'denied') problems.push(`${end}, not ${wanted}: ${told.at(-1)}`)
    }
    await oracle.close()
    const expected = row.expected.flatMap(({ changes }) => changes)
    const includesGit = expected.some((line) => line.slice(2).startsWith('git:'))
    const seen = seenChanges(row, before, stateOf(folders), includesGit).filter((line) => !/^. \.\.\/own/.test(line))
    problems.push(...seen.filter((line) => !expected.includes(line)).map((line) => `unexpected change: ${line}`))
    problems.push(...expected.filter((line) => !seen.includes(line)).map((line) => `missing change: ${line}`))
    const also = row.also?.(folders)
    return { problems: also === undefined ? problems : [...problems, also], told }
  } catch (error) {
    return { problems: [String(error)], told: [] }
  } finally {
    removeAll(folders.base)
  }
}

/** Only what the rows' rules need: a folder with all in it, everything, a name. */
function rulesOf({ policy }: EffectRow): OracleRules {
  const patterns = (rules: readonly string[] = []) => rules.flatMap((rule) => patternOf(rule))
  return { allow: patterns(policy?.allow ?? ['Edit(src/**)', 'Edit(test/**)']), deny: patterns(policy?.deny) }
}

function patternOf(rule: string): RegExp[] {
  if (rule === 'Edit') return [/^/]
  const pattern = /^Edit\((.*)\)$/.exec(rule)?.[1]
  if (pattern === undefined) return []
  if (pattern === '**') return [/^/]
  const text = pattern
    .replaceAll('.', '\\.')
    .replace(/\/\*\*$/, '/')
    .replace(/^\*\*\//, '(?:^|/)')
  return [new RegExp(text.startsWith('(?:^') ? `${text}$` : `^${text}`)]
}
