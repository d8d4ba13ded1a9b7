import { isFolder } from '../../lib/fs/folders.ts'
import { type Folders, resolveFolder } from '../load/mergeSettings.ts'
import type { PolicySource } from '../load/readPolicyFiles.ts'
import type { Finding } from '../Policy.ts'

/** A warning for every configured working directory that does not exist. */
export function findMissingFolders({ input, label, yaml }: PolicySource, folders: Folders): readonly Finding[] {
  const path = ['permissions', 'additionalDirectories']
  return (input?.permissions?.additionalDirectories ?? []).flatMap((directory, index): readonly Finding[] => {
    const folder = resolveFolder(directory, folders)
    if (isFolder(folder)) return []
    const message = `${path.join('.')}[${index}]: there is no folder ${folder}`
    return [{ file: label, ...yaml.positionOf([...path, index]), level: 'warning', message }]
  })
}
