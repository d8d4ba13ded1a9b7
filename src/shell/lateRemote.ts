import type { Subject, Word } from '../contracts/subject.ts'
import { findSubcommand } from './gitProblem.ts'
import { remoteNames } from './remoteProblem.ts'

/** Make folders of what another place or the line itself holds. */
const MAKERS = new Set('mkdir cp mv ln tee dd rsync scp install tar bsdtar unzip cpio 7z patch'.split(' '))
const GIT_MAKERS = new Set(
  'switch restore reset stash merge pull rebase cherry-pick revert am apply clone init worktree submodule mv'.split(
    ' ',
  ),
)

/** A remote in a line that may make a folder of its name: without such a remote git takes the folder. `origin` is one. */
export function lateRemote(subjects: readonly Subject[]): string | undefined {
  const links = subjects.flatMap((subject) => (subject.kind === 'command' ? subject.chain : []))
  const names = links.flatMap(({ argv }) => (nameOf(argv[0]) === 'git' ? remoteNames(argv) : []))
  const name = names.find((each) => each !== 'origin')
  if (name === undefined) return undefined
  // A file may be a bundle
  const isWritten = subjects.some(
    (subject) => subject.kind === 'path' && subject.source === 'redirect' && subject.access === 'write',
  )
  if (isWritten) return name
  const isMade = links.some(({ argv }) => {
    const program = nameOf(argv[0])
    const { subcommand = '', rest } = findSubcommand(argv)
    if (program !== 'git') return program === undefined || MAKERS.has(program)
    const isNew = rest.some((word) => /^-[bB]$/.test(word.kind === 'literal' ? word.value : ''))
    return GIT_MAKERS.has(subcommand) || (subcommand === 'checkout' && !isNew)
  })
  return isMade ? name : undefined
}

function nameOf(word: Word | undefined): string | undefined {
  return word?.kind === 'literal' ? word.value.slice(word.value.lastIndexOf('/') + 1).toLowerCase() : undefined
}
