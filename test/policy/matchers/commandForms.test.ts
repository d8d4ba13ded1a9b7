import { describe, expect, it } from 'vitest'
import type { Word } from '../../../src/contracts/subject.ts'
import { formsOf } from '../../../src/policy/matchers/commandForms.ts'
import { listOf, table } from '../../helpers/table.ts'

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
  return { name, allow: [...new Set(allowTexts.map(show))], deny: denyTexts.map((parts) => parts.map(show).join(';')) }
}

/** `$` is known only at run time, `$@` may be several words, `~/a` was written so. */
const WORDS: Readonly<Record<string, Word>> = { $: LATE, '$@': MANY, '*.x': GLOB, '~/a': HOME }

describe('a command is compared', () => {
  // Its words; its name; how an allow sees it, between commas; how a deny does.
  it.each(table`
    as it stands                          | ls a                       | ls  | ls a                       | ls a
    with git’s harmless options and without | git --no-pager -P push x | git | git --no-pager -P push x, git push x | git --no-pager -P push x, git push x
    by a deny without any option of git   | git -c a=b -C d --git-dir=x push | git | git -c a=b -C d --git-dir=x push | git -c a=b -C d --git-dir=x push, git push
    where nothing but options stands      | git -P                     | git | git -P, git                | git -P, git
    by a deny under its program’s name    | /bin/Git -P push           | git | /bin/Git -P push           | /bin/Git -P push, /bin/Git push, git -P push, git push
    in other letters                      | LS a                       | ls  | LS a                       | LS a, ls a
    as it was written, and as it is got   | /bin/cat ~/a x             | cat | /bin/cat /home/me/a x, /bin/cat ~/a x | /bin/cat /home/me/a x, /bin/cat ~/a x, cat /home/me/a x, cat ~/a x
    up to what is unknown, and from there | cat ~/a $ x *.x            | cat | cat /home/me/a ? x *.x, cat ~/a ? x *.x | cat /home/me/a ; x ;, cat ~/a ; x ;
    where some words are unknown          | ls $@                      | ls  | ls ?                       | ls ;
    where its name is unknown             | $ x                        |     | ? x                        | ; x
    where its name is a wildcard          | *.x x                      |     | *.x x                      | ; x
  `)('%s: %s', (_, line, name, allow, deny) => {
    const told = seen(...line.split(' ').map((word) => WORDS[word] ?? word))
    expect(told).toEqual({ name: name === '' ? undefined : name, allow: listOf(allow), deny: listOf(deny) })
  })

  it('where there is none', () => expect(seen()).toEqual({ name: undefined, allow: [''], deny: [''] }))

  it('by forms that are made once', () => {
    const link = { argv: [{ kind: 'literal', value: 'ls' }], cover: 'wildcard' } as const
    expect(formsOf(link)).toBe(formsOf(link))
  })
})
