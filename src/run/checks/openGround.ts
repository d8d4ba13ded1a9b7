import { join, relative } from 'node:path'
import type { CheckLeftover } from '../../contracts/events.ts'
import { WORKTREE_FOLDER } from '../../git/states/gitWorktree.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { formatCount } from '../../report/words.ts'
import type { Session } from '../Session.ts'

/** What the checks of one attempt stand on. */
export type Ground = {
  /** A home that no command of the run has written, where there is a sandbox or Landlock. */
  readonly home: string | undefined
  readonly environment: Readonly<Record<string, string>>
  /** What commands left that a check may use, and no rule covered. */
  leftovers(): readonly CheckLeftover[]
  /** Removes the ignored files that commands changed, so that they can be made anew. */
  clear(): Promise<void>
  close(): Promise<void>
}

export function openGround({ children, transactions, config, resumed, signal }: Session): Ground {
  const fresh = children.sandbox.freshHome?.()
  const { account, unseen } = transactions
  const { commands } = children
  const files = () =>
    account
      .ignoredFiles()
      .filter(({ path }) => isWithin(path, config.cwd) && !isWithin(path, join(config.cwd, WORKTREE_FOLDER)))
  return {
    home: fresh?.folder,
    environment: fresh?.environment ?? {},
    leftovers: () => [
      ...byFolder(config.cwd, files()),
      ...commands.listBackground().map((command) => ({ what: backgroundWords(command), by: [command.id] })),
      // The account knows this run alone.
      ...(resumed === undefined
        ? []
        : [{ what: 'ignored files, as the resumed run left them', by: [resumed.event.from.run] }]),
      ...(unseen.size === 0 ? [] : [{ what: 'ignored files, unseen without a sandbox', by: [...unseen] }]),
    ],
    async clear() {
      const changed = files().map(({ path }) => path)
      if (changed.length === 0) return
      const done = await commands.run({
        file: 'xargs',
        args: ['-0', 'rm', '-f', '--'],
        cwd: config.cwd,
        input: changed.map((path) => `${path}\0`).join(''),
        effects: { access: 'scratch', mayChangeGit: false, by: 'checks.prepare' },
        timeoutMs: CLEAR_TIMEOUT_MS,
        signal,
      })
      const isKept = done.exitCode !== 0 || done.effects?.undone.length !== 0 || done.effects.unknown !== undefined
      if (!isKept) account.forget(changed)
    },
    close: async () => fresh?.remove(),
  }
}

const CLEAR_TIMEOUT_MS = 60_000

type Background = ReturnType<Session['children']['commands']['listBackground']>[number]

/** It works on the checkout itself, where nobody sees what it does to ignored files. */
function backgroundWords({ command, status }: Background): string {
  return `${status().state === 'running' ? 'what still runs' : 'what ran'} in the background: ${command}`
}

function byFolder(
  root: string,
  files: ReturnType<Session['transactions']['account']['ignoredFiles']>,
): CheckLeftover[] {
  const folders = new Map<string, { count: number; readonly by: Set<string> }>()
  for (const { path, by } of files) {
    const [top = ''] = relative(root, path).split('/')
    const folder = folders.get(top) ?? { count: 0, by: new Set() }
    folder.count++
    for (const id of by) folder.by.add(id)
    folders.set(top, folder)
  }
  return [...folders].map(([top, { count, by }]) => ({
    ...{ what: `${top} (${formatCount(count, 'file')})`, path: top, by: [...by] },
  }))
}
