import { CHANGE_INPUTS } from './inputs/changeInputs.ts'
import { COMMAND_INPUTS } from './inputs/commandInputs.ts'
import type { Input } from './inputs/makeInputs.ts'
import { OTHER_INPUTS } from './inputs/otherInputs.ts'
import { READ_INPUTS } from './inputs/readInputs.ts'
import { SEARCH_INPUTS } from './inputs/searchInputs.ts'

/** One after the other in one conversation: what was read stays read, what was changed stays changed. */
export const INPUTS: readonly Input[] = [
  ...READ_INPUTS,
  ...CHANGE_INPUTS,
  ...COMMAND_INPUTS,
  ...SEARCH_INPUTS,
  ...OTHER_INPUTS,
]
