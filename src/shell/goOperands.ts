import type { Word } from '../contracts/subject.ts'
import type { FileOperand } from './fileOperand.ts'

/** The options of `go` that name a file it writes, with one dash or two, the file in the same word or in the next. */
const OUTPUT = /^--?(?:test\.)?(?:o|(?:cover|cpu|mem|block|mutex)profile)(?:=([\s\S]*))?$/

/** What `go build -o` and the profiles of `go test` write: a rule must allow it, as with a redirect. */
export function goOperands(argv: readonly Word[]): readonly FileOperand[] {
  return outputsOf(argv).flatMap(({ path, output }): FileOperand[] =>
    path === undefined ? [] : [{ access: 'write', path, isPattern: false, isTarget: true, output }],
  )
}

/** An output of which the place is not told by its word: behind `-C`, `-outputdir` and `-args` it is another. */
export function goProblem(argv: readonly Word[]): string | undefined {
  return outputsOf(argv).some(({ path }) => path === undefined)
    ? 'go can write more than the rule says: where is not known'
    : undefined
}

/** An option with the words that name it, and the file if its place is known. */
type Output = { readonly path: string | undefined; readonly output: readonly string[] }

function outputsOf(argv: readonly Word[]): readonly Output[] {
  const isElsewhere = argv.some(
    (word) => word.kind === 'literal' && /^--?(?:C|args|(?:test\.)?outputdir)(?:=|$)/.test(word.value),
  )
  return argv.flatMap((word, index) => {
    const [found, value] = OUTPUT.exec(word.kind === 'literal' ? word.value : '') ?? []
    if (found === undefined) return []
    const next = argv[index + 1]
    const path = value ?? (next?.kind === 'literal' ? next.value : '')
    const isLost = path === '' || path.endsWith('/') || (isElsewhere && !path.startsWith('/'))
    const output = word.kind === 'literal' ? [word.value, ...(value === undefined ? [path] : [])] : []
    return [{ path: isLost ? undefined : path, output }]
  })
}
