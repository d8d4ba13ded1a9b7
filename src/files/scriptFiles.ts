import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isWithin } from '../lib/fs/isWithin.ts'
import { programName } from '../lib/text/programName.ts'
import { takesScript } from '../shell/programs/findStart.ts'

const SOURCES = /^(?:\.|source)$/
const PREFIXES = /^(?:\w+=|(?:exec|env|command|nohup|time)$)/

/** A program named by a path, and the script of an interpreter: existing ones below `folders`, absolute. */
export function scriptFiles(words: readonly string[], cwd: string, folders: readonly string[]): readonly string[] {
  const [program = '', ...operands] = words.slice(words.findIndex((word) => !PREFIXES.test(word)))
  const name = programName(program)
  const operand = operands.find((word) => !word.startsWith('-'))
  const isRead = operand !== undefined && (takesScript(name) || SOURCES.test(name))
  return [...(program.includes('/') ? [program] : []), ...(isRead ? [operand] : [])]
    .map((path) => resolve(cwd, path))
    .filter((path) => folders.some((folder) => isWithin(path, folder)) && isFile(path))
}

/** A function that returns the first of these files that was removed or changed since. */
export function pinFiles(paths: readonly string[]): () => string | undefined {
  const pins = new Map(paths.map((path) => [path, hashOf(path)]))
  return () => [...pins].find(([path, hash]) => hashOf(path) !== hash)?.[0]
}

function hashOf(path: string): string {
  return isFile(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'gone'
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
