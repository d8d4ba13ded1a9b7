import type { ContentFault } from './describeIssue.ts'

/** The policy keys whose feature is not built yet, each rejected by name. `keys` are paths: `run.answers`. */
export function unsupportedKeys(data: object, keys: readonly string[]): readonly ContentFault[] {
  return keys.flatMap((key) => {
    const path = key.split('.')
    const value = path.reduce<unknown>(
      (parent, name) => (typeof parent === 'object' && parent !== null ? Reflect.get(parent, name) : undefined),
      data,
    )
    return value === undefined ? [] : [{ path, isKey: true, message: `\`${key}\` is not supported yet` }]
  })
}
