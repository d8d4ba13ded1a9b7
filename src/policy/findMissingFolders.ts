import { isFolder } from '../lib/isFolder.ts'
import { type Folders, resolveFolder } from './mergeSettings.ts'
import type { Finding } from './Policy.ts'
import type { PolicySource } from './readPolicyFiles.ts'

/** A warning for every working directory that a file names and that is not there. */
export function findMissingFolders({ input, label, yaml }: PolicySource, folders: Folders): readonly Finding[] {
  const path = ['permissions', 'additionalDirectories']
  return (input?.permissions?.additionalDirectories ?? []).flatMap((directory, index): readonly Finding[] => {
    const folder = resolveFolder(directory, folders)
    if (isFolder(folder)) return []
    const message = `${path.join('.')}[${index}]: there is no folder ${folder}`
    return [{ file: label, ...yaml.positionOf([...path, index]), level: 'warning', message }]
  })
}
