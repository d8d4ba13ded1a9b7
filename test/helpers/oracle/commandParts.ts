/** What random command lines are made of: each list has what is common, and what has fooled a parser. */

export const NAMES = [
  ...['run', 'run', 'run', 'echo', 'echo', 'cat', 'lone', 'run sub', 'sort', 'find', 'sed', 'uniq', 'grep', 'tee'],
  ...['git status', 'touch', 'evil'],
]
export const WRAPPERS = [
  ...['timeout 5', 'nice', 'nice -n 3', 'nohup', 'stdbuf -oL', 'command', 'builtin', 'env', 'env A=b', 'xargs'],
  ...['xargs -r', 'exec', 'time', 'time -p', 'setsid', 'command -p', 'bash -c', 'sh -c', 'eval', 'env -i'],
  ...['timeout -k 1 5', '!'],
]
export const WORDS = [
  ...['a', 'b', 'bad', 'x y', 'out/f', '.secret', 'sub', 'file', '-n', '-u', '-o', '-oout/z', '-opwned', '-delete'],
  ...['-fprint', '-exec', 'p', 's/a/b/', 'w pwned', '--output=pwned', '{a,b}', '{bad,a}', '{a,b}c', 'b{ad,a}'],
  ...['{b..a}', '{1..3}', '{a,{b,c}}', '{a,"b"}', '{,a}', 'a{1..2}', '{o,p}*', '-{o,n}{pwned,}', '--output{,=pwned}'],
  ...['{a,.secret}', '~', '~/a', '~root', 'x=~', '*', '*.txt', 'o*t', '[ab]', '?', '-*', '$HOME', '"$HOME"'],
  ...['${HOME}', '"${HOME}"', '$PWD', '"$PWD/.secret"', '"$(pwd)/bad"', '$(pwd)', '$x', '"$f"', '$f', '${f}'],
  ...['"$f.x"', '$(echo bad)', '"$(echo bad)"', '"$(touch pwned)"', '$(touch pwned)', '`touch pwned`', '"`echo a`"'],
  ...['"$(cat <<\'E\'\nbad\nE\n)"', '${x:-$(touch pwned)}', '"${f:-bad}"', '$((1+1))', '$[1]', "$'a'", "$'\\x62ad'"],
  ...["$'a\\nb'", '$"a"', "'bad'", '"ba"d', 'b\\ad', '\\a', '""', "''", "'a b'", '"a  b"', "a'b'c", '<(echo a)'],
  ...['<(touch pwned)', '>(touch pwned)', '@(a|b)', '!(a)', '+(a)', 'if', 'then', 'fi', 'do', 'done', 'time', '!'],
  ...['{', '}', '[[', ']]', 'case', 'esac', 'in', 'function', 'coproc', '#a', 'a#b', '=', 'a=b', 'a+=b', 'a[0]=b'],
  ...['%1', '&1', '-', '--', '\\', "'", '"', '$', '`', 'é', '\u00a0', '\u2003', 'ｅ', '\u{1f600}', 'a\\\nb', '$\\\nx'],
  ...['\t', '\r', '\u000b', '{}', ';', '+', '\\;'],
]
export const REDIRECTS = [
  ...['> out/f', '>> out/f', '>| out/f', '> pwned', '>pwned', '2> out/e', '2>&1', '>&2', '>&-', '2>&-', '&> out/f'],
  ...['&>> out/f', '>& out/f', '< file', '<file', '<> out/f', '3> out/f', '{fd}> out/f', '{fd}>pwned', '2>&-touch'],
  ...['>&2pwned', '<&0', '<&-', '2>&1-', '<<< a', '<<< "$(echo a)"', "<<'E'\na $(touch pwned)\nE\n", '<<E\na\nE\n'],
  ...['<<E\n$(touch pwned)\nE\n', "<<-'E'\n\ta\n\tE\n", '<<E\\F\na\nEF\n', '> "out/$f"', '> out/$f', '> ../pwned'],
  ...['> out/../pwned', '> $f', '> ~/pwned', '> *', '> {a,b}', '> /dev/null', '2>/dev/null', '> /dev/tcp/127.0.0.1/1'],
  ...['1>&2', '>\\\nout/f', '> out/a\\ b', "> 'out/q'", '> out/link/../up', '> out/l/pwned', '>> out/p/../pwned'],
  '> out/sub/x',
]
export const SEPARATORS = [
  ...[' && ', ' || ', '; ', '\n', ' | ', ' |& ', ' & ', ' &\n', ';', '|', '&&', ' ; ; ', ';;', '\r\n', ' &', '\n\n'],
  ...[' # c\n', '#\n', ' \\\n', '&|', ' &&\n', ' |\n'],
]
export const ASSIGNMENTS = [
  ...['A=b', 'PATH=evildir', 'NODE_ENV=a', 'NODE_ENV=$(touch pwned)', 'f=bad', 'A+=b', 'A[0]=b', 'A=(b)', 'A='],
  ...['CI=1', 'IFS=a', 'A="$(touch pwned)"', 'LANG=~', 'TZ={a,b}', 'BASH_ENV=x', 'HOME=evildir'],
]
export const DIRECTORIES = [
  ...['sub', './sub', '..', 'sub/..', '-', '', '~', '/', 'missing', '"$f"', 'out', '-- sub', '-P sub', '$HOME'],
  ...['sub/../..', 'link', 'repo', "'sub'", 'su*', 'out/l', 'out/p'],
]
export const SNIPPETS = [
  ...['2>&-touch pwned', 'run() { touch pwned; }\nrun', 'alias run=touch', 'shopt -s extglob', 'set -f', 'set -k'],
  ...['set -e', 'cd sub', 'exit', 'break', 'true', 'false', ': ${x:=bad}', '[ -f file ]'],
  ...["[ -v 'a[$(touch pwned)]' ]", "test 'a' = a", '[[ a = a ]]', '((1))', "let 'a[$(touch pwned)]=1'"],
  ...['coproc run a', 'function run { touch pwned; }', 'select f in a; do run a; done', 'case a in a) run a;; esac'],
  ...['for ((;;)); do break; done', 'declare -i x=1', "trap 'touch pwned' EXIT", 'read f <<< bad', 'printf -v f bad'],
  ...['export PATH=evildir', 'hash -p evildir/run run', 'exec > out/f', 'wait', 'pushd sub', 'mapfile -t f < file'],
  ...['unset f', "PS4='$(touch pwned)'", 'set -x', 'builtin cd sub', 'command cd ..', 'eval cd ..', '. evildir/run'],
  ...['source file', 'time', '!', '! !', '{ }', '( )', 'if', 'fi', 'done', 'f=bad', 'f=a run "$f"'],
  ...['cd repo && git status', 'git -C repo status', 'ln -s .. out/l', 'ln -sfn .. out/l', 'cp -P link out/p'],
  ...['cp -r sub out', 'ln -s .. out/l && run a > out/l/pwned', 'cd out/l && run a > pwned'],
  ...['find . -maxdepth 1 -exec run {} +', 'find a b -exec run {} \\;', 'find a -exec run bad {} \\;'],
  ...['find a -exec touch pwned \\;', 'find a -exec run a \\; -exec touch pwned \\;'],
  ...['find a -exec timeout 5 run {} \\; -quit', 'echo bad | xargs -I{} run {}', 'echo a | xargs -I{} run x{} {}'],
  ...['echo b | xargs -I % touch %', "echo pwned | xargs -d '\\n' run", 'sed -i s/a/b/ out/old'],
  ...['sed -n -i p out/old file', 'sed -i -e s/a/b/ -e 1d out/old', "sed 's/[/]w pwned/x/' a"],
  ...["sed 's/[^/]*$//w pwned' a", '[ -n "$HOME" ]', '[ "$f" = a ]', '[ ! -f "$f" ]', 'test "$f" -eq 1'],
  ...['printf %s "$f"', 'for f in {a,b}; do run "$f"; done', 'for f in b{a,ad}; do run "$f"; done'],
  ...['for f in *.txt; do sed -n p "$f"; done', 'for f in a; do grep -v x "$f"; run .; done'],
]
