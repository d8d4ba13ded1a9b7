import type { Word } from '../contracts/subject.ts'

/** The module that `python3 -m` runs, and where its arguments start. */
export function pythonModule(argv: readonly Word[]): { readonly module: string; readonly start: number } | undefined {
  const at = argv.findIndex((word) => word.kind === 'literal' && /^-[bBdEhiIOqsSuvVx]*m/.test(word.value))
  const option = argv[at]?.kind === 'literal' ? argv[at].value : ''
  const joined = option.slice(option.indexOf('m') + 1)
  if (at < 0 || joined !== '') return at < 0 ? undefined : { module: joined, start: at + 1 }
  const next = argv[at + 1]
  return next?.kind === 'literal' ? { module: next.value, start: at + 2 } : undefined
}
