import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { HookSettings } from '../contracts/settings.ts'
import { scriptFiles } from '../files/scriptFiles.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { quoteWord } from '../shell/words/quoteWord.ts'
import { commandWords, TOKEN } from './commandWords.ts'
import { type CommandHook, toProcess } from './runCommandHook.ts'
import type { HookPlace } from './startsOutside.ts'

export type PinOptions = HookPlace & {
  /** Makes the copies; only for this run, outside the checkout. */
  readonly folder: string
  /** True for what commands must not read: no copy of it is made. */
  readonly isHidden: (path: string, kind: 'file' | 'folder') => boolean
  warn(message: string): void
}

/**
 * Hooks as they are run: each script of the checkout is replaced by a copy from the start, with its folder. So a file
 * that a call puts in its place is never run.
 */
export function pinHooks(hooks: readonly HookSettings[], options: PinOptions): (hook: CommandHook) => CommandHook {
  const commands = hooks.filter((hook) => hook.type === 'command')
  const pinned = new Map(commands.map((hook) => [hook, pinHook(hook, options)]))
  return (hook) => pinned.get(hook) ?? hook
}

function pinHook(hook: CommandHook, { cwd, checkout, folder, isHidden, warn }: PinOptions): CommandHook {
  const copies = new Map<string, string>()
  for (const script of hookScripts(hook, cwd, checkout)) {
    const index = checkout.findIndex((root) => isWithin(script, root))
    const { path, isAlone } = pinScript(script, {
      root: checkout[index] ?? cwd,
      target: join(folder, String(index)),
      isHidden,
    })
    copies.set(script, path)
    if (isAlone)
      warn(`the hook script ${script} is copied without the files beside it, which are too many or too large`)
  }
  if (copies.size === 0) return hook
  const copyOf = (word: string) => copies.get(resolve(cwd, word))
  if (hook.args !== undefined) {
    const { file, args } = toProcess(hook, cwd)
    return { ...hook, command: copyOf(file) ?? file, args: args.map((word) => copyOf(word) ?? word) }
  }
  const known = { CLAUDE_PROJECT_DIR: cwd, PWD: cwd }
  const command = hook.command.replace(TOKEN, (token) => {
    const [word] = commandWords(token, known) ?? []
    const copy = word === undefined ? undefined : copyOf(word)
    return copy === undefined ? token : quoteWord(copy)
  })
  return { ...hook, command }
}

/** If there is more, only the script is copied. */
const MAX_FILES = 1_000
const MAX_BYTES = 10 * 1024 * 1024

type PinPlace = Pick<PinOptions, 'isHidden'> & {
  readonly root: string
  /** Where copies are made; commands can read them. */
  readonly target: string
}

/**
 * Copies a script of the project, with the present content of its folder, to the same place below `target`; of the
 * project's own folder, only the files. Each parent folder there gets its `package.json`, and its `node_modules` as a
 * link: packages are found, but not pinned. `isAlone`: without the files beside it, which are too many or too large.
 */
export function pinScript(script: string, { root, target, isHidden }: PinPlace) {
  const folder = dirname(script)
  const copy = join(target, relative(root, folder))
  const isPinned = (path: string) => mayBePinned(path, folder === root && path !== root, isHidden)
  const isAlone = !isSmall(folder, isPinned)
  mkdirSync(copy, { recursive: true })
  const path = join(copy, basename(script))
  if (!isAlone) cpSync(folder, copy, { recursive: true, verbatimSymlinks: true, force: true, filter: isPinned })
  // A link would lead back to its present target.
  rmSync(path, { force: true })
  copyFileSync(realpathSync(script), path)
  for (let at = folder; ; at = dirname(at)) {
    copyBeside(at, join(target, relative(root, at)))
    if (at === root) break
  }
  return { path, isAlone }
}

function copyBeside(folder: string, copy: string): void {
  const settings = join(folder, 'package.json')
  if (lstatSync(settings, { throwIfNoEntry: false })?.isFile() === true) cpSync(settings, join(copy, 'package.json'))
  const link = join(copy, 'node_modules')
  const isLinked = lstatSync(link, { throwIfNoEntry: false }) !== undefined
  if (!isLinked && existsSync(join(folder, 'node_modules'))) symlinkSync(join(folder, 'node_modules'), link)
}

/** Regular files, folders and links; pipes are left out, and what is hidden. */
function mayBePinned(path: string, isFileWanted: boolean, isHidden: PinPlace['isHidden']): boolean {
  if (/^(?:node_modules|\.git)$/.test(basename(path))) return false
  const stat = lstatSync(path)
  if (isHidden(path, stat.isDirectory() ? 'folder' : 'file')) return false
  return stat.isFile() || stat.isSymbolicLink() || (stat.isDirectory() && !isFileWanted)
}

function isSmall(folder: string, isPinned: (path: string) => boolean, seen = { files: 0, bytes: 0 }): boolean {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!isPinned(path)) continue
    seen.files += 1
    if (entry.isFile()) seen.bytes += lstatSync(path).size
    if (seen.files > MAX_FILES || seen.bytes > MAX_BYTES) return false
    if (entry.isDirectory() && !isSmall(path, isPinned, seen)) return false
  }
  return true
}

/** The files below `folders` that a command hook runs, in every simple command of its line; absolute. */
export function hookScripts(hook: CommandHook, cwd: string, folders: readonly string[]): readonly string[] {
  const { file, args } = toProcess(hook, cwd)
  const commands = hook.args === undefined ? simpleCommands(hook.command, cwd) : [[file, ...args]]
  return [...new Set(commands.flatMap((words) => scriptFiles(words, cwd, folders)))]
}

/** The words of each simple command; a word that only the shell knows stays as written. */
function simpleCommands(line: string, cwd: string): readonly (readonly string[])[] {
  const known = { CLAUDE_PROJECT_DIR: cwd, PWD: cwd }
  const commands: string[][] = [[]]
  let isTarget = false
  for (const [token] of line.matchAll(TOKEN)) {
    if (/^[|&;()\n]/.test(token)) commands.push([])
    else if (!/^[<>]/.test(token) && !isTarget) commands.at(-1)?.push(...(commandWords(token, known) ?? [token]))
    isTarget = /^[<>]/.test(token)
  }
  return commands
}
