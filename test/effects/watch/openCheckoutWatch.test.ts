import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandEffects, EffectsReport } from '../../../src/contracts/effects.ts'
import { namesOf, WRITE, watchedProject } from '../../helpers/runs/watchedProject.ts'
import { sampled } from '../../helpers/sampled.ts'
import { readScenes } from '../../helpers/scenes.ts'

const LASTING: CommandEffects = { access: 'direct', mayChangeGit: false, by: 'server' }

/** What a report says, as the scenes write it; `...` in a scene stands for what it does not name. */
function said(root: string, report: EffectsReport): string {
  const { kept, leftOut, undone } = namesOf(root, report)
  const parts = [
    ['kept', kept],
    ['left out', leftOut],
    ['undone', undone],
    ['unknown', report.unknown === undefined ? [] : [report.unknown.replaceAll(root, 'ROOT')]],
  ] as const
  const words = parts.flatMap(([name, paths]) => (paths.length === 0 ? [] : [`${name} ${paths.join(' ')}`]))
  return words.length === 0 ? 'nothing' : words.join(', ')
}

async function play(lines: readonly string[]): Promise<void> {
  const prepared = lines.find((line) => line.startsWith('prepare '))
  const {
    root,
    sh,
    watch,
    account,
    play: alone,
    meanwhile,
    onAfter,
    onReady,
    differences,
  } = watchedProject(prepared?.slice(8))
  const begun: Record<string, Awaited<ReturnType<typeof watch.watch>>> = {}
  let last: EffectsReport | undefined
  const judged = (report: EffectsReport | undefined, expected: string | undefined): void => {
    if (report === undefined) throw new Error('nothing was begun')
    last = report
    expect(report.state).toBe('watched')
    const [start, ...more] = (expected ?? '').split('...')
    if (more.length === 0) expect(said(root, report)).toBe(expected)
    else for (const part of [start, ...more]) expect(said(root, report)).toContain(part)
    if (!expected?.includes('unknown')) expect(report.unknown).toBeUndefined()
    if (!expected?.includes('undone')) expect(report.undone).toEqual([])
  }
  for (const line of lines) {
    const [, step = '', words = '', expected] =
      /^(alone|begin|look|end|in the judgement|after it|once known|\w+) ?(.*?)(?: ?=> (.*))?$/.exec(line) ?? []
    const inRoot = (paths: string) => paths.split(' ').flatMap((path) => (path === '' ? [] : [join(root, path)]))
    if (step === 'alone') {
      const [, access = 'write', script = ''] = /^(?:(scratch|read): )?(.*)$/.exec(words) ?? []
      judged(await alone(script, { ...WRITE, access: access as CommandEffects['access'] }), expected)
    } else if (step === 'begin') begun[words] = await watch.watch(words === '' ? LASTING : WRITE)
    else if (step === 'look') judged(await begun['']?.look(), expected)
    else if (step === 'end') judged(await begun[words]?.settle(), expected)
    else if (step === 'sh') sh(words)
    else if (step === 'note') await watch.change(inRoot(words), async () => undefined)
    else if (step === 'close') await watch.close()
    else if (step === 'in the judgement') meanwhile(words)
    else if (step === 'after it') onAfter(words)
    else if (step === 'once known') onReady(words)
    else if (step === 'why') expect(last?.undone.map(({ why }) => why).join()).toBe(words)
    else if (step === 'differs') expect(differences().join(' ')).toBe(words)
    else if (step === 'unaccounted') expect((await account.report()).unaccounted).toEqual(inRoot(words))
    else if (step === 'account') {
      const { changes } = await account.report()
      expect(changes.map(({ path, by }) => `${path} by ${by?.join(' ')}`).join(', ')).toBe(words)
    } else if (step !== 'prepare') throw new Error(`no step: ${line}`)
  }
}

describe.each(readScenes(join(import.meta.dirname, 'openCheckoutWatch.txt')))('%s', (_, scenes) => {
  for (const [title, lines] of scenes) {
    const [, name = title] = /^(.*) \(long\)$/.exec(title) ?? []
    it(name, name === title ? {} : { tags: 'long' }, () => play(lines))
  }
})

describe('a command that is watched', () => {
  it('restores all that it may not change, wherever that lies and whatever hides it', async () => {
    const { root, play, differences } = watchedProject(
      [
        'echo .env >> .gitignore; echo S=1 > .env; mkdir -p dist/w; echo > dist/held; echo gitdir: x > dist/w/.git',
        'mkdir -p .kode-worktrees/w; echo .kode-worktrees >> .gitignore; echo a > .kode-worktrees/w/a',
        'ln -s docs docs-link; git init -q src/own; (cd src/own; git commit -qm x --allow-empty)',
      ].join('; '),
    )
    const report = await play(
      [
        'echo b > docs/a; mkdir docs/n; echo > docs/n/x; chmod 0 docs/n; ln -sfn src docs-link; echo b > src/a',
        'rm .env; echo b > dist/held; ln -s ../../x dist/out; ln -s ../.. src/out; cp /bin/true src/true; chmod 4755 src/true',
        'git init -q src/inner; git init -q dist; rm dist/w/.git; git init -q dist/w; git -C src/own config core.x y; echo b > .kode-worktrees/w/a',
        'echo "#!/bin/sh" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git config core.fsmonitor ./x',
        'echo /x > .git/objects/info/alternates; git update-index --add --cacheinfo 100644,$(git rev-parse :src/a),docs/b',
        `echo b > $'docs/\\xfe'; echo "*" > .gitignore; echo "*" > docs/.gitignore`,
      ].join('; '),
    )
    const { kept, leftOut, undone } = namesOf(root, report)
    expect([kept, report.unknown, differences()]).toEqual([[], undefined, []])
    const places = [...leftOut, ...undone].map((path) => path.replace(/\/\.git\/.*/, '/.git'))
    expect([...new Set(places)].sort()).toEqual([
      ...['.env', '.git/config', '.git/index', '.git/objects/info/alternates', '.gitignore', '.kode-worktrees/w/a'],
      ...['dist/.git', 'dist/held', 'dist/out', 'dist/w/.git', 'docs-link', 'docs/a'],
      ...['src/inner/.git', 'src/out', 'src/own/.git', 'src/true'],
    ])
  })

  it('restores a file whose name is not UTF-8', { tags: 'long' }, async () => {
    const { root, sh, watch } = watchedProject("echo a > $'docs/\\xff'")
    const watched = await watch.watch(WRITE)
    sh("rm $'docs/\\xff'; echo b > $'docs/\\xff'; echo b > src/a")
    const { kept, undone, unknown } = await watched.settle()
    expect([kept, undone.map(({ why }) => why), unknown]).toEqual([[], ['its name is not UTF-8'], undefined])
    sh(`test "$(cat ${root}/docs/*)" = "$(printf 'a\\na')"; test "$(cat src/a)" = a; test "$(ls docs | wc -l)" = 2`)
  })

  it.each(
    sampled(
      [
        ['all, with the repository', 'git gc -q', 'rm -rf .git'],
        ['all, to where a link leads', 'true', 'mv .git src/g; ln -s src/g .git'],
        [
          'those that an index of a pack only claims to have',
          'true',
          `node -e '
            const { execFileSync } = require("child_process")
            const names = execFileSync("git", ["cat-file", "--batch-check=%(objectname)", "--batch-all-objects"])
            const fan = Buffer.alloc(8 + 256 * 4, 255)
            const index = Buffer.concat([fan, Buffer.from(String(names).replace(/\\n/g, ""), "hex"), Buffer.alloc(40)])
            require("fs").mkdirSync(".git/objects/pack", { recursive: true })
            require("fs").writeFileSync(".git/objects/pack/pack-" + "a".repeat(40) + ".idx", index)
          '; rm -rf .git/objects/??`,
        ],
        [
          'those that a command of git prunes',
          'git update-ref -d refs/heads/x; git reset -q; echo lost | git hash-object -w --stdin',
          'git prune',
        ],
      ],
      1,
    ),
  )('restores git objects: %s', async (_, prepare, script) => {
    const { play, sh } = watchedProject('git checkout -q -b x')
    sh('git tag t')
    sh(prepare)
    const { unknown, kept } = await play(script)
    expect([unknown, kept]).toEqual([undefined, []])
    sh('git fsck --strict; git cat-file -p t:src/a; test ! -e ../away || test -z "$(ls ../away)"')
  })

  it('is not blamed for a worktree that kode-run makes meanwhile, but for what it writes beside it', async () => {
    const { root, sh, watch } = watchedProject()
    const background = await watch.watch(LASTING)
    const places = () => ({ own: [join(root, 'tree'), join(root, 'other')], shared: [join(root, 'docs/shared')] })
    await watch.changeWorktree(places, async () =>
      sh('mkdir -p tree/in; echo > tree/in/x; echo > docs/shared; echo > docs/b'),
    )
    expect(namesOf(root, await background.settle())).toEqual({ kept: [], leftOut: ['docs/b'], undone: [] })
    sh('test -e tree/in/x; test -e docs/shared; test ! -e docs/b')
  })

  it('is compared as a whole though the end of the run is near', async () => {
    const { root, sh, watch } = watchedProject()
    const watched = await watch.watch(WRITE)
    sh('echo b > src/a; echo b > docs/a')
    const [report] = await Promise.all([watched.settle(), watch.close()])
    expect(namesOf(root, report)).toEqual({ kept: [], leftOut: [], undone: ['docs/a'] })
    sh('test "$(cat docs/a src/a)" = "$(printf "a\\na")"')
  })
})
