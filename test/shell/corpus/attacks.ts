import { nodes, options, redirects, refused, words } from './attackLines.ts'
import { matching, renamed } from './attackNames.ts'
import { flags, moreFlags, operands } from './attackOptions.ts'
import { assignments, directory, functions, posix, running, variables } from './attackState.ts'
import { wrapperOptions, wrappers } from './attackWrappers.ts'
import { PLACES } from './places.ts'
import { READS } from './reads.ts'
import { REVIEW } from './review.ts'
import type { Attack } from './row.ts'

/** Lines that do something which no rule allows, by what hides it. The order decides which lines the oracle generates. */
export const ATTACKS: readonly Attack[] = [
  ...[refused, nodes, words, options, redirects, variables, directory, assignments].flat(),
  ...[
    wrappers,
    wrapperOptions,
    matching,
    flags,
    moreFlags,
    renamed,
    operands,
    READS,
    REVIEW,
    PLACES,
    functions,
    running,
    posix,
  ].flat(),
]
