import type { ShellContext } from './shellContext.ts'
import { type Budget, listFolder, walkGlob } from './walkGlob.ts'

/** Directory entries that the globs of a line may lead past, all together. */
const MAX_ENTRIES = 50_000
/** Names that the trees of a line may hold, all together. */
const MAX_NAMES = 200_000
/** Links that the globs of a line may lead through. */
const MAX_LINKS = 2_000

/** The looks at the disk for one line, each bounded for the line as a whole: names alone, nothing is opened. */
export function diskLook(): Pick<ShellContext, 'linksOf' | 'below'> {
  const entries: Budget = { left: MAX_ENTRIES }
  const names: Budget = { left: MAX_NAMES }
  const trees = new Map<string, readonly string[] | undefined>()
  let links = 0
  return {
    linksOf: (folder, glob) => {
      const found: { link: string; rest: string }[] = []
      walkGlob(folder, glob, entries, {
        link: (link, rest) => {
          links += 1
          if (links <= MAX_LINKS) found.push({ link, rest })
        },
      })
      return entries.left < 0 || links > MAX_LINKS ? undefined : found
    },
    below: (folder, glob) => {
      const key = JSON.stringify([folder, glob])
      if (!trees.has(key)) trees.set(key, namesBelow(folder, glob, names))
      return trees.get(key)
    },
  }
}

function namesBelow(folder: string, glob: string | undefined, budget: Budget): readonly string[] | undefined {
  const found: string[] = []
  const waiting: string[] = []
  if (glob === undefined) waiting.push(folder)
  else
    walkGlob(folder, glob, budget, {
      path: (path, isFolder) => {
        found.push(path)
        if (isFolder) waiting.push(path)
      },
    })
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { name, isFolder } of listFolder(next, budget)) {
      const path = `${next === '/' ? '' : next}/${name}`
      found.push(path)
      if (isFolder) waiting.push(path)
    }
    if (budget.left < 0) return undefined
  }
  return budget.left < 0 ? undefined : found
}
