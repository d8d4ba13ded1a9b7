import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'

export type LinkPlaces = {
  readonly roots: readonly string[]
  /** The target of the link at a path, as written; undefined if there is no link. */
  linkAt(path: string): string | undefined
}

/** The kernel's limit: a longer chain leads nowhere. */
const MAX_STEPS = 40

/**
 * Where a link ends, and whether that is in the checkout. Follows a link name by name, through other links, until it
 * ends or leaves the roots. What does not exist counts as a folder. A target with `..` after a name leaves, because the
 * meaning of that name may change later.
 */
export function linkTarget(link: string, target: string, { roots, linkAt }: LinkPlaces) {
  let waiting = namesOf(target)
  let at = dirname(link)
  let isFree = climbsLate(target)
  const startOf = (text: string): string | undefined => roots.find((root) => isWithin(text, root))
  const jump = (text: string): void => {
    const root = startOf(text)
    if (root === undefined || climbsLate(text)) isFree = true
    else waiting = [...namesOf(text.slice(root.length)), ...waiting]
    at = root ?? resolve(text)
  }
  if (isAbsolute(target)) {
    waiting = []
    jump(target)
  }
  for (let steps = 0; waiting.length > 0 && !isFree && steps < MAX_STEPS; ) {
    const [name = '', ...rest] = waiting
    waiting = rest
    const next = name === '..' ? dirname(at) : join(at, name)
    const further = name === '..' ? undefined : linkAt(next)
    if (further === undefined) at = next
    else {
      steps++
      if (isAbsolute(further)) jump(further)
      else waiting = [...namesOf(further), ...waiting]
      isFree ||= climbsLate(further)
    }
    isFree ||= startOf(at) === undefined
  }
  return { isInside: !isFree, path: [...waiting, target].some(climbsLate) ? '/' : resolve(at, ...waiting) }
}

function namesOf(target: string): string[] {
  return target.split('/').filter((name) => name !== '' && name !== '.')
}

function climbsLate(target: string): boolean {
  const names = namesOf(target)
  return names.some((name, at) => name === '..' && at > 0 && names[at - 1] !== '..')
}
