/**
 * The names that `grep -r --include=` looks at; none beside `--exclude=`, for then what fits neither may be searched too
 * (it is, where the first of them is an `--exclude`).
 */
export function includedNames(options: readonly string[]): readonly string[] {
  if (options.some((option) => /^--excl?u?d?e?(?:=|$)|^--exclude-f/.test(option))) return []
  return options.flatMap((option) => /^--incl?u?d?e?=([\s\S]+)$/.exec(option)?.[1] ?? [])
}
