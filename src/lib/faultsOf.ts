/** What a schema found wrong, in one line: `type: Invalid option; tools.0: Invalid input`. */
export function faultsOf({ issues }: Issues): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ')
}

/** A `ZodError`, also of another copy of zod. */
type Issues = { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] }
