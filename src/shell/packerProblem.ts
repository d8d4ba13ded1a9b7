import type { Word } from '../contracts/subject.ts'

/** Options by which a packer only looks at an archive. */
const LOOKING = /^-[a-zA-Z\d]*[tl]|^--(?:test|list)$/
/** What may stand beside them. */
const HARMLESS = /^-(?:[tlvqT\d]+|-(?:test|list|verbose|quiet|robot|no-warn)|-threads=\d+)$/

/** Why `xz -t *` and its like do not cover a call: of two modes most packers take the last. */
export function packerProblem(argv: readonly Word[]): string | undefined {
  const options = argv
    .slice(1)
    .flatMap((word) => (word.kind === 'literal' && /^-./.test(word.value) ? [word.value] : []))
  if (!options.some((option) => LOOKING.test(option))) return undefined
  const other = options.find((option) => !HARMLESS.test(option))
  return other && `a packer's ${other} beside an option that only looks`
}
