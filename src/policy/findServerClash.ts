import type { Finding } from './Policy.ts'
import type { PolicySource } from './readPolicyFiles.ts'

/** An error for every server whose tools would have the names of another's: by case, or `.` for `_`. */
export function findServerClash({ input, label, yaml }: PolicySource): readonly Finding[] {
  const shown = new Map<string, string>()
  return Object.keys(input?.mcpServers ?? {}).flatMap((name): readonly Finding[] => {
    const key = name.replaceAll('.', '_').toLowerCase()
    const other = shown.get(key)
    shown.set(key, other ?? name)
    if (other === undefined) return []
    const path = ['mcpServers', name]
    const message = `${path.join('.')} cannot be told from the server ${JSON.stringify(other)}; rename one of them`
    return [{ file: label, ...yaml.keyPositionOf(path), level: 'error', message }]
  })
}
