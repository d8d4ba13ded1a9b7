import type { ContentFault } from './describeIssue.ts'

/** The keys of a policy whose feature is not built yet, each refused by name. `keys` are paths: `run.answers`. */
export function unbuiltKeys(data: object, keys: readonly string[]): readonly ContentFault[] {
  return keys.flatMap((key) => {
    const path = key.split('.')
    const value = path.reduce<unknown>(
      (parent, name) => (typeof parent === 'object' && parent !== null ? Reflect.get(parent, name) : undefined),
      data,
    )
    return value === undefined ? [] : [{ path, isKey: true, message: `\`${key}\` is not supported yet` }]
  })
}
