import { describe, expect, it } from 'vitest'
import type { Behavior } from '../../../src/contracts/decision.ts'
import { formsOf, isPathCovered, isPathDenied, parsePathPatterns } from '../../../src/policy/matchers/path.ts'
import { listOf, table } from '../../helpers/table.ts'

const ANCHORS = { cwd: '/p', home: '/home/me' }
const patterns = (text: string, list: Behavior) => parsePathPatterns(text, list, ANCHORS)
const covers = (text: string, path: string, access: 'read' | 'write' = 'write') =>
  patterns(text, 'allow').some((pattern) => isPathCovered(pattern, path, access))
const denies = (text: string, path: string) => patterns(text, 'deny').some((pattern) => isPathDenied(pattern, path))

/** A row: a pattern, places that it means, and others. */
const parts = (means: (pattern: string, path: string) => boolean) => (pattern: string, those: string, others: string) =>
  expect([...listOf(those), ...listOf(others)].filter((path) => means(pattern, path))).toEqual(listOf(those))

describe('an allow covers', () => {
  it.each(table`
    a     | /p/a, /p/b/a | /q/a
    ./a   | /p/a         | /p/b/a
    /a    | /p/a         | /a
    //a   | /a           | /p/a
    ../a  | /a           | /p/a
    ..    | /            |
    .a    | /p/b/.a      |
    ..a   | /p/b/..a     |
    a..   | /p/b/a..     |
    ~/a   | /home/me/a   | /p/a
    a/b   | /p/a/b       | /p/x/a/b
    **/b  | /p/x/y/b     | /q/b
    a/../b | /p/b        |
  `)('from where it starts: %s', parts(covers))

  it.each(table`
    a       | /p/a               | /p/a/x
    a/      | /p/a/x             | /p/a
    ./a/    | /p/a/x/y           | /p/ab
    a/**    | /p/a/x/y           | /p/a
    a*/     | /p/ab/x            | /p/ab, /p/b
    ./a*/   | /p/ab/x            |
    ./a*/** | /p/ab/x/y          | /p/ab
    **      | /p/x/y             | /q
    /**     | /p/x               |
    //**    | /x                 |
    *       | /p/x               |
    ./*     | /p/x               | /p/x/y
    .       | /p/x               |
    ~       | /home/me/x         |
  `)('as far as it says: %s', parts(covers))

  it.each(table`
    ./*.txt   | /p/.txt   |
    ./a?c     | /p/abc    |
    ./[ab]    | /p/b      | /p/[ab]
    ./\\*     | /p/*      | /p/x
    ./\\**    | /p/*x     |
    ./#*      | /p/#x     |
    ./!(a)*   | /p/!(a)b  |
    ./{a,b}/c | /p/b/c    |
    ./A       |           | /p/a
    ./a*      |           | /p/AB
  `)('by these signs, and letters as they are: %s', parts(covers))

  it('without the white space around it', () => expect(covers(' a/b ', '/p/a/b')).toBe(true))

  it.each(table`
    ./a/    | /p/a           |
    ./a/**  | /p/a           |
    ./a*/** | /p/ab          | /p/b
    ./a*/   | /p/ab, /p/ab/x | /p/b
    **      | /p             |
    ./*     |                | /p
    ./a*    | /p/ab          | /p/ab/x
  `)(
    'the list of a folder for who may look into it: %s',
    parts((pattern, path) => covers(pattern, path, 'read')),
  )
})

describe('a deny means', () => {
  it.each(table`
    .env     | /p/.env, /p/a/.env, /q/.env |
    *.pem    | /q/a.pem                    |
    a/b      | /q/x/a/b                    |
    a/*.pem  | /q/a/x.pem                  |
    **/a/b/c | /q/a/b/c                    |
    **/a     | /q/a                        |
  `)('a name at any depth, in the project and outside: %s', parts(denies))

  it.each(table`
    a/b/c  | /p/a/b/c          | /q/a/b/c
    */b    | /p/a/b            | /q/a/b
    /.env  | /p/.env           | /p/a/.env
    /**/x  | /p/a/x            | /q/a/x
    **     | /p/x              | /q/x
    *      | /p/x              | /q/x
    ~/.ssh | /home/me/.ssh/id  |
    //etc  | /etc/passwd       | /p/etc
    ../x   | /x/y              |
  `)('or where it is written: %s', parts(denies))

  it.each(table`
    a    | /p/a/b/c |
    a/** | /p/a     |
    a/   | /p/a     |
    ./a* | /p/ab/x  |
    ./a  |          | /p/ab
    //   | /x       |
  `)('what lies below, and the folder itself: %s', parts(denies))

  it.each(table`
    .ENV     | /p/.env        |
    ./Docs/* | /p/docs/a      |
    //Etc/x  | /etc/X         |
    caf\u00e9 | /p/cafe\u0301 |
    ./[id]   | /p/i, /p/[id]  | /p/x
    ./\\[id] | /p/[id]        | /p/i
  `)('any letters, composed or not, and brackets as a set and a name: %s', parts(denies))
})

it('a path is judged by each of its forms, and by none twice', () => {
  const forms = (lexical: string, resolved: string, physical: string) =>
    formsOf({ given: 'x', lexical, resolved, physical })
  expect(forms('/a', '/a', '/a')).toEqual(['/a'])
  expect(forms('/a', '/b', '/a')).toEqual(['/a', '/b'])
  expect(forms('/a', '/a', '/c')).toEqual(['/a', '/c'])
  expect(forms('/a', '/b', '/c')).toEqual(['/a', '/b', '/c'])
})
