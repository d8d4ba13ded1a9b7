/**
 * Whether a text fits a glob whose `*` and `?` stand for any character; a bracket counts as any one. In the time of one
 * pass for each star, whatever the glob.
 */
export function fitsGlob(text: string, glob: string): boolean {
  const units = isPlain(text) ? unitsOf(glob) : unitsOf(glob).map((unit) => (unit === '?' ? '*' : unit))
  const characters = [...text]
  let [unit, star, retry] = [0, -1, 0]
  for (let at = 0; at < characters.length; ) {
    if (units[unit] === '*') {
      star = unit
      unit += 1
      retry = at
    } else if (unit < units.length && (units[unit] === '?' || units[unit] === characters[at])) {
      unit += 1
      at += 1
    } else if (star >= 0) {
      unit = star + 1
      retry += 1
      at = retry
    } else return false
  }
  return units.slice(unit).every((rest) => rest === '*')
}

/** What a locale may take for more or fewer characters than we do is not counted. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

const cache = new Map<string, readonly string[]>()

function unitsOf(glob: string): readonly string[] {
  const known = cache.get(glob)
  if (known) return known
  const units = (glob.match(/\[[^\]]+\]|[\s\S]/gu) ?? []).map((unit) =>
    unit.length > 1 && unit.startsWith('[') ? '?' : unit,
  )
  if (cache.size >= 100) cache.clear()
  cache.set(glob, units)
  return units
}
