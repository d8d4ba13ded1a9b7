/** Whether a list of names, as in `env.pass`, includes a variable; `*` stands for any characters. */
export function namesVariable(names: readonly string[]): (name: string) => boolean {
  const known = new Set(names)
  const globs = names.filter((name) => name.includes('*')).map(globOf)
  return (name) => known.has(name) || globs.some((glob) => glob.test(name))
}

/** Variable names contain no other special characters of patterns. */
function globOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/\W/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
