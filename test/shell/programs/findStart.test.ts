import { describe, expect, it, test } from 'vitest'
import type { Word } from '../../../src/contracts/subject.ts'
import { builders } from '../../../src/shell/programs/builders.ts'
import { findStart, takesScript } from '../../../src/shell/programs/findStart.ts'
import { git } from '../../../src/shell/programs/git.ts'
import { interpreters } from '../../../src/shell/programs/interpreters.ts'
import { network } from '../../../src/shell/programs/network.ts'
import { tools } from '../../../src/shell/programs/tools.ts'

/** `$x` is one word that is known only at run time, also after a known start, `…` any number of them. */
function argvOf(line: string): Word[] {
  return line
    .split(' ')
    .map(
      (text): Word =>
        text.endsWith('$x')
          ? { kind: 'dynamic', prefix: text.slice(0, -2) }
          : text === '…'
            ? { kind: 'many' }
            : { kind: 'literal', value: text },
    )
}

function startOf(line: string): readonly string[] | 'unknown' | undefined {
  const argv = argvOf(line)
  const found = findStart(line.split(' ')[0] ?? '', argv)
  return found?.unknown ? 'unknown' : found?.words
}

describe('arguments that start another program', () => {
  test.each<[string, readonly string[]]>([
    // Long options, shortened and with a value.
    ['tar -xf a --to-command=sh', ['--to-command=sh']],
    ['tar -xf a --to-comm sh', ['--to-comm', 'sh']],
    ['sort --compress-program sh a', ['--compress-program', 'sh']],
    // Short ones, also in a bundle.
    ['rsync -ave ssh a b', ['-ave', 'ssh']],
    ['git grep -nOless x', ['-nOless']],
    // Long names with one dash, and any number of them.
    ['go test -exec ./x ./...', ['-exec']],
    ['npm test ---script-shell=./x', ['---script-shell=./x']],
    // Only with such a value.
    ['ssh -o ProxyCommand=x host', ['-o', 'ProxyCommand=x']],
    ['git -c alias.x=!y x', ['-c', 'alias.x=!y']],
    ['go build -ldflags -extld=x .', ['-ldflags', '-extld=x']],
    // After an option that has no value, or need not have one.
    ['git grep -F -Oless x', ['-Oless']],
    ['git rebase -m -x make main', ['-x', 'make']],
    ['pytest -x -p evil', ['-p', 'evil']],
    // `-H` takes a value in GNU tar alone.
    ['bsdtar -H --use-compress-program=x -cf a b', ['--use-compress-program=x']],
    ['make -j -f b', ['-f', 'b']],
    ['scp -p -o ProxyCommand=x a b', ['-o', 'ProxyCommand=x']],
    // `--` may be the value of the option before it.
    ['tar -g -- --to-command=x -xf a', ['--to-command=x']],
    ['git grep -e -- -Oless', ['-Oless']],
    ['rg -ng -- --pre=x', ['--pre=x']],
    // Options of tar without a dash.
    ['tar xIf x a.tar', ['xIf']],
    ['sort --field-sep -- --compress-program=x', ['--compress-program=x']],
    // A flag may be the start of an option with a value.
    ['tar --sparse --to-command=x -xf a', ['--to-command=x']],
    // Signs are letters of a bundle, too.
    ['curl -#K x y', ['-#K', 'x']],
    // Also between the host and the command that runs there.
    ['ssh host -o ProxyCommand=x ls', ['-o', 'ProxyCommand=x']],
    // Subcommands, also after an option with a value, and options of one.
    ['kubectl -n prod edit x', ['edit']],
    ['gh extension -R a install b', ['install']],
    ['git rebase -x make main', ['-x', 'make']],
    ['git config core.pager x', ['core.pager']],
    ['git filter-branch --all', ['filter-branch']],
    ['git bisect -q run x', ['run']],
    ['git difftool --tool ../x', ['--tool', '../x']],
    ['tmux -L x -f y ls', ['-f', 'y']],
    ['tmux new-s x', ['new-s']],
    ['tmux ls ; run x', [';']],
    ['gh repo clone a/b -- -c x=y', ['-c']],
    // Of the program that gets what follows `--`.
    ['cmake --build x -j -- SHELL=y', ['SHELL=y']],
    // All of them, so that a rule has to spell all.
    ['make -f a -f b', ['-f', 'a', 'b']],
    // Languages of their own.
    ['sed s/a/b/e x', ['s/a/b/e']],
    ['sed -n -f x.sed y', ['-f']],
    ['awk {system($0)} x', ['{system($0)}']],
    ['vim -c :q x', ['-c', ':q']],
    // Commands from the input.
    ['psql -h db', []],
    ['psql -d -c', []],
    ['sqlite3 -separator x a.db', []],
    ['sqlite3 -lookaside 1 2 a.db', []],
    ['ed x', []],
  ])('%s', (line, words) => {
    expect(startOf(line)).toEqual(words)
  })

  test.each([
    'tar -czf a.tgz src',
    'git -c user.name=x commit -m y',
    'git commit -c HEAD',
    'git rebase main',
    'git log -n 3 -c',
    'ssh -o BatchMode=yes host',
    'rg --pretty x',
    'pytest -p no:cacheprovider --pdb',
    'node dist/cli.js -r x',
    'sed -n 1,5p x',
    'sed -i.bak -E s/(a|b)/e/g x',
    'awk -F, {print$1} x',
    'psql -c select',
    'unknown --exec x',
    'ssh host grep -o ProxyCommand',
    'kubectl get -o edit',
    'psql -tAc select',
    'tmux -L x kill-session -t a',
    'curl -sSL -o x https://y/z',
    'tar -xzf IMAGE -C x',
    'rollup -c',
    'uv sync --python 3.12',
    'cmake --build x -- -j4 VERBOSE=1',
    'cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON',
    'dotnet test --logger trx;LogFileName=a.trx',
    // Neither bundles nor cut.
    'pytest --co -q',
    'mvn -B -ntp -DskipTests -Pfast test',
    'gradle -Pprofile=ci -Dorg.gradle.daemon=false test',
    'cmake -DCMAKE_BUILD_TYPE=Release .',
  ])('%s starts nothing', (line) => {
    expect(startOf(line)).toBeUndefined()
  })
})

describe('a word that is known only at run time', () => {
  test.each([
    ['rg $x', 'unknown'],
    ['rg …', 'unknown'],
    ['git $x', 'unknown'],
    ['sed -n p $x', 'unknown'],
    ['sed $x y', 'unknown'],
    ['awk $x y', 'unknown'],
    ['git bisect $x y', 'unknown'],
    ['git bisect ru$x y', 'unknown'],
    ['make CC=$x', 'unknown'],
    ['make C$x', 'unknown'],
    ['git config core.p$x y', 'unknown'],
    ['git config Al$x y', 'unknown'],
    ['git clone ex$x', 'unknown'],
    ['npm config set scr$x y', 'unknown'],
    ['aws configure set credential_pro$x y', 'unknown'],
    ['rg --glob -- $x', 'unknown'],
    ['mocha --exit -- $x', 'unknown'],
    ['curl --parallel -- $x', 'unknown'],
    // Behind `--`, as the value of an option, and where no option of the program starts anything.
    ['rg -- $x', undefined],
    ['rg -e $x src', undefined],
    ['rg -n -- $x', undefined],
    ['eslint --fix -- $x', undefined],
    ['tar -xzf $x -C $x', undefined],
    ['jq --arg a $x .b', undefined],
    ['git bisect good $x', undefined],
    ['make PREFIX=$x', undefined],
    ['sed -n p -- $x', undefined],
    ['git log $x', undefined],
    ['git commit -m $x', undefined],
    ['git config user.n$x y', undefined],
    ['git config user.name me-$x', undefined],
    ['grep $x y', undefined],
  ])('%s: %s', (line, expected) => {
    expect(startOf(line)).toBe(expected)
  })
})

it('knows each program once: a second row would hide the first', () => {
  const names = [git, tools, network, interpreters, builders].flat().flatMap((program) => program.names.split(' '))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test.each([
  ['bash', true],
  ['zsh', true],
  ['python3.12', true],
  ['node', true],
  ['rscript', true],
  // They run code, but their first word is a goal, not a script.
  ['make', false],
  ['rake', false],
  ['cat', false],
])('whether %s takes a script: %s', (name, expected) => expect(takesScript(name)).toBe(expected))
