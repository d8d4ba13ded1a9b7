import { spawnSync } from 'node:child_process'
import type { EffectRow } from './EffectRow.ts'
import { makeProject } from './makeProject.ts'
import { CLEAN_PATH, removeAll, seenChanges, stateOf } from './playEffectRow.ts'

/**
 * What a row's commands do where nothing judges them: a row that says `undone` shows nothing where they change nothing. Empty where
 * they do what the row is about.
 */
export function playRaw(row: EffectRow): readonly string[] {
  if (row.skip !== undefined) return []
  const folders = makeProject(row.files)
  try {
    row.prepare?.(folders)
    const before = stateOf(folders)
    const said = row.messages.flat().map((call) => {
      const input = typeof call === 'string' ? { command: call } : call.input
      return runRaw(String(input['command'] ?? 'true'), folders.base, folders.project)
    })
    const seen = seenChanges(
      row,
      before,
      stateOf(folders),
      row.expected.every(({ end }) => end === 'kept'),
    )
    const expected = row.expected.flatMap(({ changes }) => changes)
    const ends = row.expected.map(({ end }) => end)
    if (ends.includes('any')) return []
    if (ends.every((end) => end === 'kept')) {
      const missing = expected.filter((line) => !seen.includes(line))
      const more = seen.filter((line) => !expected.includes(line))
      return missing.length + more.length === 0 ? [] : [`missing ${missing.join()}, more ${more.join()}`, ...said]
    }
    const harm = seen.filter((line) => !expected.includes(line))
    const names = row.expected.flatMap((each) => each.names)
    const unseen = names.filter((name) => !harm.some((line) => line.includes(name.replace(/\/$/, ''))))
    return harm.length === 0 || unseen.length > 0
      ? [`harms ${harm.join() || 'nothing'}, not ${unseen.join()}`, ...said]
      : []
  } catch (error) {
    return [String(error)]
  } finally {
    removeAll(folders.base)
  }
}

function runRaw(command: string, base: string, project: string): string {
  const words = [
    ...['--die-with-parent', '--ro-bind', '/', '/', '--tmpfs', '/tmp', '--bind', base, base, '--dev', '/dev'],
    ...['--proc', '/proc', '--unshare-pid', '--unshare-net', '--chdir', project, 'bash', '-c', command],
  ]
  const identity = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const env = { PATH: CLEAN_PATH, HOME: `${base}/home`, TMPDIR: `${base}/tmp`, ...identity }
  const { stdout, stderr, status } = spawnSync('bwrap', words, { env, encoding: 'utf8', timeout: 10_000 })
  return `exit ${status}: ${stdout.slice(0, 500)}${stderr.slice(0, 500)}`
}
