import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Names of refs, and the objects that they name. */
export type Refs = ReadonlyMap<string, string>

/** One state of a repository's refs; `undefined` where a file is not there. */
export type RefReader = {
  /** A file below the git directory that HEAD is in. */
  head(): string | undefined
  /** A file below the common git directory. */
  read(name: string): string | undefined
}

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const MOST_HOPS = 5

/** Looks names up as git does: the loose file first, then `packed-refs`. Symbolic refs are followed. */
export function createRefLookup({ head, read }: RefReader) {
  const packed = parsePackedRefs(read('packed-refs') ?? '')
  const oidOf = (text: string | undefined, hops: number): string | undefined => {
    const word = trimmed(text)
    if (OID.test(word)) return word
    const name = symbolicTarget(text)
    return name === undefined || hops === 0 ? undefined : lookUp(name, hops - 1)
  }
  const lookUp = (name: string, hops = MOST_HOPS): string | undefined => {
    if (name.split('/').includes('..')) return undefined
    const loose = name === 'HEAD' ? head() : read(name)
    return loose === undefined ? packed.get(name) : oidOf(loose, hops)
  }
  return { lookUp: (name: string) => lookUp(name), packed }
}

/** True for the content of a loose ref or of HEAD as git writes it. */
export function isRefText(text: string): boolean {
  const word = trimmed(text)
  return OID.test(word) || /^ref: refs\/[^\s\0-\x1f]+$/.test(word)
}

/** The name that a symbolic ref leads to. */
export function symbolicTarget(text: string | undefined): string | undefined {
  return /^ref:[ \t]*(refs\/[^ \t\r\n]+)$/.exec(trimmed(text))?.[1]
}

/** As git does: other white space than that of ASCII is part of a name. */
function trimmed(text: string | undefined): string {
  return (text ?? '').replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
}

/** gitrepository-layout(5): a line for each ref; lines that begin with `^` say what a tag leads to. */
function parsePackedRefs(text: string): Refs {
  const lines = text.split('\n').flatMap((line) => {
    const [, oid = '', name = ''] = PACKED.exec(line) ?? []
    return name === '' ? [] : [[name, oid] as const]
  })
  return new Map(lines)
}

const PACKED = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (refs\/\S+)$/

/** True for `packed-refs` as git writes it: git itself would read more, and find one of two entries for a name. */
export function isPackedRefsText(text: string): boolean {
  const lines = text.split('\n').filter((line) => line !== '' && !/^(?:#|\^[0-9a-f]+$)/.test(line))
  return lines.every((line) => PACKED.test(line)) && parsePackedRefs(text).size === lines.length
}

/** The names of the loose refs that stand below a folder. */
export function looseRefs(folder: string, name = 'refs'): string[] {
  try {
    return readdirSync(join(folder, name)).flatMap((entry) => {
      const below = `${name}/${entry}`
      const isFolder = lstatSync(join(folder, below), { throwIfNoEntry: false })?.isDirectory() === true
      return isFolder ? looseRefs(folder, below) : [below]
    })
  } catch {
    return []
  }
}
