import type { PathForms, PathSubject, Word } from '../contracts/subject.ts'

type Access = PathSubject['access']

/** Commands whose operands are files: what they do to all of them, or to all but the last. */
const ACCESS: ReadonlyMap<string, readonly Access[]> = new Map<string, readonly Access[]>([
  ...group(
    ['read'],
    'cat head tail wc sort uniq cut diff cmp comm nl od hexdump xxd strings less more file tac rev base64 base32 paste join',
    'fold fmt expand unexpand column tsort md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum sum b2sum jq yq bat batcat',
    'zcat gunzip gzip bzcat xzcat stat ls tree du readlink realpath grep egrep fgrep zgrep rg ag sed gsed awk gawk mawk nawk',
    'source . open look pr shuf iconv csplit split diff3 sdiff vimdiff python python3 perl ruby php node',
  ),
  ...group(['write'], 'rm rmdir unlink touch tee mkdir mkfifo mknod truncate shred chmod chown chgrp'),
  ...group(['read', 'write'], 'cp mv rsync scp install ln link'),
])

/** By the second name that these make a file can be read and written. */
const LINKERS = ['ln', 'link']

/** Their first operand is a pattern or a program, unless an option gives it. */
const SCRIPTED: ReadonlyMap<string, RegExp> = new Map([
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag'].map((name): [string, RegExp] => [
    name,
    /^(?:-\w*[ef]|--(?:regexp|file)(?:=|$))/,
  ]),
  ...['sed', 'gsed'].map((name): [string, RegExp] => [name, /^(?:-\w*[ef]|--(?:expression|file)(?:=|$))/]),
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, RegExp] => [name, /^(?:-f|--file)/]),
  ...['jq', 'yq'].map((name): [string, RegExp] => [name, /^(?:-f|--from-file)/]),
  ...['chmod', 'chown', 'chgrp'].map((name): [string, RegExp] => [name, /^--reference/]),
])

/** A file that a command's words name. `glob` is set where only a pattern is known. */
export type FileOperand = { readonly access: Access; readonly path: string; readonly isPattern: boolean }

/** The files that a recognised command's words name; best effort, deny and ask look at them. */
export function fileOperands(name: string, argv: readonly Word[]): readonly FileOperand[] {
  const access = ACCESS.get(name)
  if (!access) return []
  const { operands, values, isScriptGiven } = sortWords(name, argv)
  const files = isScriptGiven ? operands : operands.slice(1)
  const [most = 'read', last = most] = access
  const found = files.flatMap((word, index) => {
    const isLast = index === files.length - 1 && files.length > 1
    return isLast ? withTarget(word, files, last, most) : fileOf(word, name === 'mv' ? 'write' : most)
  })
  const linked = LINKERS.includes(name) ? files.slice(0, -1).flatMap((word) => fileOf(word, 'write')) : []
  return [...found, ...linked, ...values.flatMap((word) => fileOf(word, 'read'))]
}

/** The last operand; a copy into a folder also writes the file of the same name there. */
function withTarget(target: Word, files: readonly Word[], last: Access, most: Access): FileOperand[] {
  const found = fileOf(target, last)
  if (last === most || target.kind !== 'literal') return found
  const inside = files.slice(0, -1).flatMap((word) => {
    if (word.kind !== 'literal') return fileOf({ kind: 'glob', value: `${target.value}/*` }, last)
    const base = word.value.replace(/\/+$/, '').split('/').at(-1)
    return fileOf({ kind: 'literal', value: `${target.value}/${base}` }, last)
  })
  return [...found, ...inside]
}

function sortWords(name: string, argv: readonly Word[]) {
  const given = SCRIPTED.get(name)
  const operands: Word[] = []
  const values: Word[] = []
  let isScriptGiven = given === undefined
  let isOnlyOperands = false
  for (const word of argv.slice(1)) {
    const value = word.kind === 'literal' ? word.value : ''
    if (isOnlyOperands || !value.startsWith('-') || value === '-') operands.push(word)
    else if (value === '--') isOnlyOperands = true
    else {
      if (given?.test(value)) isScriptGiven = true
      const attached = /^(?:--(?:file|from-file|files0-from|reference|ignore-file|exclude-from)=|-f)([\s\S]+)$/.exec(
        value,
      )?.[1]
      if (attached !== undefined) values.push({ kind: 'literal', value: attached })
    }
  }
  return { operands, values, isScriptGiven }
}

function fileOf(word: Word, access: Access): FileOperand[] {
  if (word.kind === 'dynamic')
    return [{ access, path: `${word.prefix ?? ''}**${patternEnd(word.suffix)}`, isPattern: true }]
  if (word.value === '' || word.value === '-') return []
  return [{ access, path: word.value, isPattern: word.kind === 'glob' }]
}

/** The names that a word ends with, after a part known only when it runs. */
function patternEnd(suffix = ''): string {
  const at = suffix.indexOf('/')
  return at < 0 ? '' : suffix.slice(at).replace(/[*?[\]{}\\]/g, '?')
}

/** The subject of an operand; a pattern stands in the folder that its literal part names. */
export function operandSubject(file: FileOperand, resolve: (path: string) => PathForms, cwd: string): PathSubject {
  const { access, path } = file
  if (!file.isPattern) return { kind: 'path', access, path: resolve(path), source: 'operand' }
  const folder = /^[^*?[]*\//.exec(path)?.[0] ?? ''
  const forms = resolve(folder === '' ? '.' : folder)
  const base = folder === '' ? cwd : forms.lexical
  const glob = path.startsWith('**') ? path : `${base === '/' ? '' : base}/${path.slice(folder.length)}`
  return { kind: 'path', access, path: { ...forms, given: path }, source: 'operand', glob }
}

function group(access: readonly Access[], ...lines: readonly string[]): [string, readonly Access[]][] {
  return lines.flatMap((line) => line.split(' ').map((name): [string, readonly Access[]] => [name, access]))
}
