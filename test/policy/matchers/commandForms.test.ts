import { describe, expect, it } from 'vitest'
import type { Word } from '../../../src/contracts/subject.ts'
import { formsOf } from '../../../src/policy/matchers/commandForms.ts'

const LATE: Word = { kind: 'dynamic' }
const MANY: Word = { kind: 'many' }
const GLOB: Word = { kind: 'glob', value: '*.x' }
/** Known to the command by its value, to the model as it was written. */
const HOME: Word = { kind: 'literal', value: '/home/me/a', written: '~/a' }

/** The forms with a space between words, and `?` for what is known only at run time. */
function seen(...words: readonly (string | Word)[]) {
  const argv = words.map((word): Word => (typeof word === 'string' ? { kind: 'literal', value: word } : word))
  const { name, allowTexts, denyTexts } = formsOf({ argv, cover: 'wildcard' })
  const show = (text: string) => text.replaceAll('\0', ' ').replaceAll('\u0001', '?')
  return { name, allow: [...new Set(allowTexts.map(show))], deny: denyTexts.map((parts) => parts.map(show).join('|')) }
}

describe('a command is compared', () => {
  it.each<[string, readonly (string | Word)[], ReturnType<typeof seen>]>([
    ['as it stands', ['ls', 'a'], { name: 'ls', allow: ['ls a'], deny: ['ls a'] }],
    [
      'with git’s harmless options, and without them',
      ['git', '--no-pager', '-P', 'push', 'x'],
      {
        ...{ name: 'git', allow: ['git --no-pager -P push x', 'git push x'] },
        deny: ['git --no-pager -P push x', 'git push x'],
      },
    ],
    [
      'by a deny without any of git’s options, and their values',
      ['git', '-c', 'a=b', '-C', 'd', '--git-dir=x', 'push'],
      {
        ...{ name: 'git', allow: ['git -c a=b -C d --git-dir=x push'] },
        deny: ['git -c a=b -C d --git-dir=x push', 'git push'],
      },
    ],
    [
      'where nothing but options stands',
      ['git', '-P'],
      { name: 'git', allow: ['git -P', 'git'], deny: ['git -P', 'git'] },
    ],
    [
      'by a deny under the name of its program too',
      ['/bin/Git', '-P', 'push'],
      {
        ...{ name: 'git', allow: ['/bin/Git -P push'] },
        deny: ['/bin/Git -P push', '/bin/Git push', 'git -P push', 'git push'],
      },
    ],
    ['in other letters', ['LS', 'a'], { name: 'ls', allow: ['LS a'], deny: ['LS a', 'ls a'] }],
    [
      'as it was written, and as the command gets it',
      ['/bin/cat', HOME, 'x'],
      {
        ...{ name: 'cat', allow: ['/bin/cat /home/me/a x', '/bin/cat ~/a x'] },
        deny: ['/bin/cat /home/me/a x', '/bin/cat ~/a x', 'cat /home/me/a x', 'cat ~/a x'],
      },
    ],
    [
      'up to what is unknown, and from there',
      ['cat', HOME, LATE, 'x', GLOB],
      {
        ...{ name: 'cat', allow: ['cat /home/me/a ? x *.x', 'cat ~/a ? x *.x'] },
        deny: ['cat /home/me/a | x |', 'cat ~/a | x |'],
      },
    ],
    ['where words of any number are unknown', ['ls', MANY], { name: 'ls', allow: ['ls ?'], deny: ['ls |'] }],
    ['where its name is unknown', [LATE, 'x'], { name: undefined, allow: ['? x'], deny: ['| x'] }],
    ['where its name is a wildcard', [GLOB, 'x'], { name: undefined, allow: ['*.x x'], deny: ['| x'] }],
    ['where there is none', [], { name: undefined, allow: [''], deny: [''] }],
  ])('%s: %j', (_, words, expected) => expect(seen(...words)).toEqual(expected))

  it('by forms that are made once', () => {
    const link = { argv: [{ kind: 'literal', value: 'ls' }], cover: 'wildcard' } as const
    expect(formsOf(link)).toBe(formsOf(link))
  })
})
