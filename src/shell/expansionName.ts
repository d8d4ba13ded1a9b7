import type { WordPart } from 'unbash'

export type Expansion = Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' }>

/** The variable that `$NAME` or `${NAME}` stands for; undefined where anything is done to its value. */
export function expansionName(part: Expansion): string | undefined {
  if (part.type === 'SimpleExpansion') return part.text.slice(1)
  return part.prefix || part.index || part.operation ? undefined : part.parameter
}
