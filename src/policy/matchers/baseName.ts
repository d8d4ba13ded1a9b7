/** The last part of a path, in lower case. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}
