import { expect, test } from 'vitest'
import type { Word } from '../../../src/contracts/subject.ts'
import { takesBack } from '../../../src/policy/matchers/takesBack.ts'

/** `?` is a word that is known only when it runs, `?x` one that begins so. */
function isTaken(rule: string, line: string): boolean {
  const argv = line.split(' ').map((value): Word => {
    if (value.startsWith('?')) return { kind: 'dynamic', prefix: value.slice(1) }
    return value.includes('*') ? { kind: 'glob', value } : { kind: 'literal', value }
  })
  return takesBack(rule.split(' '), argv)
}

test.each([
  ['git push --dry-run', 'git push --dry-run --no-dry-run origin'],
  ['git push --dry-run', 'git push --dry-run origin --no-d'],
  ['git push --dry-run', 'git push --dry-run ?'],
  ['git push --dry-run', 'git push --dry-run *'],
  ['git clean -n', 'git clean -n -fdx --no-dry-run'],
  ['gcc -fsyntax-only', 'gcc -fsyntax-only -fno-syntax-only a.c'],
  ['gcc -fno-plugin', 'gcc -fno-plugin -fplugin=x a.c'],
  ['npm ci --ignore-scripts', 'npm ci --ignore-scripts --no-ignore-scripts'],
  ['npm ci --ignore-scripts', 'npm ci --ignore-scripts --ignore-scripts=false'],
  ['npm ci --ignore-scripts', 'npm ci --ignore-scripts --no-no-no-ignore-scripts'],
  ['cp -n', 'cp -n -f a b'],
  ['cp --no-clobber', 'cp --no-clobber -ai a b'],
  ['ruff check --no-fix', 'ruff check --no-fix --fix-only .'],
  ['gofmt -l', 'gofmt -l -w .'],
  ['npx prettier -l', 'npx prettier -l -w .'],
  ['npm ci --ignore-scripts', 'npm ci --ignore-scripts false'],
  ['npm ci --ignore-scripts', 'npm ci --ignore-scripts --ignore-s false'],
  ['npm ci --ignore-scripts', 'npm ci --ignore-scripts ---no-ignore-scripts'],
  ['npx tsc --noEmit', 'npx tsc --noEmit false'],
  ['gofmt -l', 'gofmt -l --w=true .'],
  ['npm ci --ignore-scripts', 'npm ci --ignore-scripts --ig false'],
  ['npm ci --ignore-scripts', 'npm ci --ignore-scripts -ig=false'],
  ['pnpm i --ignore-scripts', 'pnpm i --ignore-scripts --config.ignore-scripts=false'],
  ['npm -v', 'npm -v --no-version exec x'],
  ['npm -v', 'npm -v false exec x'],
  ['apt-get -s', 'apt-get -s install --no-simulate x'],
  ['rsync --dry-run', 'rsync --dry-run --no-n a b'],
  ['make -C build', 'make -C build --directory=../src'],
  ['apt-get -s install', 'apt-get -s install --simulate=false x'],
  ['apt-get --dry-run install', 'apt-get --dry-run install --simulate=off x'],
  ['git reset --soft', 'git reset --soft --hard HEAD'],
  ['git reset --keep', 'git reset --keep HEAD --hard'],
  ['git restore --staged', 'git restore --staged --worktree .'],
  ['git restore --staged', 'git restore --staged -W .'],
  ['git merge --ff-only', 'git merge --ff-only --ff x'],
  ['git push --force-with-lease', 'git push --force-with-lease --force origin x'],
  ['git branch -r', 'git branch -r -D origin/main'],
  ['git checkout -b', 'git checkout -b x -f'],
  ['rsync -an', 'rsync -an --no-dry-run a b'],
  ['rsync -an', 'rsync -an --no-n a b'],
  ['npx prettier -l', 'npx prettier -l --write .'],
  ['make -f build.mk', 'make -f build.mk -C src'],
  ['make -f build.mk', 'make -f build.mk --directory=src'],
  ['kubectl -n dev get', 'kubectl -n dev get pods --namespace prod'],
  ['kubectl -n dev get', 'kubectl -n dev get pods --namesp=prod'],
  ['kubectl --namespace dev get', 'kubectl --namespace dev get pods -n prod'],
  ['kubectl --namespace=dev get', 'kubectl --namespace=dev get pods -nprod'],
  ['psql -h localhost', 'psql -h localhost --host=/x -c x'],
  ['psql --host=localhost', 'psql --host=localhost -h x'],
  ['npm -w web run', 'npm -w web run x --workspace=api'],
  ['cp * build/*', 'cp -t docs src/x.sh build/y'],
  ['cp * build/*', 'cp --target-directory=. src/x.sh build/y'],
  ['cp * build/*', 'cp README.md -tdocs build/b.txt'],
  ['cp -r * dist/*', 'cp -r -at docs x dist/y'],
  ['mv * dist/*', 'mv --t=docs x dist/y'],
  ['mv * dist/*', 'mv --exchange Makefile dist/x'],
  ['ln -s * build/*', 'ln -s -ft . x build/y'],
  ['install -m 644 * build/*', 'install -m 644 -t docs x build/y'],
  ['install -m 644 * build/*', 'install -m 644 -d x build/y'],
  ['pip install --only-binary :all:', 'pip install --only-binary :all: --no-binary :all: x'],
  ['make -C build', 'make -C build -sC ../src'],
  ['make --directory=build', 'make --directory=build -C src'],
  ['ninja -C build', 'ninja -C build -vC src'],
  ['npx --no-install x', 'npx --no-install x --install'],
  ['kubectl apply --dry-run=client', 'kubectl apply --dry-run=client --dry-run none'],
  ['terraform fmt -check', 'terraform fmt -check -check=false'],
  ['tsc --noEmit', 'tsc --noEmit --NOEMIT false'],
  ['tsc --noEmit', 'tsc --noEmit --init'],
  ['node --check', 'node --check --nocheck x'],
  ['ctest --test-dir build', 'ctest --test-dir build --test-dir src'],
  ['ctest --test-dir build', 'ctest --test-dir build --test=src'],
  ['cmake -S . -B build', 'cmake -S . -B build -Ssrc'],
  ['pytest -k unit', 'pytest -k unit -k x'],
  ['npx prettier --check', 'npx prettier --check -w .'],
  ['black --check', 'black --check --no_check .'],
  ['npm test -- --run', 'npm test -- --run --no-run'],
  ['tool --out=a *', 'tool --out=a x --out=b'],
  ['cp * dist/', 'cp -t . src/x dist/'],
  ['cp * dist/', 'cp src/x -rt. dist/'],
  ['mv * dist', 'mv --targ=. src/x dist'],
])('of `%s` something is taken back by `%s`', (rule, line) => expect(isTaken(rule, line)).toBe(true))

test.each([
  ['git push', 'git push --no-dry-run'],
  ['git push --dry-run', 'git push --dry-run origin main'],
  ['git push --dry-run', 'git push --dry-run ?src/'],
  ['git clean -n', 'git clean -n -d -- --no-dry-run'],
  ['git commit -m', 'git commit -m a -m b'],
  ['git log --oneline', 'git log --oneline --no-merges --graph'],
  ['git diff --stat', 'git diff --stat -w --no-color'],
  ['gcc -fsyntax-only', 'gcc -fsyntax-only -fno-common -Wall a.c'],
  ['npm --silent test --', 'npm --silent test -- --no-silent'],
  ['cp * dist/', 'cp -r src/x src/a-t dist/'],
  ['cp *', 'cp -t . x'],
  ['cp -n', 'cp -n -r a b'],
  ['make -C build', 'make -C build -j4 all'],
  ['npx tsc --noEmit', 'npx tsc --noEmit --pretty false'],
  ['git log -n', 'git log -n 1'],
  ['grep -e foo', 'grep -e foo -E -r src'],
  ['python3 -m pytest', 'python3 -m pytest -m unit'],
  ['python3 -m pytest -q', 'python3 -m pytest -q -m unit --co'],
  ['grep -l', 'grep -l -w x f'],
  ['pytest -q', 'pytest -q -q -x'],
  ['ls -la', 'ls -la src -l'],
  ['docker compose -f a.yml', 'docker compose -f a.yml up -d --force-recreate'],
  ['kubectl -n dev get', 'kubectl -n dev get pods --no-headers -o wide'],
  ['psql -h localhost', 'psql -h localhost --html -c x'],
  ['cargo test -p core', 'cargo test -p core --profile-x'],
  ['git reset --soft', 'git reset --soft HEAD~1 -q'],
  ['git push --force-with-lease', 'git push --force-with-lease -u origin x'],
  ['git branch -r', 'git branch -r --merged main'],
  ['rsync -an', 'rsync -an --no-perms a b'],
  ['git checkout -b', 'git checkout -b feat origin/main'],
])('of `%s` nothing by `%s`', (rule, line) => expect(isTaken(rule, line)).toBe(false))

test('a word that may be any option takes back', () => {
  const rule = ['tool', '--check']
  const argv = [...rule.map((value): Word => ({ kind: 'literal', value }))]
  const unclear: Word = { kind: 'dynamic', found: { starts: ['/'], isUnclear: true } }
  expect(takesBack(rule, [...argv, unclear])).toBe(true)
  expect(takesBack(rule, [...argv, { kind: 'dynamic', patterns: ['a', '--no-check'] }])).toBe(true)
  expect(takesBack(rule, [...argv, { kind: 'dynamic', found: { starts: ['src'] } }])).toBe(false)
})
