import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'

/** Names of refs, and the objects that they point to. */
export type Refs = ReadonlyMap<string, string>

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
/** The characters that git treats as white space. Any other character is part of a name. */
const WHITE_SPACE_AT_END = /[ \t\n\r]+$/
const NAME = String.raw`refs\/[^\x00-\x20\x7f~^:?*[\\]+`
const SYMBOLIC = new RegExp(`^ref:[ \\t\\n\\r]*(${NAME})$`)

/** The text of a ref file; undefined if it is not text. Two different names must never read alike. */
export function refText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : undefined
}

/** The text of a ref file as it is now. */
export function readRef(path: string | undefined): string | undefined {
  return refText(readRegular(path))
}

/** True for a name that points to another name. */
export function isSymbolic(text: string | undefined): boolean {
  return text?.startsWith('ref:') ?? false
}
const MAX_HOPS = 5

/** Looks names up as git does: the loose file first, then `packed-refs`. Follows symbolic refs. */
export function createRefLookup(
  { gitDir, commonDir }: { readonly gitDir: string; readonly commonDir: string },
  readAt: (path: string) => string | undefined = readRef,
) {
  const read = (name: string) => readAt(join(name === 'HEAD' ? gitDir : commonDir, name))
  const packed = parsePackedRefs(read('packed-refs') ?? '')
  const oidOf = (text: string | undefined, hops: number): string | undefined => {
    const word = text?.replace(WHITE_SPACE_AT_END, '') ?? ''
    if (OID.test(word)) return word
    const name = SYMBOLIC.exec(word)?.[1]
    return name === undefined || hops === 0 ? undefined : lookUp(name, hops - 1)
  }
  const lookUp = (name: string, hops = MAX_HOPS): string | undefined => {
    if (name.split('/').includes('..')) return undefined
    const loose = read(name)
    return loose === undefined ? packed.get(name) : oidOf(loose, hops)
  }
  return { lookUp: (name: string) => lookUp(name), packed }
}

/** True for the content of a loose ref or of HEAD as git writes it. `below`: where a symbolic ref may point. */
export function isRefText(text: string, below: string): boolean {
  const word = text.replace(/\n$/, '')
  const name = /^ref: (.*)$/s.exec(word)?.[1]
  return name === undefined ? OID.test(word) : SYMBOLIC.test(word) && name.startsWith(below)
}

/** gitrepository-layout(5): one line per ref; a line that begins with `^` gives the target of a tag. */
function parsePackedRefs(text: string): Refs {
  const lines = text.split('\n').flatMap((line) => {
    const [, oid = '', name = ''] = PACKED.exec(line) ?? []
    return name === '' ? [] : [[name, oid] as const]
  })
  return new Map(lines)
}

const PACKED = new RegExp(`^([0-9a-f]{40}(?:[0-9a-f]{24})?) (${NAME})$`)

/** True for `packed-refs` as git writes it. Git accepts more, and finds only one of two entries for a name. */
export function isPackedRefsText(text: string): boolean {
  const lines = text.split('\n').filter((line) => line !== '' && !/^(?:#|\^[0-9a-f]+$)/.test(line))
  return lines.every((line) => PACKED.test(line)) && parsePackedRefs(text).size === lines.length
}

/** The names of the loose refs below a folder. */
export function looseRefs(folder: string, name = 'refs'): string[] {
  return orElse([], () =>
    readdirSync(join(folder, name)).flatMap((entry) => {
      const below = `${name}/${entry}`
      const isFolder = lstatSync(join(folder, below), { throwIfNoEntry: false })?.isDirectory() === true
      return isFolder ? looseRefs(folder, below) : [below]
    }),
  )
}
