import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { realPath } from '../fs/atPath.ts'
import { isWithin } from '../fs/isWithin.ts'

/** Where a checkout is, and the base of relative words of a command. */
export type CheckoutPlace = { readonly roots: readonly string[]; readonly cwd: string }

/**
 * True if a word of a command names something in the checkout: a path in it or above it, by name or link, alone or
 * after `=`, `:` or `,`. A relative word counts if it names something that exists.
 */
export function mentionsCheckout(word: string, { roots, cwd }: CheckoutPlace): boolean {
  const parts = [word, ...word.split(/[=:,;\s'"()]+/), ...word.split(/[=,;\s'"()]+/)]
  if (roots.some((root) => word.includes(root))) return true
  return parts.some((part) => part !== '' && leadsInto(part))

  function leadsInto(part: string): boolean {
    const plain = part.replace(/^file:\/\/[^/]*/, '')
    const path = resolve(cwd, plain)
    if (!isAbsolute(plain) && !existsSync(path)) return false
    return [path, realPath(path)].some((place) => roots.some((root) => meets(place, root)))
  }
}

/** True for a path inside a folder, and for one that contains it. */
function meets(place: string, folder: string): boolean {
  return isWithin(place, folder) || (place !== '/' && isWithin(folder, place))
}
