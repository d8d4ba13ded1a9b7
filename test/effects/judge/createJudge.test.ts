import { describe, expect, it } from 'vitest'
import type { ChangeVerdict, PathChange } from '../../../src/contracts/effects.ts'
import { foldersWithContent, type JudgeOptions } from '../../../src/effects/judge/createJudge.ts'
import type { Ruling } from '../../../src/effects/judge/JudgeChanges.ts'
import { type PlayedCheckout, playChanges } from '../../helpers/effects/playChanges.ts'
import { sampled } from '../../helpers/sampled.ts'

function checkout(
  prepare: string,
  allowed = /^src(?:\/|$)/,
  options?: (root: string) => Partial<JudgeOptions>,
): PlayedCheckout {
  const played = playChanges(allowed, options)
  played.prepare(`git init -q; mkdir src docs; echo a > src/a; echo a > docs/a; ${prepare}`)
  played.prepare('git add -A; git commit -qm start')
  return played
}

const row = (why: string, script: string, verdicts: string[], prepare = 'true') => ({ why, script, verdicts, prepare })

describe('the ruling on a path', () => {
  it.each(
    sampled(
      [
        row('a rule covers what is changed, made, removed and re-moded below it', 'echo b > src/a; echo b > src/b', [
          'src/a covered',
          'src/b covered',
        ]),
        row('a removed file is judged like a changed one', 'rm src/a docs/a; rmdir src docs', [
          'docs refused',
          'docs/a refused',
          'src covered',
          'src/a covered',
        ]),
        row('so is a mode', 'chmod +x src/a docs/a', ['docs/a refused', 'src/a covered']),
        row('a new folder goes where its files go', 'mkdir -p lib/x src/x/y; echo > src/x/y/z', [
          'lib refused',
          'lib/x refused',
          'src/x covered',
          'src/x/y covered',
          'src/x/y/z covered',
        ]),
        row('a file in the place of a folder', 'rm -r docs; echo > docs', [
          'docs refused',
          'docs refused',
          'docs/a refused',
        ]),
        row('a moved file is removed and made', 'mv docs/a src/from', ['docs/a refused', 'src/from covered']),
        row(
          'a hard link is a file of its own: what it leads to is judged where it stands',
          'ln docs/a src/l; echo b > src/l',
          ['docs/a refused', 'src/l covered'],
        ),
      ],
      1,
    ),
  )('$why', async ({ script, verdicts, prepare }) => {
    expect((await checkout(prepare).play(script)).verdicts).toEqual(verdicts)
  })

  it('a folder may be created and removed if everything in it may be written', { tags: 'long' }, async () => {
    const played = checkout('true', /^(?:lib|gone)\/|^note\/one\.md$/)
    played.prepare('mkdir gone')
    const { verdicts } = await played.play('mkdir -p lib/x note; rmdir gone')
    expect(verdicts).toEqual(['gone covered', 'lib covered', 'lib/x covered', 'note refused'])
  })

  it('names the rule that denies', async () => {
    const rule = { text: 'Edit(src/secret)', list: 'deny', file: 'policy.yml', line: 3 } as const
    const ruled = (path: string): Ruling =>
      path.endsWith('secret') ? { behavior: 'deny', rule } : { behavior: 'allow' }
    const played = checkout('true', /^/, () => ({ ruled }))
    const { verdicts, reasons } = await played.play('echo > src/secret; echo > src/b')
    expect(verdicts).toEqual(['src/b covered', 'src/secret refused'])
    expect(reasons['src/secret']).toBe('denied by Edit(src/secret)')
  })
})

describe('an ignored file needs no rule', () => {
  const ignored = 'printf "dist/\\n*.log\\n/only-here\\n!keep.log\\n" > .gitignore'
  it.each(
    sampled(
      [
        row(
          'an ignored folder with all that is in it, also names that are protected elsewhere',
          'mkdir -p dist/x/.github; echo > dist/x/.github/f; echo > dist/.npmrc',
          [
            'dist scratch',
            'dist/.npmrc scratch',
            'dist/x scratch',
            'dist/x/.github scratch',
            'dist/x/.github/f scratch',
          ],
          ignored,
        ),
        row(
          'files by their names, anywhere',
          'echo > docs/x.log; echo > docs/keep.log; echo > only-here; echo > docs/only-here',
          ['docs/keep.log refused', 'docs/only-here refused', 'docs/x.log scratch', 'only-here scratch'],
          ignored,
        ),
        row(
          'the case of a name counts, as it does for git',
          'mkdir Dist; echo > Dist/a; echo > x.LOG',
          ['Dist refused', 'Dist/a refused', 'x.LOG refused'],
          ignored,
        ),
        row(
          'what git tracks is no scratch, ignored or not',
          'echo b > dist/tracked; echo b > dist/other',
          ['dist/other scratch', 'dist/tracked refused'],
          `${ignored}; mkdir dist; echo a > dist/tracked; git add -f dist/tracked`,
        ),
        row(
          'an ignore file that the same command wrote ignores nothing',
          'echo "*" > src/.gitignore; mkdir evil; echo "*" > evil/.gitignore; echo > evil/x',
          ['evil refused', 'evil/.gitignore refused', 'evil/x refused', 'src/.gitignore covered'],
        ),
        row(
          'nor does an index without the file',
          'git rm -q --cached dist/tracked; echo b > dist/tracked',
          ['.git/index refused', 'dist/tracked refused'],
          `${ignored}; mkdir dist; echo a > dist/tracked; git add -f dist/tracked`,
        ),
        row(
          'a rule file deeper down decides for what is there',
          'echo > docs/deep/x.log; echo > docs/deep/y.txt',
          ['docs/deep/x.log refused', 'docs/deep/y.txt scratch'],
          `${ignored}; mkdir docs/deep; printf '!x.log\\n*.txt\\n' > docs/deep/.gitignore`,
        ),
        row(
          'a folder that a rule file further in brings back is not ignored, with all that is in it',
          'mkdir -p docs/build; echo > docs/build/x; mkdir build; echo > build/x',
          ['build scratch', 'build/x scratch', 'docs/build refused', 'docs/build/x refused'],
          'echo build > .gitignore; echo "!build" > docs/.gitignore',
        ),
        row('info/exclude counts too', 'echo > mine', ['mine scratch'], 'echo mine > .git/info/exclude'),
        row(
          'a protected place that is ignored is no scratch',
          'mkdir .github; echo > .github/w; echo > .npmrc',
          ['.github refused', '.github/w refused', '.npmrc refused'],
          'printf ".github\\n.npmrc\\n" > .gitignore',
        ),
      ],
      1,
    ),
  )('$why', async ({ script, verdicts, prepare }) => {
    expect((await checkout(prepare).play(script)).verdicts).toEqual(verdicts)
  })

  it('deny and ask rules still apply; other protections do not reach into ignored folders', async () => {
    const refuse = (text: string, list: 'deny' | 'ask') => ({ text, list, file: 'p.yml', line: 1 })
    const ruled = (path: string): Ruling => {
      if (path.endsWith('.lock')) return { behavior: 'deny', rule: refuse('Edit(**/*.lock)', 'deny') }
      if (path.endsWith('.map')) return { behavior: 'ask', rule: refuse('Edit(**/*.map)', 'ask') }
      return { behavior: 'ask' }
    }
    const played = checkout('echo dist/ > .gitignore', /^/, () => ({ ruled }))
    expect((await played.play('mkdir dist; touch dist/a.lock dist/a.map dist/a.js')).verdicts).toEqual([
      'dist scratch',
      'dist/a.js scratch',
      'dist/a.lock refused',
      'dist/a.map refused',
    ])
  })

  it('is no file that git tracks before the command, whatever it tracked before another one', async () => {
    const played = checkout('mkdir dist; echo a > dist/x; echo dist > .gitignore')
    const judged = async () => (await played.play('echo b > dist/x')).verdicts
    expect(await judged()).toEqual(['dist/x scratch'])
    played.prepare('git add -f dist/x')
    expect(await judged()).toEqual(['dist/x refused'])
    played.prepare('git rm -q --cached dist/x')
    expect(await judged()).toEqual(['dist/x scratch'])
  })

  it('the same holds for a writable folder of the run', async () => {
    const options = (root: string) => ({ writable: [`${root}/data`] })
    const played = checkout('', /^src/, options)
    expect((await played.play('mkdir data; echo > data/x')).verdicts).toEqual(['data scratch', 'data/x scratch'])
  })
})

describe('what is never kept', () => {
  it.each(
    sampled(
      [
        row(
          'a repository inside the checkout, also below what may be changed or is ignored',
          'git init -q src/n; mkdir dist; git init -q dist/n; rm -rf */n/.git/*/ */n/.git/config */n/.git/description',
          [
            'dist scratch',
            'dist/n scratch',
            'dist/n/.git never',
            'dist/n/.git/HEAD never',
            'src/n covered',
            'src/n/.git never',
            'src/n/.git/HEAD never',
          ],
          'echo dist/ > .gitignore',
        ),
        row('a file that leads git elsewhere', 'echo "gitdir: ../x" > src/.git', ['src/.git never']),
        row('set-uid and set-gid bits', 'echo > src/s; chmod 4755 src/s; chmod 2755 src/a', [
          'src/a never',
          'src/s never',
        ]),
        row(
          'links that leave the checkout',
          'ln -s ../.. src/up; ln -s /etc/passwd src/abs; ln -s ../docs src/in; ln -s a src/same; ln -s gone src/gone',
          ['src/abs never', 'src/gone covered', 'src/in covered', 'src/same covered', 'src/up never'],
        ),
        row('an absolute link into the checkout stays in it', 'ln -s "$(dirname "$PWD")/checkout/docs" src/in', [
          'src/in covered',
        ]),
        row(
          'a link through other links, made or there before',
          'ln -s there src/one; ln -s one/.. src/two; ln -s out/x src/three',
          ['src/one covered', 'src/three never', 'src/two never'],
          'ln -s ../.. src/out',
        ),
        row('a chain of new links whose last one leaves', 'ln -s b src/c; ln -s c/x src/d; ln -s / src/b', [
          'src/b never',
          'src/c never',
          'src/d never',
        ]),
        row('a link that goes up behind a name: what the name means may change later', 'ln -s x/../../docs src/late', [
          'src/late never',
        ]),
        row('FIFOs are left out without a word', 'mkfifo src/pipe; mkfifo pipe', ['pipe skipped', 'src/pipe skipped']),
      ],
      1,
    ),
  )('$why', async ({ script, verdicts, prepare }) => {
    const { verdicts: found } = await checkout(prepare).play(script)
    expect(found).toEqual(verdicts)
  })

  it('the policy and the records, whatever the rules say', async () => {
    const never = (path: string) => (path.endsWith('.kode/policy.yml') ? 'it is the policy of the run' : undefined)
    const played = checkout('mkdir .kode; echo > .kode/policy.yml', /^/, () => ({ never }))
    expect((await played.play('echo x > .kode/policy.yml')).verdicts).toEqual(['.kode/policy.yml never'])
    expect((await played.play('rm .kode/policy.yml')).reasons).toMatchObject({
      '.kode/policy.yml': 'it is the policy of the run',
    })
  })

  it('a link in an ignored folder may point to system folders that the caller names', async () => {
    const played = checkout('echo .venv > .gitignore', /^src/, () => ({ linkable: ['/usr'] }))
    const { verdicts } = await played.play(
      'mkdir .venv; ln -s /usr/bin/env .venv/python; ln -s python .venv/python3; ln -s /etc/passwd .venv/p; ln -s /usr/bin/env src/x',
    )
    expect(verdicts).toEqual([
      '.venv scratch',
      '.venv/p never',
      '.venv/python scratch',
      '.venv/python3 scratch',
      'src/x never',
    ])
  })
})

const RULE = { list: 'deny', text: 'Edit(d)', file: 'p', line: 1 } as const
const VERDICTS = {
  covered: { kind: 'covered' },
  scratch: { kind: 'scratch' },
  skipped: { kind: 'skipped' },
  refused: { kind: 'refused', why: 'no Edit rule covers it' },
  denied: { kind: 'refused', why: 'denied', rule: RULE },
  never: { kind: 'never', why: 'it makes a repository' },
} as const satisfies Record<string, ChangeVerdict>

/** Lines as `created folder /d: covered`; the same lines afterwards. */
function settled(...lines: readonly string[]): string[] {
  const verdicts = new Map<PathChange, ChangeVerdict>()
  for (const line of lines) {
    const [kind, entry, path, verdict] = line.replace(':', '').split(' ')
    const change = { kind, entry, path } as PathChange
    verdicts.set(change, VERDICTS[verdict as keyof typeof VERDICTS])
  }
  foldersWithContent(verdicts)
  return [...verdicts].map(([{ kind, entry, path }, verdict]) => {
    const [name] = Object.entries(VERDICTS).find(([, each]) => JSON.stringify(each) === JSON.stringify(verdict)) ?? []
    return `${kind} ${entry} ${path}: ${name}`
  })
}

describe('a folder that a command made or removed', () => {
  it.each([
    ['a covered file in it', 'covered', 'covered'],
    ['an ignored file in it', 'scratch', 'scratch'],
    ['a refused one in it', 'refused', 'refused'],
    ['a FIFO in it', 'skipped', 'refused'],
  ])('shares the fate of its content, at any depth: %s', (_, file, folder) => {
    for (const kind of ['created', 'deleted'])
      expect(
        settled(`${kind} folder /d: refused`, `${kind} folder /d/e: refused`, `created file /d/e/f: ${file}`),
      ).toEqual([`${kind} folder /d: ${folder}`, `${kind} folder /d/e: ${folder}`, `created file /d/e/f: ${file}`])
  })

  it('is covered rather than ignored where it holds both', () => {
    expect(settled('created folder /d: refused', 'created file /d/a: scratch', 'created file /d/b: covered')[0]).toBe(
      'created folder /d: covered',
    )
  })

  it('is kept for its content even if nothing would be said of it', () => {
    expect(settled('created folder /d: skipped', 'created file /d/a: covered')[0]).toBe('created folder /d: covered')
  })

  it.each(['denied', 'never', 'covered', 'scratch'])('stays as it is judged: %s', (verdict) => {
    expect(
      settled(`created folder /d: ${verdict}`, 'created file /d/a: covered', 'created file /d/b: scratch')[0],
    ).toBe(`created folder /d: ${verdict}`)
  })

  it('shares nothing with what lies beside it, or with a folder in it', () => {
    const lines = ['created folder /d: refused', 'created folder /d/e: covered', 'created file /da: covered']
    expect(settled(...lines)).toEqual(lines)
  })

  it('is judged by itself if only its mode has changed', () => {
    const lines = ['mode folder /d: refused', 'created file /d/a: covered']
    expect(settled(...lines)).toEqual(lines)
  })
})

describe('a removed folder', () => {
  it.each(['covered', 'scratch', 'skipped'])('stays if something in it stays: %s', (verdict) => {
    const lines = [`deleted folder /d: ${verdict}`, 'deleted folder /d/e: covered', 'deleted file /d/e/f: skipped']
    expect(settled(...lines)).toEqual(['deleted folder /d: skipped', 'deleted folder /d/e: skipped', lines[2]])
  })

  it.each(['refused', 'denied', 'never'])('is still refused if it is: %s', (verdict) => {
    expect(settled(`deleted folder /d: ${verdict}`, 'deleted file /d/f: skipped')[0]).toBe(
      `deleted folder /d: ${verdict}`,
    )
  })

  it('goes if what is left out in it is new', () => {
    expect(settled('deleted folder /d: covered', 'created fifo /d/f: skipped')[0]).toBe('deleted folder /d: covered')
  })

  it('says nothing of a new one in its place', () => {
    expect(settled('created folder /d: covered', 'deleted file /d/f: skipped')[0]).toBe('created folder /d: covered')
  })
})
