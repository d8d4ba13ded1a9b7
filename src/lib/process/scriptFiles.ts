import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isWithin } from '../fs/isWithin.ts'

/** Programs whose first operand is a script that they run. */
export const INTERPRETERS = /^(?:bash|sh|dash|zsh|ksh|python\d*(?:\.\d+)?|node|nodejs|ruby|perl|php|deno|bun|tsx)$/
const SOURCES = /^(?:\.|source)$/
const PREFIXES = /^(?:\w+=|(?:exec|env|command|nohup|time)$)/

/**
 * The files that a command visibly runs: a program named by a path, and the script of an interpreter. Only existing
 * ones below `folders`; absolute.
 */
export function scriptFiles(words: readonly string[], cwd: string, folders: readonly string[]): readonly string[] {
  const [program = '', ...operands] = words.slice(words.findIndex((word) => !PREFIXES.test(word)))
  const name = program.slice(program.lastIndexOf('/') + 1)
  const operand = operands.find((word) => !word.startsWith('-'))
  const isRead = operand !== undefined && (INTERPRETERS.test(name) || SOURCES.test(name))
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
