import type { Flag } from './Flag.ts'

/**
 * Gives each word of a list its own flag: `--allowedTools Read "Bash(git log *)"` becomes `--allowedTools=Read
 * --allowedTools=Bash(git log *)`. A word belongs to the list if it looks like one of its values, so a prompt after the
 * list stays a prompt. A flag whose value may be left out gets the one that it has then.
 */
export function spreadLists(argv: readonly string[], flags: Readonly<Record<string, Flag>>): readonly string[] {
  const words: string[] = []
  let open: { readonly name: string; readonly further: RegExp; isFirst: boolean } | undefined
  for (const [at, word] of argv.entries()) {
    if (word === '--') return [...words, ...argv.slice(at)]
    const [, name, assigned] = /^--([A-Za-z][\w-]*)(=.*)?$/s.exec(word) ?? []
    const lone = aloneAt(argv, at, flags)
    if (lone !== undefined) {
      open = undefined
      words.push(lone)
      continue
    }
    if (name !== undefined || /^-./.test(word)) {
      const further = name === undefined ? undefined : furtherOf(name, flags)
      open =
        further === undefined || name === undefined ? undefined : { name, further, isFirst: assigned === undefined }
    } else if (open?.isFirst === true) open.isFirst = false
    else if (open?.further.test(word) === true) {
      words.push(`--${open.name}=${word}`)
      continue
    } else open = undefined
    words.push(word)
  }
  return words
}

/** `--worktree` without its value, as `--worktree=auto`. */
function aloneAt(argv: readonly string[], at: number, flags: Readonly<Record<string, Flag>>): string | undefined {
  const [, name] = /^--?([A-Za-z][\w-]*)$/.exec(argv[at] ?? '') ?? []
  const [long, { alone, further } = {}] = (name === undefined ? undefined : flagOf(name, flags)) ?? []
  return alone === undefined || further?.test(argv[at + 1] ?? '') ? undefined : `--${long}=${alone}`
}

/** What follows belongs to a list. */
function furtherOf(name: string, flags: Readonly<Record<string, Flag>>): RegExp | undefined {
  const [, { alone, further } = {}] = flagOf(name, flags) ?? []
  return alone === undefined ? further : undefined
}

function flagOf(name: string, flags: Readonly<Record<string, Flag>>): readonly [string, Flag?] | undefined {
  return Object.entries(flags).find(([long, { alias }]) => long === name || alias?.includes(name))
}
