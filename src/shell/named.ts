/** Options whole and with `=`, with one dash or two, some with `_` for a dash between; no beginnings of their names. */
export function named(...names: readonly string[]): RegExp {
  return new RegExp(`^--?(?:${names.join('|').replaceAll('-', '[-_]')})(?:=|$)`)
}
