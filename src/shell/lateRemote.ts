import type { Word } from '../contracts/subject.ts'
import { findSubcommand } from './gitProblem.ts'
import type { Made, PathUse } from './laterUses.ts'

/** Make folders of what another place or the line itself holds. */
const MAKERS = new Set('mkdir cp mv ln tee dd rsync scp install tar bsdtar unzip cpio 7z patch'.split(' '))
const GIT_MAKERS = new Set(
  'switch restore reset stash merge pull rebase cherry-pick revert am apply clone init worktree submodule mv'.split(
    ' ',
  ),
)

/** True for a command after which a folder may stand where none was, filled with anything. */
export function makesFolders(argv: readonly Word[]): boolean {
  const [first] = argv
  const name = first?.kind === 'literal' ? first.value.slice(first.value.lastIndexOf('/') + 1).toLowerCase() : undefined
  if (name !== 'git') return name === undefined || MAKERS.has(name)
  const { subcommand = '', rest } = findSubcommand(argv)
  const isNew = rest.some((word) => word.kind === 'literal' && /^-[bB]$/.test(word.value))
  return GIT_MAKERS.has(subcommand) || (subcommand === 'checkout' && !isNew)
}

/**
 * A remote that the line may have made a folder or a bundle of its name for: git takes it where there is no such remote.
 * `hasOrigin` says that the repository knows branches of origin, so that it is one.
 */
export function lateRemote(uses: readonly PathUse[], places: readonly Made[], hasOrigin: boolean): string | undefined {
  const written = uses.flatMap(({ subject }) =>
    subject?.source === 'redirect' && subject.access === 'write' ? [subject.path.lexical] : [],
  )
  const late = uses.find(
    ({ remote, path, at, command }) =>
      remote !== undefined &&
      !(remote === 'origin' && hasOrigin) &&
      (places.some((place) => place.isFolder && place.at <= at && place.command !== command) ||
        written.some((each) => each === path.lexical || each === `${path.lexical}.bundle`)),
  )
  return late?.remote
}
