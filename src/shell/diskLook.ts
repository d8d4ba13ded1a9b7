import { realpathSync } from 'node:fs'
import type { ShellContext, TreeEntry } from './shellContext.ts'
import { type Budget, isOdd, listFolder, walkGlob } from './walkGlob.ts'

/** Directory entries that the globs of a line may lead past, all together. */
const MAX_ENTRIES = 50_000
/** Names that the trees of a line may hold, all together. */
const MAX_NAMES = 200_000
/** Links that the globs of a line may lead through. */
const MAX_LINKS = 2_000

/** The looks at the disk for one line, each bounded for the line as a whole: names alone, nothing is opened. */
export function diskLook(): Pick<ShellContext, 'linksOf' | 'matches' | 'below' | 'tree'> {
  const entries: Budget = { left: MAX_ENTRIES }
  const names: Budget = { left: MAX_NAMES }
  const matched = new Map<string, readonly string[]>()
  const trees = new Map<string, readonly string[] | undefined>()
  const entriesBelow = new Map<string, readonly TreeEntry[] | undefined>()
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
    matches: (folder, glob) => {
      const key = JSON.stringify([folder, glob])
      const known = matched.get(key)
      if (known !== undefined) return known
      const found: string[] = []
      walkGlob(folder, glob, entries, { path: (path) => found.push(path) })
      if (entries.left < 0) return undefined
      matched.set(key, found)
      return found
    },
    below: (folder, glob) => {
      const key = JSON.stringify([folder, glob])
      if (!trees.has(key)) trees.set(key, namesBelow(folder, glob, names))
      return trees.get(key)
    },
    tree: (folder, isFollowing) => {
      const key = JSON.stringify([folder, isFollowing])
      if (!entriesBelow.has(key)) entriesBelow.set(key, treeBelow(folder, isFollowing, names))
      return entriesBelow.get(key)
    },
  }
}

/** All below a folder, each folder behind links once. */
function treeBelow(folder: string, isFollowing: boolean, budget: Budget): readonly TreeEntry[] | undefined {
  const found: TreeEntry[] = []
  const seen = new Set([folder])
  const waiting = [{ path: '', place: folder, isBehind: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { name, isLink, isFolder } of listFolder(next.place, budget)) {
      const path = next.path === '' ? name : `${next.path}/${name}`
      const place = `${next.place === '/' ? '' : next.place}/${name}`
      if (isOdd(name) && (isLink || isFolder)) return undefined
      found.push({ path, isLink, ...(next.isBehind ? { target: place } : {}) })
      const target = isLink && isFollowing ? targetOf(place) : undefined
      if (isFolder) waiting.push({ path, place, isBehind: next.isBehind })
      else if (target !== undefined && !seen.has(target)) {
        seen.add(target)
        waiting.push({ path, place: target, isBehind: true })
      }
    }
    if (budget.left < 0) return undefined
  }
  return budget.left < 0 ? undefined : found
}

/** Where a link leads; undefined where that is nowhere. */
function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link)
  } catch {
    return undefined
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
      if (isOdd(name) && isFolder) return undefined
      const path = `${next === '/' ? '' : next}/${name}`
      found.push(path)
      if (isFolder) waiting.push(path)
    }
    if (budget.left < 0) return undefined
  }
  return budget.left < 0 ? undefined : found
}
