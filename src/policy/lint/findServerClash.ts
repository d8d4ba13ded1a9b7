import type { PolicySource } from '../load/readPolicyFiles.ts'
import type { Finding } from '../Policy.ts'

/**
 * An error for every server whose tool names clash with another server's: they differ only in case, or in `.` and `_`.
 */
export function findServerClash({ input, label, yaml }: PolicySource): readonly Finding[] {
  const shown = new Map<string, string>()
  return Object.keys(input?.mcpServers ?? {}).flatMap((name): readonly Finding[] => {
    const key = name.replaceAll('.', '_').toLowerCase()
    const other = shown.get(key)
    shown.set(key, other ?? name)
    if (other === undefined) return []
    const path = ['mcpServers', name]
    const message = `${path.join('.')} has the same tool names as the server ${JSON.stringify(other)}; rename one of them`
    return [{ file: label, ...yaml.keyPositionOf(path), level: 'error', message }]
  })
}
