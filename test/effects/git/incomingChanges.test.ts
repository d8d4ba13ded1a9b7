import { describe, expect, it } from 'vitest'
import { type IncomingOptions, incomingChanges } from '../../../src/effects/git/incomingChanges.ts'
import { listOf, table } from '../../helpers/table.ts'

/**
 * What names bring in that moved as `refs/heads/x h>a` says. A commit is a letter, and differs from others in one path.
 * `options`: `tips=h,t`, `head=` for none, `new=a<h,b<a` (new commits with their parents), `tags=tag:a` (what the names of
 * objects lead to), `known=x:a` (what a deleted name pointed to).
 */
async function brought(moves: string, options = '', git: Partial<IncomingOptions['git']> = {}) {
  const of = (key: string) => new RegExp(`(?:^| )${key}=(\\S*)`).exec(options)?.[1]
  const pairs = (key: string, sign: string) =>
    (of(key) ?? '').split(',').flatMap((each): [string, string | undefined][] => {
      const [from = '', to] = each.split(sign)
      return from === '' ? [] : [[from, to === '' ? undefined : to]]
    })
  const asked: string[] = []
  const found = await incomingChanges({
    arrived: listOf(moves).map((each) => {
      const [name = '', before, now = ''] = each.split(/ |>/)
      return { name, before: before === '' ? undefined : before, now }
    }),
    head: of('head') === '' ? undefined : 'h',
    tips: (of('tips') ?? 'h').split(','),
    known: (name) => new Map(pairs('known', ':')).get(name),
    git: {
      commits: async (oids) => {
        asked.push(`commits ${oids.join(' ')}`)
        return oids.map((oid) => new Map(pairs('tags', ':')).get(oid) ?? oid)
      },
      newCommits: async (commits, tips) => {
        asked.push(`new ${commits.join(' ')} not ${tips.join(' ')}`)
        return pairs('new', '<').map(([commit, parent]) => ({ commit, parent }))
      },
      differences: async (all) => {
        asked.push(`diff ${all.map(({ commit, base }) => `${base ?? 'nothing'}..${commit}`).join(' ')}`)
        return all.map(({ commit, base }) => [{ path: `${base ?? 'nothing'}-${commit}`, mode: '100644', oid: commit }])
      },
      ...git,
    },
  })
  return {
    asked,
    found: typeof found === 'string' ? found : found.map(({ path, by }) => `${path} by ${by}`).join(', '),
  }
}

const LONG = '0123456789abcdef'

describe('what moved names bring in', () => {
  it.each(table`
    nothing where none has moved                                | | | |
    of a new commit on a branch what it changes, looked at once | refs/heads/x h>a, HEAD h>a | new=a<h
      | h-a by refs/heads/x | new a not h, diff h..a
    what each new commit changes, and what lies between the ends | refs/heads/x h>b | new=a<h,b<a
      | h-b by refs/heads/x, h-a by commit a, a-b by commit b | new b not h, diff h..b, diff h..a a..b
    of a name that moves to a commit that was there, the difference alone | refs/heads/x h>t | tips=h,t
      | h-t by refs/heads/x | diff h..t
    nothing of a new name for a commit that was there           | refs/heads/n >t | tips=h,t | |
    nothing of one for another commit, only that has to be one  | refs/heads/n >old | | | new old not h, commits old
    of a name that comes back, the difference from where it pointed | refs/heads/x >t | tips=h,t known=refs/heads/x:was
      | was-t by refs/heads/x | diff was..t
    of a HEAD that was not there, the difference from the old one | /m/worktrees/w/HEAD >t | tips=t
      | h-t by /m/worktrees/w/HEAD | diff h..t
    or everything, where there was none                         | /m/worktrees/w/HEAD >t | tips=t head=
      | nothing-t by /m/worktrees/w/HEAD | diff nothing..t
    of a commit without parents, all that differs from the old HEAD | refs/heads/n >root | new=root<
      | h-root by commit root | new root not h, diff h..root
    or everything, where there was no HEAD                      | refs/heads/n >root | new=root< head=
      | nothing-root by commit root | new root not h, diff nothing..root
    named by the first figures of a commit                      | refs/heads/n >${LONG} | new=${LONG}<h
      | h-${LONG} by commit 0123456789 | new ${LONG} not h, diff h..${LONG}
    of a tag what its commit does, before and after             | refs/tags/t old>tag | new=a<h tags=tag:a,old:h
      | h-a by refs/tags/t | commits tag old, new a not h, diff h..a
    nothing of a new tag of a commit that was there             | refs/tags/t >tag | tips=a tags=tag:a,old:h
      | | commits tag
    nothing about tags of a branch with such a name             | refs/heads/refs/tags/x h>t | tips=t
      | h-t by refs/heads/refs/tags/x | diff h..t
  `)('is %s', async (_, moves = '', options = '', expected = '', asked = '') => {
    expect(await brought(moves, options)).toEqual({ found: expected, asked: listOf(asked) })
  })

  const CANNOT = 'git cannot tell what refs/heads/x brings'
  const none = async () => undefined
  const NO_COMMIT = 'a new ref points to no commit'
  const NO_TAGS = 'git cannot tell which commits the tags name'
  const notOfB: IncomingOptions['git']['differences'] = async (pairs) =>
    pairs.some(({ commit }) => commit === 'b') ? undefined : pairs.map(() => [])
  it.each<[string, Partial<IncomingOptions['git']>, string, string]>([
    ['a new name leads to another commit', { commits: async () => ['other'] }, 'refs/heads/n >old', NO_COMMIT],
    ['a new name leads to none', { commits: none }, 'refs/heads/n >old', NO_COMMIT],
    ['a tag leads to none', { commits: none }, 'refs/tags/t >tag', NO_TAGS],
    ['there are less commits than tags', { commits: async () => [] }, 'refs/tags/t >tag', NO_TAGS],
    ['which commits are new', { newCommits: none }, 'refs/heads/x h>a', CANNOT],
    ['what the ends differ in', { differences: none }, 'refs/heads/x h>a', CANNOT],
    ['what a commit changes', { differences: notOfB }, 'refs/heads/x h>a', CANNOT],
  ])('is not told where git cannot tell, or tells that %s', async (_, git, moves, sentence) => {
    expect((await brought(moves, moves.startsWith('refs/heads/x') ? 'new=b<a' : '', git)).found).toBe(sentence)
  })
})
