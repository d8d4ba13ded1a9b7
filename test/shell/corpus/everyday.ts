import { amongLinks, known, knownUnderDeny, more, underDeny } from './everydayPlaces.ts'
import { awk, git, inPlace, looking, npx, outputs, spelled, tools } from './everydayPrograms.ts'
import { braces, compounds, documents, lists, quoting } from './everydayWords.ts'
import type { Everyday } from './row.ts'

/** Lines of ordinary work that the rules of an ordinary project allow. The order decides which lines the oracle generates. */
export const EVERYDAY: readonly Everyday[] = [
  ...[outputs, spelled, inPlace, known, knownUnderDeny, npx, awk, braces, tools, underDeny, more].flat(),
  ...[looking, quoting, lists, compounds, documents, git, amongLinks].flat(),
]
