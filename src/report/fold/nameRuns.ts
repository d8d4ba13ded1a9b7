/**
 * The names of runs, from the paths of their transcripts: the file name, with as many parent folders as needed to
 * distinguish them. If all file names are equal, only the folders. Pure.
 */
export function nameRuns(paths: readonly string[]): readonly string[] {
  const parts = paths.map((path) =>
    path
      .replace(/\.jsonl$/, '')
      .split('/')
      .filter((part) => part !== '' && part !== '.'),
  )
  const files = new Set(parts.map((names) => names.at(-1)))
  const isSameFile = paths.length > 1 && files.size === 1 && parts.every((names) => names.length > 1)
  const kept = isSameFile ? parts.map((names) => names.slice(0, -1)) : parts
  return kept.map((names) => {
    const deepest = names.length
    for (let depth = 1; depth < deepest; depth++) {
      const name = names.slice(-depth).join('/')
      if (kept.filter((other) => other.slice(-depth).join('/') === name).length === 1) return name
    }
    return names.join('/')
  })
}
