import { join, resolve } from 'node:path'
import type { HookSettings } from '../contracts/settings.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { pinScript } from '../lib/process/pinScript.ts'
import { commandWords } from './commandWords.ts'
import { hookScripts } from './hookScripts.ts'
import { toProcess } from './runCommandHook.ts'
import { TOKEN } from './shellWords.ts'
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
export function pinHooks(hooks: readonly HookSettings[], options: PinOptions): (hook: HookSettings) => HookSettings {
  const pinned = new Map(hooks.map((hook) => [hook, pinHook(hook, options)]))
  return (hook) => pinned.get(hook) ?? hook
}

function pinHook(hook: HookSettings, { cwd, checkout, folder, isHidden, warn }: PinOptions): HookSettings {
  if (hook.type !== 'command') return hook
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
    return copy === undefined ? token : `'${copy.replaceAll("'", "'\\''")}'`
  })
  return { ...hook, command }
}
