import { matchesGlob } from '../../lib/text/matchesGlob.ts'

/** Whether a list of names, as in `env.pass`, includes a variable; `*` stands for any characters. */
export function namesVariable(names: readonly string[]): (name: string) => boolean {
  const known = new Set(names)
  const globs = names.filter((name) => name.includes('*'))
  return (name) => known.has(name) || globs.some((glob) => matchesGlob(glob, name))
}
