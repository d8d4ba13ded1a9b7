import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { evaluate } from '../../src/policy/evaluate.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { diskLook } from '../../src/shell/diskLook.ts'
import { callOf, policyOf } from '../helpers/policyCalls.ts'
import { shellContext } from '../helpers/shellContext.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-look-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FILES =
  'secret/key .env test/a src/a src/b docs/a.md env/prod/a.key env/test/a.txt sub/secrets/key npm/.npmrc'.split(' ')
const LINKS = {
  lnk: 'secret',
  tlink: 'test',
  'docs/x.md': '../secret/key',
  'docs/e.txt': '../.env',
  'docs/round': 'round',
  'docs/new': '../secret/new',
}
for (const file of FILES) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), file)
}
for (const [link, target] of Object.entries(LINKS)) symlinkSync(target, join(root, link))

async function judge(deny: readonly string[], text: string): Promise<string> {
  const allow = [
    ...'cat cp mv ln rm ls rsync find grep rg head sort echo printf'.split(' '),
    'git grep',
    'git ls-files',
    'pytest',
    'rev',
    'diff',
    'black',
    'cmake',
    'git diff',
    'git show',
    'git rev-parse',
    'git checkout',
    'git restore',
    'gcc',
    'xz',
    'cpp',
    'go build',
    'ruff',
    'npx prettier',
  ].map((name) => `Bash(${name} *)`)
  const policy = await policyOf({ allow, deny }, { cwd: root })
  const { subjects } = analyzeCommand(text, shellContext(root))
  const { behavior, reason } = evaluate(policy, callOf('Bash', subjects))
  return reason.type === 'protected' ? 'protected' : behavior
}

describe('a file that is known only when it runs may be a protected one', () => {
  test.each([
    ['cat "$(sort src/a)"', 'protected'],
    ['head -n 1 "$(grep -h x src/a)"', 'protected'],
    ['cat "src/$(sort src/a)"', 'protected'],
    ['cat "$(sort src/a)/.env"', 'protected'],
    ['diff --from-file="$(sort src/a)" src/b', 'protected'],
    ['for x in "$(sort src/a)"; do cat "$x"; done', 'protected'],
    ['for x in .env; do echo; done; cat "$x"', 'protected'],
    ['echo .env; cat "$_"', 'protected'],
    ['git show --contents="$(sort src/a)"', 'protected'],
    ['cat "$CI_FILE"', 'allow'],
    ['cat "$(sort src/a)/package.json"', 'protected'],
    ['cat "$(sort src/a)/application_default_credentials.json"', 'protected'],
    ['cat "$(git rev-parse --show-toplevel)/package.json"', 'allow'],
    ['cat "$(git rev-parse --show-toplevel)/.env"', 'protected'],
    ['head -n "$(sort src/a)" src/a', 'allow'],
    ['head -n"$(sort src/a)" src/a', 'allow'],
    ['echo "$(sort src/a)"', 'allow'],
  ])('%s: %s', async (text, verdict) => expect(await judge([], text)).toBe(verdict))
})

describe('a folder that takes a new name', () => {
  const deny = ['Edit(ci/jobs/**)', 'Edit(conf/prod.yml)', 'Edit(deploy/*.sh)', 'Edit(docs/private/**)']
  test.each([
    ['mv src ci', 'deny'],
    ['mv src conf', 'deny'],
    ['ln -s src deploy', 'deny'],
    ['ln -s ../x ci', 'deny'],
    ['mv src/a conf/prod.yml', 'deny'],
    ['mv src docs/private', 'deny'],
    ['mv src docs', 'allow'],
    ['mv src/a docs/', 'allow'],
    ['mv src lib', 'allow'],
    ['ln -s src lib', 'allow'],
    ['mv src .cargo', 'protected'],
    ['ln -s src .forgejo', 'protected'],
    ['cp -r src .config', 'protected'],
  ])('%s: %s', async (text, verdict) => expect(await judge(deny, text)).toBe(verdict))
})

describe('a glob is judged by where links on its way lead', () => {
  test.each([
    ['cat l*/key', 'deny'],
    ['cat l*/k*', 'deny'],
    ['cat docs/*.md', 'deny'],
    ['cat docs/x*', 'deny'],
    ['cat docs/a*', 'allow'],
    ['cat docs/ne*', 'deny'],
    ['cat docs/r*', 'allow'],
    ['cat docs/e*', 'protected'],
    ['rm tl*/a', 'deny'],
    ['rm tl*/missing', 'allow'],
    ['ls tl*/a', 'allow'],
    ['ls src/*', 'allow'],
    ['cat "docs/$(ls secret)"', 'deny'],
    ['cat docs/"$(ls)"/k*', 'deny'],
    ['for f in a "$(ls)"; do cat "src/$f"; done', 'deny'],
    ['for f in a b; do cat "src/$f"; done', 'allow'],
    ['cat sr*/a', 'allow'],
  ])('%s', async (text, verdict) => {
    expect(await judge(['Read(/secret/**)', 'Edit(/test/**)'], text)).toBe(verdict)
  })
})

describe('a glob that is read is judged by what it fits', () => {
  test.each([
    ['cat src/*', 'allow'],
    ['cat */a', 'allow'],
    ['cat */key', 'deny'],
    ['cat sub/*/key', 'deny'],
    ['cat sub/*', 'deny'],
    ['cat sub/*/missing', 'allow'],
    ['ls s*', 'deny'],
    ['cat src/*/../secrets/key', 'deny'],
    ['cat src/.*/secret/key', 'deny'],
    ['cat docs/x*', 'deny'],
    ['for f in src/*; do cat "$f"; done', 'allow'],
    ['for d in s*; do cat "$d/key"; done', 'deny'],
    ['for d in */; do cat "$d/a"; done', 'allow'],
    ['cat Sub/*', 'allow'],
    ['cp -r src/* x', 'allow'],
    ['cp src/* x', 'allow'],
    ['cp -r sub/* x', 'deny'],
    ['for d in src/*; do cp -r "$d" x; done', 'allow'],
    ['for d in sub/*; do cp -r "$d" x; done', 'deny'],
    ['rm -rf src/*', 'allow'],
    ['mv sub/secrets src/b; cat src/*/key', 'deny'],
  ])('%s', async (text, verdict) => {
    expect(await judge(['Read(secret/**)', 'Read(secrets/**)'], text)).toBe(verdict)
  })
})

describe('a tree is judged by what it holds', () => {
  test.each([
    ['cp -r sub/secrets x', 'deny'],
    ['cp -r sub x', 'deny'],
    ['cp -a s* x', 'deny'],
    ['rsync -r sub/ x', 'deny'],
    ['mv env/prod env/x', 'deny'],
    ['mv env x', 'deny'],
    ['mv env/* x', 'deny'],
    ['mv ENV/prod env/x', 'allow'],
    ['mv env/test env/x', 'allow'],
    ['cp -r src x', 'allow'],
    ['rm -rf src', 'allow'],
    ['rm -rf docs', 'allow'],
    ['rm -rf missing', 'allow'],
    ['mv src/a src/c', 'allow'],
  ])('%s', async (text, verdict) => {
    expect(await judge(['Read(**/secrets/*)', 'Read(**/prod/*.key)', 'Read(**/.env)'], text)).toBe(verdict)
  })

  test('by a rule from a folder on too', async () => {
    expect(await judge(['Read(/env/*/a.key)'], 'mv env/prod env/x')).toBe('deny')
    expect(await judge(['Read(/env/*/a.key)'], 'mv env/test env/x')).toBe('allow')
  })
})

describe('files that are found are judged by their names on disk', () => {
  const DENY = ['Read(/secret/**)', 'Read(**/.env)', 'Edit(/test/**)']
  test.each([
    ["find src -name 'a' -exec cat {} +", 'allow'],
    ["find src -name 'a' -exec cat {} \\;", 'allow'],
    ["find src -name 'a' | xargs cat", 'allow'],
    ["find src -name 'a' | head -1 | xargs -I{} cat {}", 'allow'],
    ['cat "$(find src -name a)"', 'allow'],
    ["find . -name '*.md' | xargs cat", 'deny'],
    ["find . -name '*.md' -not -path './docs/*' | xargs cat", 'allow'],
    ['find . -type f | xargs cat', 'deny'],
    ['find src sub -type f | xargs cat', 'allow'],
    ['find docs -type f | xargs cat', 'deny'],
    ['find docs -name a.md | xargs cat', 'allow'],
    ["find env -name 'prod' -exec cp -r {} test \\;", 'deny'],
    ['find src lnk/ -type f | xargs cat', 'deny'],
    ['find -L src -type f | xargs cat', 'deny'],
    ['find secret -name missing | xargs cat', 'deny'],
    ['find src -type f | xargs cat "$(head -c 3)"', 'deny'],
    ['find src -type f | xargs -d / cat', 'deny'],
    ['find src -type f -print0 | xargs cat', 'deny'],
    ['find src -type f | xargs -0 cat', 'deny'],
    ['find src -type f 2>&1 | xargs cat', 'deny'],
    ['find src -type f 2>/dev/null | xargs cat', 'allow'],
    ['find src -type f | xargs cat < src/a', 'deny'],
    ['find src -type f | (xargs cat)', 'deny'],
    ['find src -type f; cat src/a | xargs cat', 'deny'],
    ['find src -type f || ls | xargs cat', 'deny'],
    ['find src -type f | ls | xargs cat', 'deny'],
    ['grep -rl x src | xargs cat', 'allow'],
    ['grep -rl x . | xargs cat', 'deny'],
    ['rg --files src | sort | xargs cat', 'allow'],
    ['find src -name a -exec rm {} +', 'allow'],
    ['find . -name a -exec rm {} +', 'deny'],
    ["grep -r --include='*.md' A docs", 'deny'],
    ["grep -r --include='a*' A src docs", 'allow'],
    ['grep -r A src', 'allow'],
    ['find . -type f -exec cat {} + ; echo . | xargs cat', 'deny'],
    ['find . | xargs cat; cat "$(echo .)"', 'deny'],
    ['grep -Rl x docs | xargs cat; grep -rl x docs | xargs cat', 'deny'],
    ['echo src/a src/b | xargs cat', 'allow'],
    ['echo src/a secret/key | xargs cat', 'deny'],
    ['echo . | xargs ls', 'allow'],
    ['echo src/a | rev | xargs cat', 'deny'],
    ['cat "$(echo src/a)"', 'allow'],
    ['cat "$(echo src/a src/b)"', 'deny'],
    ['echo src/a src/b | xargs -I{} cat {}', 'deny'],
    ['find env -name prod -exec cp -r {} x \\;', 'deny'],
    ['cp docs/x.md src/z; find src -type f -exec cat {} +', 'deny'],
    ['cp -r docs src/z; find src -type f -exec cat {} +', 'deny'],
  ])('%s', async (text, verdict) => {
    expect(await judge(DENY, text)).toBe(verdict)
  })

  test.each([
    ['find . -name .env -exec cat {} +', 'protected'],
    ['grep -r --include=.env A .', 'protected'],
    ["grep -rn --include='*.md' A .", 'allow'],
    ['grep -r A .', 'allow'],
    ["rg --hidden -g '.e*' A", 'protected'],
    ["rg -g '!.env' A", 'allow'],
    ["rg -g 'src/**' A", 'allow'],
    ["grep -rn --include='*.[ch]' A .", 'allow'],
    ["find . -name '*.[ch]' | xargs cat", 'allow'],
    ["find . -name '.[a-z]nv' | xargs cat", 'protected'],
    ["find . -name '.[[:alpha:]]nv' | xargs cat", 'protected'],
    ["find . -name '.[!]]nv' | xargs cat", 'protected'],
    ["find . -name '\\\\.env' | xargs cat", 'protected'],
    ['cat @.env', 'protected'],
    ['for f in src/* ./; do cat "${f}.env"; done', 'protected'],
    ['cd src && cp -r ../npm/. ..', 'protected'],
    ['cp -r npm/. .', 'protected'],
    ['cp -r src/. x; cp -r npm/. x', 'protected'],
    ['cp -r npm/. x; cp -r src/. x', 'protected'],
    ['echo npm/. . | xargs cp -r', 'protected'],
    ['echo . npm/. | xargs cp -rt', 'protected'],
    ['find . -maxdepth 0 | xargs cp -r npm/.', 'protected'],
    ['find src -name a | xargs cp -t x', 'allow'],
    ['find src -name a | xargs -I{} cp {} x', 'allow'],
    ['for d in s*; do cp -r npm/. "$d"; done', 'protected'],
    ['pytest --junitxml=.github/workflows/x.yml', 'protected'],
    ['pytest -o log_file=.npmrc', 'protected'],
    ['pytest -o log_file=.github/workflows/x.yml', 'protected'],
    ['pytest -qo log_file=.github/workflows/x.yml', 'protected'],
    ['pytest -qolog_file=.github/workflows/x.yml', 'protected'],
    ['pytest --override-ini=cache_dir=.github/workflows/x', 'protected'],
    ['pytest --log-file .npmrc -q', 'protected'],
    ['pytest --junitxml=out.xml --log-level debug', 'allow'],
    ['echo .env | xargs cat', 'protected'],
    ['cat "$(echo .env)"', 'protected'],
    ["printf '%s\\n' a .env | xargs head", 'protected'],
    ['echo docs/e.txt | xargs cat', 'protected'],
    ["find . -name '.e*' -exec cat {} +", 'protected'],
    ["find . -name '*.txt' | xargs cat", 'protected'],
    ["find . -name '*.txt' -not -path './docs/*' | xargs cat", 'allow'],
    ["find . -path '*/.env' -exec cat {} +", 'protected'],
    ["find . -regex '.*env' -exec cat {} +", 'protected'],
    ['find . -type f | xargs cat', 'allow'],
    ['find missing -name .env | xargs cat', 'allow'],
    ["find . -name '.env' | xargs rm", 'allow'],
  ])('and by what is protected: %s', async (text, verdict) => {
    expect(await judge([], text)).toBe(verdict)
  })

  test('names that are split when they are read again', async () => {
    mkdirSync(join(root, 'odd/a ..'), { recursive: true })
    writeFileSync(join(root, 'odd/a ../.env.x'), '')
    expect(await judge(DENY, 'find odd -type f | xargs cat')).toBe('deny')
    expect(await judge(DENY, 'find odd -type f -print0 | xargs -0 cat')).toBe('allow')
    expect(await judge(DENY, 'find odd -name b | xargs cat')).toBe('allow')
    rmSync(join(root, 'odd'), { recursive: true })
  })

  test('names that are no UTF-8, and two printed lines as one name', async () => {
    const odd = Buffer.concat([Buffer.from(join(root, 'odd')), Buffer.from([0x2f, 0xff])])
    mkdirSync(join(root, 'odd'))
    symlinkSync('../.env', odd)
    expect(await judge([], 'cat odd/?')).toBe('deny')
    expect(await judge([], 'ls src/*')).toBe('allow')
    expect(await judge(DENY, 'find odd -type f | xargs cat')).toBe('deny')
    rmSync(join(root, 'odd'), { recursive: true })
    mkdirSync(join(root, 'odd/é.t'), { recursive: true })
    symlinkSync('../../.env', join(root, 'odd/é.t/x'))
    expect(await judge([], 'cat odd/??.t/x')).toBe('protected')
    rmSync(join(root, 'odd'), { recursive: true })
    mkdirSync(join(root, 'odd/d.md\nodd'), { recursive: true })
    symlinkSync('../../.env', join(root, 'odd/d.md\nodd/a.md'))
    expect(await judge(DENY, `cat "$(find odd -name '*.md' -not -path '*?odd/*')"`)).toBe('deny')
    rmSync(join(root, 'odd'), { recursive: true })
  })

  test('behind links to folders where git names them', async () => {
    expect(await judge(DENY, 'git grep -l x | xargs cat')).toBe('deny')
    mkdirSync(join(root, 'odd'))
    symlinkSync('../src', join(root, 'odd/src'))
    symlinkSync('..', join(root, 'odd/up'))
    expect(await judge(['Read(/src/b)'], 'git ls-files -z odd | xargs -0 cat')).toBe('deny')
    expect(await judge(['Read(/src/b)'], 'grep -Rl x odd | xargs cat')).toBe('deny')
    expect(await judge(['Read(/src/b)'], 'grep -rl x odd | xargs cat')).toBe('allow')
    rmSync(join(root, 'odd'), { recursive: true })
  })
})

describe('what is too much to look through may be anything', () => {
  const wide = join(root, 'wide')
  mkdirSync(wide)
  for (let index = 0; index < 400; index += 1) mkdirSync(join(wide, String(index)))
  symlinkSync('.', join(wide, 'a'))
  symlinkSync('.', join(wide, 'b'))

  test('many entries and links', () => {
    expect(diskLook().linksOf(root, 'wide/*/x')).toHaveLength(2)
    expect(diskLook().linksOf(root, 'wide/*/*/*/*/*/*/*/*/x')).toBeUndefined()
    expect(diskLook().below(wide, '*/*/*/*/*/*/*/*/*/*')).toBe(undefined)
    expect(diskLook().below(wide, undefined)).toHaveLength(402)
  })

  test('for a glob, and for a tree', async () => {
    expect(await judge(['Read(/secret/**)'], 'cat wide/*/*/*/*/*/*/*/*/x')).toBe('deny')
    expect(await judge([], 'cat wide/*/*/*/*/*/*/*/*/x')).toBe('allow')
    expect(await judge(['Read(**/none/*.key)'], 'rm -r wide/*/*/*/*/*/*/*/*/*/*')).toBe('deny')
  })
})

describe('words that the line spells are judged as they are read, also where they were changed on the way', () => {
  test.each([
    ['xargs cat <<< .env', 'protected'],
    ["xargs cat <<'E'\nsrc/a\n.env\nE", 'protected'],
    ["xargs cat <<'E'\nsrc/a\nE", 'allow'],
    ["xargs cat <<-'E'\n\t.env\n\tE", 'protected'],
    ['cat <<< .env | xargs cat', 'protected'],
    [`echo '".env"' | xargs cat`, 'protected'],
    [`echo '.e""nv' | xargs cat`, 'protected'],
    ['echo ".e\\\\nv" | xargs cat', 'protected'],
    ['printf .env | xargs cat', 'protected'],
    ['printf "%s%s" .e nv | xargs cat', 'protected'],
    ['printf "%s\\0" .env | xargs -0 cat', 'protected'],
    ['printf "%b" ".e\\x6ev" | xargs cat', 'protected'],
    ['cat ".$(echo env | head -1)"', 'protected'],
    ['echo vne. | rev | xargs cat', 'protected'],
    ['rev <<< vne. | xargs cat', 'protected'],
    ['cat "$(rev <<< vne.)"', 'protected'],
    ['cat ".e$(rev <<< vn)"', 'protected'],
    ['xargs cat <<< "$(echo .env)"', 'protected'],
    ['echo src/a.env | xargs -d . cat', 'protected'],
    ['grep -r x --include=.env* .', 'protected'],
    ['grep -r x --include=*.md .', 'allow'],
    ['rg x --glob=.env*', 'protected'],
    ['rg x --glob=*.md', 'allow'],
    ['rg x --pre=*', 'ask'],
    ['diff -N . src', 'protected'],
    ['diff src/a src/b', 'allow'],
    ['diff src docs', 'protected'],
    ['diff src sub', 'allow'],
    ['git diff --no-index src .', 'protected'],
    ['git diff --no-index src/a src/b', 'allow'],
    ['echo nv | xargs -I{} cat .e{}', 'protected'],
    ['echo . | xargs -I{} cat {}env', 'protected'],
    ['echo en | xargs -I@ cat ./.@v', 'protected'],
    ['echo e | xargs -I{} cat .{}nv{}', 'protected'],
    ['echo vn | rev | xargs -I{} cat .e{}', 'protected'],
    ['echo a | xargs -I{} cat src/{}', 'allow'],
    ['ls src | xargs -I{} sort src/{}', 'allow'],
    ['ls src | xargs -I{} sort -{}', 'ask'],
    ['echo src/a | xargs cat', 'allow'],
    ['printf "src/a\\nsrc/b\\n" | xargs cat', 'allow'],
    ['echo "src/a src/b" | xargs head -1', 'allow'],
    ['cat "$(echo src/a)"', 'allow'],
    ['echo "$(echo -n a | rev)"', 'allow'],
    ['find src | rev | xargs ls', 'allow'],
  ])('%s', async (text, verdict) => {
    expect(await judge([], text)).toBe(verdict)
  })
})

describe('what a tool writes by an option or in place is judged as written', () => {
  test.each([
    ['black docs', 'deny'],
    ['black src', 'allow'],
    ['ruff format docs/a.md', 'deny'],
    ['ruff check docs/a.md', 'allow'],
    ['npx prettier --write docs/a.md', 'deny'],
    ['npx prettier -w docs', 'deny'],
    ['npx prettier --check docs/a.md', 'allow'],
    ['gcc -E src/a -o docs/x', 'deny'],
    ['gcc -E src/a -odocs/x', 'deny'],
    ['xz --files=docs -t', 'deny'],
    ['gcc -MD -MF docs/x src/a', 'deny'],
    ['gcc -c src/a -o .git/hooks/pre-commit', 'protected'],
    ['gcc -E src/a -o src/x.i', 'allow'],
    ['cpp src/a docs/x', 'deny'],
    ['cmake -Bdocs', 'deny'],
    ['cmake -S . -B docs/x', 'deny'],
    ['cmake -S . -B out', 'allow'],
    ['git checkout HEAD~1 -- .', 'deny'],
    ['git checkout HEAD~1 -- ":!src"', 'deny'],
    ['git checkout HEAD~1 -- src', 'allow'],
    ['git restore --pathspec-from-file=src/a', 'deny'],
    ['go build -o docs/x .', 'deny'],
    ['go build -o out/x .', 'ask'],
  ])('%s', async (text, verdict) => {
    expect(await judge(['Edit(/docs/**)'], text)).toBe(verdict)
  })
})
