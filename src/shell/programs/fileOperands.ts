import type { Word } from '../../contracts/subject.ts'
import { startOf } from './literalWord.ts'

/** A file that a command line names literally. */
export type FileOperand = { readonly path: string; readonly access: 'read' | 'write' }

/** How to find the operands of a POSIX file command. Options that are not listed take no value. */
type Row = {
  readonly access: 'read' | 'write'
  readonly valued?: string
  /** The number of operands before the files; none if an option of `instead` is given. */
  readonly skip?: number
  readonly instead?: RegExp
  /** Only the last operand is written, or the one that `-t` names; the others are read. */
  readonly isCopy?: true
}

const rows = (names: string, row: Row) => names.split(' ').map((name): [string, Row] => [name, row])

/** They only find mistakes early: the view decides what a command reads and writes. Sources: POSIX, coreutils. */
const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ...rows('head tail', { access: 'read', valued: '-n -c --lines --bytes' }),
  ...rows('cat wc', { access: 'read' }),
  ...rows('cut', { access: 'read', valued: '-d -f -c -b' }),
  ...rows('sort', { access: 'read', valued: '-k -t -S -T -o' }),
  ...rows('uniq', { access: 'read', valued: '-f -s -w' }),
  ...rows('diff', { access: 'read', valued: '-U -C -I -x -W -F --label' }),
  ...rows('grep egrep fgrep', {
    access: 'read',
    valued: '-e -f -m -A -B -C -d -D',
    skip: 1,
    instead: /^(?:-\w*[ef]|--regexp|--file)/,
  }),
  ...rows('sed', { access: 'read', valued: '-e -f -l', skip: 1, instead: /^(?:-\w*[ef]|--expression|--file)/ }),
  ...rows('awk gawk mawk', { access: 'read', valued: '-F -v -f', skip: 1, instead: /^(?:-f|--file)/ }),
  ...rows('tee touch mkdir rm rmdir truncate', { access: 'write', valued: '-m -d -t -r -s' }),
  ...rows('chmod', { access: 'write', skip: 1, instead: /^--reference/ }),
  ...rows('cp mv ln install', { access: 'write', valued: '-S -m -o -g', isCopy: true }),
])

/** `HEAD:conf/key` names a file of a commit, `fix: a typo` does not; a URL does only with `file:`. */
function revisionFile(word: Word): readonly FileOperand[] {
  const [, path] =
    (word.kind === 'literal' && /^(?:file:\/\/|[^-:][^:]*:(?!\/\/))([^:\s][^:]*)$/.exec(word.value)) || []
  return path === undefined ? [] : [{ path, access: 'read' }]
}

/** The list that xargs reads, named before the command that it starts. */
function listFile(argv: readonly Word[]): readonly FileOperand[] {
  const texts = argv.map((word) => (word.kind === 'literal' ? word.value : ''))
  const end = texts.findIndex(
    (text, index) => index > 0 && !text.startsWith('-') && !/^(?:-[nPLIdsa]|--arg-file)$/.test(texts[index - 1] ?? ''),
  )
  return texts.slice(0, end < 0 ? undefined : end).flatMap((text, index): FileOperand[] => {
    const glued = /^(?:-a|--arg-file=)(.+)$/s.exec(text)?.[1]
    const path = glued ?? (/^(?:-a|--arg-file)$/.test(text) ? texts[index + 1] : undefined)
    return path === undefined || path === '' || path === '-' ? [] : [{ path, access: 'read' }]
  })
}

/** The files that a file command names literally; words that are unknown until run time are left out. */
export function fileOperands(name: string, argv: readonly Word[]): readonly FileOperand[] {
  if (name === 'git') return argv.flatMap(revisionFile)
  if (name === 'xargs') return listFile(argv)
  const row = ROWS.get(name)
  if (row === undefined) return []
  const valued = new Set(row.valued?.split(' '))
  const operands: Word[] = []
  let skip = row.skip ?? 0
  let target: Word | undefined
  for (let index = 1, isEnded = false; index < argv.length; index += 1) {
    const word = argv[index]
    if (word === undefined) break
    const value = startOf(word)
    if (isEnded || !/^-./.test(value)) operands.push(word)
    else if (value === '--') isEnded = true
    else {
      if (row.instead?.test(value)) skip = 0
      const isTarget = row.isCopy && (value === '-t' || value === '--target-directory')
      if (isTarget) target = argv[index + 1]
      if (isTarget || valued.has(value)) index += 1
    }
  }
  const files = operands.slice(skip)
  const last = row.isCopy ? (target ?? (files.length > 1 ? files.at(-1) : undefined)) : undefined
  const has = (option: RegExp) => argv.some((word) => word.kind === 'literal' && option.test(word.value))
  const isInPlace = name === 'sed' && has(/^(?:-[nErsuz]*i|--in-place)/)
  // The target of a link is relative to the folder of the link.
  const isLink = name === 'ln' && has(/^(?:-[a-zA-Z]*s|--symbolic)/) && last?.kind === 'literal'
  const start = isLink ? (last === target ? `${last.value}/` : last.value.replace(/[^/]*$/, '')) : ''
  const named = last === undefined || files.includes(last) ? files : [...files, last]
  return named.flatMap((word): FileOperand[] => {
    if (word.kind !== 'literal' || word.value === '-' || word.value === '') return []
    const isWritten = row.isCopy ? word === last || name === 'mv' : row.access === 'write' || isInPlace
    const path = word === last || word.value.startsWith('/') ? word.value : start + word.value
    return [{ path, access: isWritten ? 'write' : 'read' }]
  })
}
