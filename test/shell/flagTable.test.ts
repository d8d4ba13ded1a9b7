import { expect, test } from 'vitest'
import { flagProblem } from '../../src/shell/flagTable.ts'

/** Words by blanks; `?` stands for one that is known only when it runs. */
function problemOf(line: string): string | undefined {
  const argv = line.split(' ').map((value) => (value === '?' ? ({ kind: 'dynamic' } as const) : literal(value)))
  return flagProblem(line.split(' ')[0] ?? '', argv)?.why
}

function literal(value: string) {
  return { kind: 'literal', value } as const
}

test.each([
  'psql -h db -tAc x',
  'mysql -e x db',
  'sqlite3 -json a.db x',
  'kubectl get pods -o yaml',
  'kubectl kustomize src',
  'docker logs ?',
  'docker ps -f name=x',
  'pip list --outdated',
  'mvn -T 1C test -Dtest=FooTest#bar -pl core -am -q',
  'gradle test --tests Foo',
  'cmake -B build -S . -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++',
  'cmake --build build -- -j4',
  'ninja -C build',
  'npx eslint -c eslint.config.js --cache --fix ?',
  'npx prettier --config .prettierrc --check .',
  'yarn eslint src',
  'uv run mypy --strict src',
  'python3 -m mypy --config-file=mypy.ini src',
  'python3 -m json.tool --indent 2 a.json',
  'ruff check --fix src',
  'ruff check --config pyproject.toml .',
  'coverage report --rcfile=.coveragerc -m',
  'jq -r .name package.json',
  'jq --arg f x .a',
  'cargo fmt -- --check',
  'cargo clippy -- -D warnings',
  'gcc -Wall -O2 -Iinclude -o build/x src/a.c -lm -Wl,-rpath,/x',
  'rustc src/main.rs -o x',
  'make CC=gcc-12 V=1 -j4 test',
  'xxd -c 32 -l 16 a',
  'date -ud yesterday +%s',
  'date -d ? +%F',
])('a wildcard covers: %s', (line) => {
  expect(problemOf(line)).toBeUndefined()
})

test.each([
  'psql db',
  'psql -c x -o f',
  'mysql db',
  'mysql -e tee',
  'sqlite3 a.db',
  'sqlite3 -separator , a.db',
  'kubectl get pods --kubeconfig=x',
  'kubectl kustomize src -o f',
  'kubectl get ?',
  'helm template . --post-renderer x',
  'terraform plan -out=f',
  'docker build --iidfile=f .',
  'pip list --lo f',
  'mvn test -f src/pom.xml',
  'mvn exec:exec',
  'gradle -I src/x test',
  'cmake -P x',
  'cmake -B build -DCMAKE_C_COMPILER_LAUNCHER=x',
  'cmake --build build -- --eval=x',
  'ninja -fx',
  'npx eslint -c src/x.js .',
  'npx prettier --plugin=x .',
  'yarn eslint --rulesdir src .',
  'pnpm exec eslint -o f .',
  'poetry run mypy --config-file=src/x .',
  'python3 -m mypy --html-report f .',
  'python3 -m json.tool a b',
  'python3 -Bmjson.tool a b',
  'cargo fmt -- --print-config default f',
  'cargo rustc -- -Clinker=x',
  'gcc -Wl,-plugin,x a.c',
  'gcc --prefix=src/ a.c',
  'gcc -Wp,-o,f a.c',
  'rustc -C linker=x a.rs',
  'rustc --print=cfg=.github/x a.rs',
  'rustc --extern pm=src/libpm.so a.rs',
  'rustfmt --print-config=default x',
  'make MAKEFILES=x',
  'make CC=src/cc',
  'make LINK.c=x',
  'make CFLAGS=-wrapper',
  'make -kt',
  'ed',
  'dc',
  'xxd a -f',
  'xxd a ?',
  'date 01010000',
  'date ?',
  'man ./x',
  'mypy @src/args',
  'ruff check @src/args',
  'ruff check --config=cache-dir="x" .',
  'coverage report --rcfile=src/rc',
  'flake8 --filename=* .',
  'jq -n -f docs/x.jq',
  'jq -rf x.jq a.json',
  'jq --from-file x.jq a.json',
])('needs an exact rule: %s', (line) => {
  expect(problemOf(line)).toEqual(expect.any(String))
})
