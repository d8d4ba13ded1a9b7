import { visibleName } from '../text/visibleName.ts'
import { shortPath } from './shortPath.ts'

/** A path for people and the model: short, and on one line whatever is in its names. Pure. */
export function displayPath(path: string, cwd: string): string {
  return visibleName(shortPath(path, cwd))
}
