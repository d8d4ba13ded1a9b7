import type { Word } from '../contracts/subject.ts'

/** Options whose value is the next word. */
const VALUED =
  /^(?:-[SBDUGTACP]|--(?:preset|build|install|target|config|prefix|component|parallel|log-level|workflow)|-[jt])$/

/** Why a call of cmake is not covered: what shows help writes a file behind it, and a folder beside `-S` is the one that counts. */
export function cmakeProblem(argv: readonly Word[]): string | undefined {
  const values = argv.slice(1).map((word) => (word.kind === 'literal' ? word.value : ''))
  const isShown = values.some((value) => /^--(?:version|help)/.test(value)) && argv.length > 2
  if (isShown) return 'cmake with a file for its help writes it'
  if (!values.some((value) => /^-S/.test(value))) return undefined
  const other = values.find((value, index) => !value.startsWith('-') && !VALUED.test(values[index - 1] ?? ''))
  return other === undefined ? undefined : `cmake -S with another folder: ${other}`
}
