import { createPlaceholders } from './createPlaceholders.ts'
import { openClaims } from './openClaims.ts'
import { protectedPlaces } from './planMounts.ts'

/**
 * Removes the placeholders that killed runs left in these folders, and none that another run needs. Before anything is
 * read there: what stands in the place of a configuration is not one.
 */
export function sweepPlaceholders(workspaces: readonly string[]): void {
  const paths = protectedPlaces({ workspaces, survey: { repositories: [], secrets: [] }, isOpened: () => false })
  const placeholders = createPlaceholders(paths)
  if (!placeholders.areLeft()) return
  const claims = openClaims(paths, '')
  claims.give(placeholders.remove)
  claims.close()
}
