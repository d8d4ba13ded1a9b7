import { describe, expect, it } from 'vitest'
import { type IncomingOptions, incomingChanges } from '../../../src/effects/git/incomingChanges.ts'

type Asked = string[]

/**
 * Changes that names bring in; a commit is a letter, and differs from another in a path of both. `tags` leads the names
 * of objects to commits; `parents` are the new commits.
 */
async function brought(
  change: Partial<Omit<IncomingOptions, 'git'>> & {
    parents?: Readonly<Record<string, string | undefined>>
    tags?: Readonly<Record<string, string>>
    git?: Partial<IncomingOptions['git']>
  },
) {
  const { parents = {}, tags = {}, git = {}, ...options } = change
  const asked: Asked = []
  const found = await incomingChanges({
    ...{ arrived: [], head: 'h', tips: ['h'], known: () => undefined, ...options },
    git: {
      commits: async (oids) => {
        asked.push(`commits ${oids.join(' ')}`)
        return oids.map((oid) => tags[oid] ?? oid)
      },
      newCommits: async (commits, tips) => {
        asked.push(`new ${commits.join(' ')} not ${tips.join(' ')}`)
        return Object.entries(parents).map(([commit, parent]) => ({ commit, parent }))
      },
      differences: async (pairs) => {
        asked.push(`diff ${pairs.map(({ commit, base }) => `${base ?? 'nothing'}..${commit}`).join(' ')}`)
        return pairs.map(({ commit, base }) => [
          { path: `${base ?? 'nothing'}-${commit}`, mode: '100644', oid: commit },
        ])
      },
      ...git,
    },
  })
  return { asked, found: typeof found === 'string' ? found : found.map(({ path, by }) => `${path} by ${by}`) }
}
const moved = (name: string, before: string | undefined, now: string) => ({ name, before, now })

describe('what moved names bring in', () => {
  it('is nothing where none has moved', async () => {
    expect(await brought({})).toEqual({ found: [], asked: [] })
  })

  it('is, of a new commit on a branch, what it changes, looked at once', async () => {
    const { found, asked } = await brought({
      arrived: [moved('refs/heads/x', 'h', 'a'), moved('HEAD', 'h', 'a')],
      parents: { a: 'h' },
    })
    expect(found).toEqual(['h-a by refs/heads/x'])
    expect(asked.sort()).toEqual(['diff h..a', 'new a not h'])
  })

  it('is what each new commit changes, and what lies between the ends', async () => {
    const { found } = await brought({ arrived: [moved('refs/heads/x', 'h', 'b')], parents: { a: 'h', b: 'a' } })
    expect(found).toEqual(['h-b by refs/heads/x', 'h-a by commit a', 'a-b by commit b'])
  })

  it('is, of a name that moves to a commit that was there, the difference alone', async () => {
    const { found, asked } = await brought({ arrived: [moved('refs/heads/x', 'h', 't')], tips: ['h', 't'] })
    expect([found, asked]).toEqual([['h-t by refs/heads/x'], ['diff h..t']])
  })

  it('is nothing of a new name for a commit that was there', async () => {
    const { found, asked } = await brought({ arrived: [moved('refs/heads/n', undefined, 't')], tips: ['h', 't'] })
    expect([found, asked]).toEqual([[], []])
  })

  it('is, of a new name for another commit, only that commit has to be one', async () => {
    const arrived = [moved('refs/heads/n', undefined, 'old')]
    expect(await brought({ arrived })).toEqual({ found: [], asked: ['new old not h', 'commits old'] })
    expect((await brought({ arrived, git: { commits: async () => ['other'] } })).found).toBe(
      'a new ref points to no commit',
    )
    expect((await brought({ arrived, git: { commits: async () => undefined } })).found).toBe(
      'a new ref points to no commit',
    )
  })

  it('is, of a name that comes back, the difference from where it pointed', async () => {
    const known = (name: string) => (name === 'refs/heads/x' ? 'was' : undefined)
    const { found } = await brought({ arrived: [moved('refs/heads/x', undefined, 't')], tips: ['h', 't'], known })
    expect(found).toEqual(['was-t by refs/heads/x'])
  })

  it('is, of a HEAD that was not there, the difference from the old one, or everything', async () => {
    const arrived = [moved('/m/.git/worktrees/w/HEAD', undefined, 't')]
    expect((await brought({ arrived, tips: ['t'] })).found).toEqual(['h-t by /m/.git/worktrees/w/HEAD'])
    expect((await brought({ arrived, tips: ['t'], head: undefined })).found).toEqual([
      'nothing-t by /m/.git/worktrees/w/HEAD',
    ])
  })

  it('is, of a commit without parents, all that differs from the old HEAD', async () => {
    const arrived = [moved('refs/heads/n', undefined, 'root')]
    expect((await brought({ arrived, parents: { root: undefined } })).found).toEqual(['h-root by commit root'])
    expect((await brought({ arrived, parents: { root: undefined }, head: undefined })).found).toEqual([
      'nothing-root by commit root',
    ])
  })

  it('is named by the first figures of a commit', async () => {
    const commit = '0123456789abcdef'
    const { found } = await brought({ arrived: [moved('refs/heads/n', undefined, commit)], parents: { [commit]: 'h' } })
    expect(found).toEqual([`h-${commit} by commit 0123456789`])
  })
})

describe('what a tag brings in', () => {
  it('is what its commit does, before and after', async () => {
    const tags = { tag: 'a', old: 'h' }
    const { found, asked } = await brought({ arrived: [moved('refs/tags/t', 'old', 'tag')], parents: { a: 'h' }, tags })
    expect(found).toEqual(['h-a by refs/tags/t'])
    expect(asked[0]).toBe('commits tag old')
    expect((await brought({ arrived: [moved('refs/tags/t', undefined, 'tag')], tips: ['a'], tags })).found).toEqual([])
  })

  it('cannot be told if it leads to no commit', async () => {
    const arrived = [moved('refs/tags/t', undefined, 'tag')]
    for (const commits of [async () => undefined, async () => []])
      expect((await brought({ arrived, git: { commits } })).found).toBe('git cannot tell which commits the tags name')
  })

  it('is never sought for a branch of such a name', async () => {
    const { asked } = await brought({ arrived: [moved('refs/heads/refs/tags/x', 'h', 't')], tips: ['t'] })
    expect(asked).toEqual(['diff h..t'])
  })
})

describe('what git cannot tell', () => {
  const arrived = [moved('refs/heads/x', 'h', 'a')]
  const SENTENCE = 'git cannot tell what refs/heads/x brings'
  it.each<[string, Partial<IncomingOptions['git']>]>([
    ['which commits are new', { newCommits: async () => undefined }],
    ['what the ends differ in', { differences: async () => undefined }],
    [
      'what a commit changes',
      { differences: async (pairs) => (pairs.some(({ commit }) => commit === 'b') ? undefined : pairs.map(() => [])) },
    ],
  ])('is said: %s', async (_, git) => {
    expect((await brought({ arrived, parents: { b: 'a' }, git })).found).toBe(SENTENCE)
  })
})
