import type { Word } from '../contracts/subject.ts'

/** A package that is a folder, an archive or a repository. */
const PLACE = /^(?:\.\.|~|[a-z+]+:)|\/|@ |\.(?:whl|zip|tar(?:\.\w+)?|tgz)$/i
/** The project itself, perhaps with extras. */
const OWN = /^\.?\/?\.(?:\[[\w,-]+\])?\/?$/
const EDITABLE = /^(?:-[a-zA-Z]*e|--ed[a-z]*)$/
const LIST = /^(?:-[rc]|--(?:requirement|constraint))$/
/** What a list of constraints names by an address is taken for what is asked for. */
const CONSTRAINTS = /^(?:-c|--constraint(?:=|$))/

/** Why a call of pip is not covered: it builds a package from a place where anyone may have put its code. */
export function pipProblem(argv: readonly Word[]): string | undefined {
  const values = argv.slice(1).map((word) => (word.kind === 'dynamic' ? (word.prefix ?? '') : word.value))
  const at = values.findIndex((value) => !value.startsWith('-'))
  if (values[at] === 'config' && !/^(?:list|get|debug)$/.test(values[at + 1] ?? ''))
    return 'pip config may write settings'
  if (values[at] === 'lock' && values.some((value) => /^-[a-z]*o|^--o/.test(value))) return 'pip lock writes a file'
  if (!values.some((value) => /^(?:install|download|wheel)$/.test(value))) return undefined
  const elsewhere = values.find((value, index) =>
    /\//.test(CONSTRAINTS.test(values[index - 1] ?? '') || CONSTRAINTS.test(value) ? value : ''),
  )
  if (elsewhere !== undefined) return `pip with constraints from ${elsewhere}`
  const found = values.find((value, index) => {
    const [, attached] = /^(?:-e|--ed[a-z]*=)(.+)$/.exec(value) ?? []
    const isEditable = attached !== undefined || EDITABLE.test(values[index - 1] ?? '')
    const isList = LIST.test(values[index - 1] ?? '')
    const name = attached ?? value
    return !OWN.test(name) && (isEditable || (!isList && !value.startsWith('-') && PLACE.test(name)))
  })
  return found && `pip with ${found}: code of a package from there would run`
}
