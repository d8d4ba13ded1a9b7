import type { Word } from '../../contracts/subject.ts'

/**
 * Whether a word of the command overrides an option of the rule: `--no-dry-run` or `--dry-run=false` against
 * `--dry-run`, and the reverse. Rules know nothing else about the meaning of options.
 */
export function overridesRule(rule: readonly string[], argv: readonly Word[]): boolean {
  const own = new Set(rule)
  const fixed = rule.filter((word) => /^--[a-z]/i.test(word)).map(nameOf)
  if (fixed.length === 0) return false
  const end = argv.findIndex((word) => word.kind === 'literal' && word.value === '--')
  const others = argv
    .slice(1, end < 0 ? undefined : end)
    .flatMap((word) => (word.kind === 'literal' && !own.has(word.value) ? [word.value] : []))
  return others.some((word) => word.startsWith('--') && fixed.some((name) => isAgainst(name, word)))
}

function isAgainst(name: string, word: string): boolean {
  const other = nameOf(word)
  if (other === `no-${name}` || name === `no-${other}`) return true
  return other === name && /=(?:false|0|no|off|none|never)$/i.test(word)
}

function nameOf(option: string): string {
  return option.replace(/^--/, '').replace(/=.*$/s, '')
}
