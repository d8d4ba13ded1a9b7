import { chmodSync, lstatSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PathChange } from '../../contracts/effects.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { differingEntries, type GitIndex, parseGitIndex } from '../../git/repository/gitIndex.ts'
import { temporaryName } from '../../lib/fs/ownedFolder.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import type { PathStates } from '../judge/JudgeChanges.ts'

const NONE: GitIndex = { entries: [], plain: () => Buffer.alloc(0) }

/** The changes in the index, entry by entry. */
export function indexChanges({ oidBytes }: CheckoutRepository, changes: readonly PathChange[], states: PathStates) {
  const compared = changes.map(({ path, kind }) => {
    const old = readRegular(states.before(path))
    const before = old === undefined ? NONE : parseGitIndex(old, oidBytes)
    const now = kind === 'deleted' ? NONE : indexAt(states.now(path), oidBytes)
    return { path, now, paths: before && now && differingEntries(before, now) }
  })
  const changed = compared.filter(({ paths }) => paths === undefined || paths.length > 0)
  return {
    /** Rewritten with the same entries, as `git status` does. */
    unchanged: compared.filter(({ paths }) => paths?.length === 0).map(({ path }) => path),
    changed: changed.map(({ path }) => path),
    /** It cannot be compared. */
    damaged: compared.find(({ paths }) => paths === undefined)?.path,
    /** The paths whose entries differ, in their new state. */
    brought: compared.flatMap(({ paths = [] }) =>
      paths.flatMap(([path, entries]) =>
        entries.length === 0
          ? [{ path, mode: '000000', oid: '' }]
          : entries.map(({ mode, oid }) => ({ path, mode, oid })),
      ),
    ),
    /** Removes everything from a new index that could replace its entries. */
    strip(path: string) {
      const index = compared.find((each) => each.path === path)?.now
      if (index === undefined || index === NONE) return
      const content = index.plain()
      replace(states.now(path), content)
      states.rewrote?.(path, content)
    },
  }
}

function indexAt(path: string | undefined, oidBytes: number): GitIndex | undefined {
  const bytes = readRegular(path)
  return bytes && parseGitIndex(bytes, oidBytes)
}

function replace(path: string, bytes: Buffer): void {
  const temporary = join(dirname(path), temporaryName())
  writeFileSync(temporary, bytes, { flag: 'wx' })
  chmodSync(temporary, lstatSync(path).mode & 0o777)
  renameSync(temporary, path)
}

/** True for the index of a repository inside the checkout, rewritten with the same entries as by `git status`. */
export function isRefreshedIndex({ path, kind }: PathChange, states: PathStates): boolean {
  if (kind !== 'modified' || !/\/\.git\/(?:.*\/)?index$/.test(path)) return false
  return [20, 32].some((oidBytes) => {
    const [before, now] = [indexAt(states.before(path), oidBytes), indexAt(states.now(path), oidBytes)]
    return before !== undefined && now !== undefined && differingEntries(before, now).length === 0
  })
}
