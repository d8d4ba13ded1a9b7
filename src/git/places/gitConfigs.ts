import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { orElse } from '../../lib/orElse.ts'

/** An existing git configuration: its real path and its content. */
type GitConfig = { readonly path: string; readonly text: string }

/**
 * The existing configurations among these paths, and those that they include, whatever the condition. Checkout steps
 * keep their token in a separate file that the repository's configuration includes. No file twice, so there is an end.
 */
export function gitConfigs(paths: readonly string[], home: string | undefined): readonly GitConfig[] {
  const found = new Map<string, GitConfig>()
  for (let level = paths; level.length > 0; ) {
    const fresh = level.flatMap(readConfig).filter(({ path }) => !found.has(path))
    for (const config of fresh) found.set(config.path, config)
    level = fresh.flatMap((config) => includesOf(config, home))
  }
  return [...found.values()]
}

/** The user's own and the machine's. */
export function userConfigs(home: string | undefined): readonly string[] {
  const own = home === undefined ? [] : ['.gitconfig', '.config/git/config'].map((name) => join(home, name))
  return [...own, '/etc/gitconfig']
}

/** A folder in its place is left over from a killed run without a repository. */
function readConfig(path: string): GitConfig[] {
  return orElse([], () => {
    const real = realpathSync(path)
    return statSync(real).isFile() ? [{ path: real, text: readFileSync(real, 'utf8') }] : []
  })
}

function includesOf({ path, text }: GitConfig, home: string | undefined): string[] {
  let isInclude = false
  return text.split('\n').flatMap((line) => {
    const section = /^\s*\[\s*([^\s\]"]+)/.exec(line)?.[1]?.toLowerCase()
    if (section !== undefined) isInclude = /^include(?:if)?(?:\.|$)/.test(section)
    const found = isInclude ? /(?:^|\])\s*path\s*=(.*)/i.exec(line) : null
    if (found === null) return []
    const named = readValue(found[1] ?? '')
    return [resolve(dirname(path), home === undefined ? named : named.replace(/^~(?=\/)/, home))]
  })
}

/** A value as git reads it: with quotes, with a backslash before any sign, up to a comment. */
function readValue(text: string): string {
  const parts = text.matchAll(/"((?:[^"\\]|\\.)*)"|\\(.)|([^"\\#;]+)/gy)
  return [...parts]
    .map(([, quoted = '', escaped, plain]) => plain ?? escaped ?? quoted.replace(/\\(.)/g, '$1'))
    .join('')
    .trim()
}

/** What git and agents write as a side effect: the committer, and what a branch tracks. */
const TRANSIENT = /^(?:\[(?:user|branch "[^"]*")\]|(?:name|email|remote|merge|rebase|pushRemote)\s*=.*|)$/i

/**
 * True if two states of git's configuration differ only in the committer and in tracked branches. Such a change lasts
 * for the command and is dropped afterwards: configuration is never taken over without a rule.
 */
export function isTransientConfig(before: string, now: string): boolean {
  const [old, young] = [linesOf(before), linesOf(now)]
  return [...old.filter((line) => !young.includes(line)), ...young.filter((line) => !old.includes(line))].every(
    (line) => TRANSIENT.test(line),
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim())
}
