import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { countIndexed, findGitContents, writeGitContents } from '../../../src/effects/watch/gitContents.ts'
import { surveyFiles } from '../../../src/effects/watch/surveyFiles.ts'
import { findRepositories } from '../../../src/git/repository/findRepositories.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { RUN_GIT, WRITE, watchedProject } from '../../helpers/runs/watchedProject.ts'
import { table } from '../../helpers/table.ts'

/** A repository `p` with committed files `a`, `d/x` (executable) and `.gitignore`, and an index that is younger than they are. */
function repository(prepare = 'true', init = '') {
  const folder = makeFiles({ 'p/a': 'one\n', 'p/d/x': 'two\n', 'p/.gitignore': 'dist\n' })
  const root = join(folder, 'p')
  const identity = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: folder }
  const env = { ...process.env, ...identity }
  const sh = (text: string) => execFileSync('sh', ['-ec', text], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })
  const commit = 'git add -A; git -c user.name=a -c user.email=a@b commit -qm start; touch -d "1 minute" .git/index'
  sh(`git init -q ${init}; chmod 755 d/x; ${commit}; ${prepare}`)
  const find = async () => {
    const repositories = findRepositories([root])
    const sight = { roots: [root], repositories, isScratch: () => undefined, isWide: true }
    return findGitContents((await surveyFiles(sight)).found, repositories, RUN_GIT)
  }
  const names = async () => [...(await find()).keys()].map((path) => path.slice(root.length + 1)).sort()
  return { root, folder, sh, commit, find, names }
}
const younger = 'touch -d "1 minute" .git/index'

describe('the contents that git has', () => {
  it.each(table`
    of what is as the index says | true | a d/x
    not of what was written, also with the same bytes | echo one > a | d/x
    not of what has another mode | chmod 600 a | d/x
    not of what is not tracked | echo > new | a d/x
    not of what was not written before the index | touch -d "1 minute ago" .git/index |
    not of what git was told to overlook | git update-index --assume-unchanged a; ${younger} | d/x
    not of a file in conflict
      | b=$(git hash-object a); git rm -q --cached a; echo "100644 $b 1	a" |git update-index --index-info; ${younger} | d/x
    not of a link | ln -s a l; git add l; ${younger} | a d/x
    not of other ends of lines than git has
      | printf 'x\\r\\n' > c; git -c core.autocrlf=true add c 2>&1; ${younger} | a d/x
    not of what git has lost | rm .git/objects/$(git hash-object a |sed "s,^..,&/,") | d/x
    none where a filter may make other bytes | echo 'x filter=y' > .gitattributes |
    none where one is named beside the checkout | mkdir -p .git/info; echo 'x filter=y' > .git/info/attributes |
    where the filter is that of large files, which changes the size | echo '* filter=lfs' > .gitattributes | a d/x
    none where objects lie elsewhere
      | mkdir -p .git/objects/info; echo /elsewhere > .git/objects/info/alternates |
    none of a repository with SHA-256 | true | | --object-format=sha256
    none without an index | rm .git/index |
  `)('%s', async (_, prepare = '', names = '', init = '') => {
    expect((await repository(prepare, init).names()).join(' ')).toBe(names)
  })

  it('are as many as the index names at most', async () => {
    const { root, sh } = repository()
    const repositories = findRepositories([root])
    expect(countIndexed(repositories)).toBe(3)
    sh('rm .git/index')
    expect(countIndexed(repositories)).toBe(0)
  })

  it('are written as files, but not those that are other bytes by now', async () => {
    const { root, folder, sh, find } = repository()
    const found = await find()
    const object = sh('git hash-object d/x | sed "s,^..,.git/objects/&/,"').trim()
    chmodSync(join(root, object), 0o600)
    writeFileSync(join(root, object), deflateSync('blob 4\0bad\n'))
    mkdirSync(join(folder, 'to'))
    const written = await writeGitContents(found, join(folder, 'to'), RUN_GIT)
    expect([...written].map(([path, file]) => [path.slice(root.length + 1), readFileSync(file, 'utf8')])).toEqual([
      ['a', 'one\n'],
    ])
  })
})

describe('a large checkout', () => {
  it.each([
    ['a changed file', 'echo b > docs/a; echo b > src/a; echo > src/n'],
    ['one of the same size in the place of it', 'echo c > n; mv n docs/a; touch -d 2020-01-01 docs/a'],
    ['a removed folder', 'rm -r docs'],
    ['a mode', 'chmod 711 docs; chmod 600 docs/a'],
    ['a folder in the place of a file', 'rm docs/a; mkdir docs/a; echo > docs/a/x'],
    ['what git packed and pruned since', 'echo b > docs/a; git gc -q --prune=now'],
    ['what git lost', 'rm -rf .git/objects; echo b > docs/a'],
  ])('gets back %s, and nothing was copied before', async (_, script) => {
    const { play, differences, root } = watchedProject(
      'chmod 751 docs/a; touch -d 2020-01-01 docs/a; echo zebra77 > docs/b',
      true,
    )
    const report = await play(script)
    expect([report.unknown, report.kept]).toEqual([undefined, []])
    expect(differences().filter((path) => !path.startsWith('.git/'))).toEqual([])
    expect(readFileSync(join(root, '../images/pack'), 'utf8')).not.toContain('zebra77')
  })

  it('is told what cannot come back, because the objects were written into', async () => {
    const { play, sh } = watchedProject('true', true)
    const { unknown } = await play(
      'chmod -R u+w .git/objects; for f in .git/objects/??/*; do echo bad > $f; done; echo b > docs/a',
    )
    expect(unknown).toMatch(/could not be restored: \S+docs\/a; \d+ git objects/)
    sh('test "$(cat docs/a)" = b')
  })

  it('keeps what is allowed, with the old state in the account', async () => {
    const { play, account, root } = watchedProject('true', true)
    const { kept } = await play('echo b > src/a')
    expect(kept.map(({ path }) => path)).toEqual([join(root, 'src/a')])
    expect((await account.report()).patch).toContain('-a\n+b\n')
  })

  it('is read before a command needs it only where nothing has to be copied for that', async () => {
    const files = Array.from({ length: 60 }, (_, number) => `echo ${number} > src/f${number}`).join('; ')
    for (const [script, isLarge, isRead] of [
      ['echo zebra77 > docs/b', false, false],
      ['echo zebra77 > docs/b', true, false],
      [files, true, true],
      [`${files}; git init -q --bare ../else; echo "$PWD/../else/objects" > .git/objects/info/alternates`, true, false],
    ] as const) {
      const { watch, root, sh } = watchedProject(script, isLarge)
      sh('touch -d "1 minute" .git/index')
      const hasPack = () => existsSync(join(root, '../images/pack'))
      watch.prepare()
      await watch.change([], async () => undefined)
      expect(hasPack()).toBe(isRead)
      // Whatever was read: what changes before the command belongs to nobody.
      writeFileSync(join(root, 'src/between'), 'of nobody')
      const watched = await watch.watch(WRITE)
      expect((await watched.settle()).kept).toEqual([])
      expect(hasPack()).toBe(true)
      if (script.includes('zebra77'))
        expect(readFileSync(join(root, '../images/pack'), 'utf8').includes('zebra77')).toBe(!isLarge)
    }
  })
})
