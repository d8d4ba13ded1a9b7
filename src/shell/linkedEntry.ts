import type { PathSubject } from '../contracts/subject.ts'
import type { FileOperand, OperandPlace } from './fileOperand.ts'

/**
 * Why a copy into a folder is not covered: a link stands there under the name of a file that is copied, and leads out of the
 * folder, so that the file behind it would be written. Looks at what is there now.
 */
export function linkedEntry(file: FileOperand, subject: PathSubject, place: OperandPlace): string | undefined {
  if (!file.isEntry || file.isPattern) return undefined
  const path = file.path.replace(/\/+/g, '/')
  const link = file.copied ? linkAmong(subject, place) : leavesFolder(path, place) ? path : undefined
  return (
    link &&
    `\`${link}\` is a link that leads out of its folder, and the copy would be written through it; remove it first`
  )
}

function leavesFolder(path: string, { resolve }: OperandPlace): boolean {
  if (/(?:^|\/)\.{1,2}$/.test(path)) return false
  const cut = path.lastIndexOf('/')
  const folder = resolve(cut < 0 ? '.' : path.slice(0, cut) || '/').physical
  return !isBelow(resolve(path).physical, folder)
}

/** One of the links in the target that a copied file would meet. */
function linkAmong({ found, path }: PathSubject, { disk, resolve }: OperandPlace): string | undefined {
  const { physical } = path
  const links = disk?.tree(physical, false)?.filter(({ isLink }) => isLink) ?? []
  if (links.length === 0) return undefined
  const copied = new Set(found?.files())
  return links
    .map((link) => `${physical}/${link.path}`)
    .find((link) => copied.has(link) && !isBelow(resolve(link).physical, physical))
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
