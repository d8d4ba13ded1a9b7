import { matchesGlob } from '../../lib/text/matchesGlob.ts'

/** Whether a list of names, as in `env.pass`, includes a variable; `*` stands for any characters. */
export function namesVariable(names: readonly string[]): (name: string) => boolean {
  return (name) => names.some((glob) => matchesGlob(glob, name))
}
