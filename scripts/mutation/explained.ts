/** Mutants that no test can notice, or that no promise forbids, in the words of `npm run mutate`, with the reason. */
export type Explained = { readonly file: string; readonly why: string; readonly mutants: readonly string[] }

export const explained: readonly Explained[] = []
