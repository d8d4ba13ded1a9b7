import type { CommandAccess } from '../../contracts/commands.ts'

/** The error for an unknown background command id; it lists the known ones. */
export function unknownCommand(id: string, commands: Pick<CommandAccess, 'listBackground'>): Error {
  const known = commands.listBackground().map((command) => command.id)
  const there = known.length === 0 ? 'None was started.' : `There are: ${known.join(', ')}.`
  return new Error(`There is no background command ${id}. ${there}`)
}
