import { describe, expect, it } from 'vitest'
import { mayContainCommand } from '../../../src/policy/matchers/command.ts'
import { parseCommandPattern } from '../../../src/policy/matchers/parseCommandPattern.ts'

function means(rule: string, text: string): boolean {
  const pattern = parseCommandPattern(rule)
  if ('error' in pattern) throw new Error(pattern.error)
  return mayContainCommand(pattern, text)
}

describe('mayContainCommand', () => {
  it.each([
    ['git push *', "git -c alias.p='push origin' p"],
    ['git push *', "git -c alias.p='!git push origin' p"],
    ['git push *', "PS4='$(git push origin)'; set -x; true"],
    ['git push *', "printf -v 'a[$(git push origin)]' x"],
    ['GIT push', "GIT_EDITOR='git push origin;' git commit --amend"],
    ['git  push', 'x=(git   push)'],
    ['g* push', 'push'],
    ['git "" push', 'git push'],
    ['git * push', 'x="$(git -C a push)"'],
  ])('%s may be matched by %s', (rule, text) => expect(means(rule, text)).toBe(true))

  it.each([
    ['another subcommand', 'git push *', 'git -c core.pager=less log'],
    ['one of its words', 'git push *', 'git pull'],
    ['a rule of stars alone', '* *', 'git push'],
    ['a part of a word', 'git push *', 'git -c alias.p=pushed p'],
    ['a rule for everything says nothing of a text', '*', 'git push'],
  ])('not: %s', (_, rule, text) => expect(means(rule, text)).toBe(false))
})
