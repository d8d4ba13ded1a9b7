import { type Attack, attacks } from './row.ts'

const LS_IN_3 = { '3/ls': '#!/bin/sh\n/usr/bin/touch pwned\n' }
const TOUCHING_RUN = { 'bin/run': '#!/bin/sh\ncase "$1" in bad) touch ROOT/pwned;; esac\n' }

/** Variables that change during the judgment: by printf, by names in loops, in inner loops and subshells. */
export const variables: Attack[] = [
  ...attacks(
    { allow: ['printf:*', 'ls:*'] },
    { text: "printf 'abc%n' PATH; ls", files: LS_IN_3 },
    { text: "printf -- 'abc%n' PATH; ls", files: LS_IN_3 },
    { text: "printf '%-3s%n' a PATH; ls", files: LS_IN_3 },
    { text: "printf 'abc%hn' PATH; ls", files: LS_IN_3 },
    { text: "printf '%%ab%5ln' PATH; ls", files: LS_IN_3 },
    { text: 'printf "abc%$(printf n)" PATH; ls', files: LS_IN_3 },
    { text: "for v in PATH; do printf 'abc%n' $v; done; ls", files: LS_IN_3 },
    // The `t` is the prompt, and not an option that takes `PATH` as its value.
    ...['read -pt PATH <<< 3; ls', 'read -rdu PATH <<< 3; ls', 'read -r PATH <<< 3; ls'].map((text) => ({
      text,
      files: LS_IN_3,
    })),
  ),
  ...attacks(
    { allow: ['printf:*', 'ls:*', 'getopts:*', 'hash:*'] },
    ...['printf -v x -v PATH %s 3; ls', "printf -v x 'abc%n' PATH; ls", "printf -vx -- 'abc%n' PATH; ls"].map(
      (text) => ({
        text,
        files: LS_IN_3,
      }),
    ),
    { text: 'hash -rp ./3/ls ls; ls', files: LS_IN_3 },
  ),
  ...attacks(
    { allow: ['echo:*', 'printf:*', 'true:*'] },
    // Bash sets these itself, whatever the line has set them to.
    "REPLY=1; read <<< 'a[$(touch pwned)]'; (( REPLY ))",
    "MAPFILE=1; mapfile <<< 'a[$(touch pwned)]'; (( MAPFILE ))",
    "x=1; mapfile -t x <<< 'a[$(touch pwned)]'; (( x ))",
    "x=1; IFS= read -ax <<< 'a[$(touch pwned)]'; (( x ))",
    "export _=1; : 'a[$(touch pwned)]'; (( _ ))",
    "export OPTARG=1; getopts a: o -a 'a[$(touch pwned)]'; (( OPTARG ))",
    // Bash reads what they are set to as arithmetic.
    "RANDOM='a[$(touch pwned)]'",
    "SRANDOM='a[$(touch pwned)]'",
    "HISTCMD='a[$(touch pwned)]'",
    "export OPTIND='a[$(touch pwned)]'",
    "for SECONDS in 'a[$(touch pwned)]'; do :; done",
    // A string that spells a list.
    "declare -a x='($(touch pwned))'",
    "declare -a 'x=($(touch pwned))'",
    "declare -A x='([$(touch pwned)]=1)'",
    "readonly -a x='($(touch pwned))'",
    "x=(1); declare x='($(touch pwned))'",
    'typeset -a x="$(printf \'($(touch pwned))\')"',
    "f() { local -a x='($(touch pwned))'; }; f",
    "eval 'x=(1)'; declare x='($(touch pwned))'",
    'x=(1); eval "declare x=\'(\\$(touch pwned))\'"',
    "r() { x='a[$(touch pwned)]'; }; eval 'x=1; r; (( x ))'",
    { text: 'trap 999 EXIT', files: { 'bin/999': '#!/bin/sh\ntouch ROOT/pwned\n' } },
  ),
  ...attacks(
    { allow: ['run:*', 'read f', 'printf:*', 'git status:*', 'echo:*'], deny: ['run bad:*'] },
    ...[
      'r() { f=bad; }; eval \'for f in a; do r; run "$f"; done\'',
      'for REPLY in a; do read <<< bad; run "$REPLY"; done',
      'for f in a; do read -af <<< bad; run "$f"; done',
      'for f in a; do read {f,g} <<< bad; run "$f"; done',
      'n=f; for f in a; do read $n <<< bad; run "$f"; done',
      'c=read; for f in a; do $c f <<< bad; run "$f"; done',
      'o=-v; for f in a; do printf $o f bad; run "$f"; done',
      'for f in a; do read f <<< bad; run "$f"; done',
      'for f in a; do (read f <<< bad; run "$f"); done',
      'for f in a; do for f in bad; do :; done; run "$f"; done',
      'for f in a; do (for f in bad; do run "$f"; done); done',
      'for c in read; do for f in a; do $c f <<< bad; run "$f"; done; done',
      'for f in bad; do :; done; run "$f"',
      'for f in b*d; do run "$f"; done',
      'for f in a b*d; do run "$f"; done',
      'for a in ba; do for b in d; do run $a$b; done; done',
      'for a in ba; do run "${a}d"; done',
    ].map((text) => ({ text, files: { ...TOUCHING_RUN, bad: '' } })),
    ...[
      'for c in cd; do $c evil; done; git status',
      'for c in cd; do command $c evil; done; git status',
      'for c in d; do "c$c" evil; git status; done',
      'for c in builtin; do $c cd evil; done; git status',
    ].map((text) => ({ text, files: EVIL_REPOSITORY() })),
  ),
]

/** The directory. */
export const directory: Attack[] = [
  ...attacks(
    { allow: ['git status:*', 'git:*', 'echo:*', 'ls:*', 'npm:*'] },
    ...[
      'for d in evil; do cd "$d" && git status; done',
      'git --git-dir=evil --work-tree=. status',
      'git --git-dir evil status',
      'while cd evil; do git status; break; done',
      'CDPATH=. cd evil && git status',
    ].map((text) => ({ text, files: EVIL_REPOSITORY() })),
  ),
  ...attacks(
    { allow: ['cat:*', 'echo:*', 'ls:*', 'cd:*'], edit: ['.'] },
    'cd /tmp/../tmp; cd - ; touch pwned',
    { text: 'true || cd sub && cat x > pwned', edit: ['sub'], files: { 'sub/x': '', x: '' } },
    { text: '! cd missing && echo a > pwned', edit: ['missing'] },
    { text: 'cd ..; echo a > "$OLDPWD/pwned"' },
    { text: 'cd / && cd "$OLDPWD" && echo a > pwned' },
    { text: 'cd "$HOME$NONE" && echo a > pwned' },
    { text: 'cd ~/.. && echo a > ../pwned', unshown: 'writes outside the folder' },
    { text: 'cd && echo a > ../pwned' },
  ),
]

/** A bare repository whose configuration runs a program on `git status`. */
function EVIL_REPOSITORY(): Record<string, string> {
  return {
    'evil/HEAD': 'ref: refs/heads/main\n',
    'evil/objects/.keep': '',
    'evil/refs/heads/.keep': '',
    'evil/config':
      '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = "."\n\tfsmonitor = "touch ROOT/pwned;false"\n',
  }
}

/** Assignments. */
export const assignments: Attack[] = [
  ...attacks(
    { allow: ['ls:*', 'git diff:*', 'git status:*', 'echo:*', 'cat:*', 'npm:*'] },
    { text: 'PATH=evil ls', files: { 'evil/ls': '#!/bin/sh\n/usr/bin/touch pwned\n' } },
    { text: 'PATH=evil:$PATH ls', files: { 'evil/ls': '#!/bin/sh\n/usr/bin/touch pwned\n' } },
    { text: 'PATH="evil:$PATH" ls', files: { 'evil/ls': '#!/bin/sh\n/usr/bin/touch pwned\n' } },
    { text: 'PATH+=:evil newcommand', files: { 'evil/newcommand': '#!/bin/sh\n/usr/bin/touch pwned\n' } },
    { text: 'export PATH=evil; ls', files: { 'evil/ls': '#!/bin/sh\n/usr/bin/touch pwned\n' } },
    { text: 'PATH=evil; ls', files: { 'evil/ls': '#!/bin/sh\n/usr/bin/touch pwned\n' } },
    { text: 'declare -x PATH=evil; ls', files: { 'evil/ls': '#!/bin/sh\n/usr/bin/touch pwned\n' } },
    { text: 'hash -p evil/ls ls; ls', files: { 'evil/ls': '#!/bin/sh\n/usr/bin/touch pwned\n' } },
    'A=$(touch pwned) ls',
    'A="$(touch pwned)" ls',
    'A=`touch pwned`',
    'A=(1 $(touch pwned))',
    'A[$(touch pwned)]=1',
    'A[0]=`touch pwned`',
    'NODE_ENV=$(touch pwned) ls',
    'NODE_ENV="$(touch pwned)" ls',
    'NODE_ENV=a; touch pwned',
    'a=b c=d; touch pwned',
    'a=b touch pwned',
    { text: 'GIT_DIR=evil GIT_WORK_TREE=. git status', files: EVIL_REPOSITORY() },
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.status GIT_CONFIG_VALUE_0="!touch pwned" git diff --help; touch pwned',
    { text: 'GIT_EXTERNAL_DIFF="touch pwned;:" git diff', files: { '.git!': 'a' }, unshown: 'needs a changed file' },
    { text: 'LD_PRELOAD=./x.so ls', unshown: 'needs a library' },
    { text: 'NODE_OPTIONS=--require=./x.js npm test', unshown: 'needs node modules' },
    { text: "PS4='$(touch pwned)' bash -xc 'echo a'", unshown: 'ignored for root' },
    { text: 'BASH_ENV=evil bash -c :', files: { evil: 'touch pwned\n' } },
    { text: 'ENV=evil sh -i -c :', files: { evil: 'touch pwned\n' }, unshown: 'wants a terminal' },
  ),
]

/** Functions that what runs is not: a program has their name, or they are not defined after all. */
export const functions: Attack[] = attacks(
  { allow: ['echo:*', 'find:*'] },
  'touch() { :; }; command touch pwned',
  'touch() { :; }; env touch pwned',
  'touch() { :; }; timeout 5 touch pwned',
  'touch() { :; }; exec touch pwned',
  'touch() { :; }; echo pwned | xargs touch',
  "touch() { :; }; find . -maxdepth 0 -exec touch pwned ';'",
  '{ touch() { :; }; } < missing; touch pwned',
  "eval 'touch() { :; }' < missing; touch pwned",
)

/** Builtins that run a command of their words. */
export const running: Attack[] = [
  ...attacks(
    { allow: ['echo:*'] },
    'jobs -x touch pwned',
    "command trap 'touch pwned' EXIT",
    "builtin trap 'touch pwned' EXIT",
  ),
  ...attacks({ allow: ['*'], deny: ['touch:*'] }, 'env a.b=c touch pwned', 'env -- A=b touch pwned'),
  ...attacks(
    { allow: ['echo:*', 'printf:*', 'run'], deny: ['run bad:*'] },
    { text: 'echo bad | xargs -I{} -n2 run', files: TOUCHING_RUN },
    { text: 'xargs -a -I run', files: { ...TOUCHING_RUN, '-I': 'bad\n' } },
  ),
]

/** Scripts of a shell that knows no `[[` and no `((`. */
export const posix: Attack[] = attacks(
  { allow: ['ls:*'] },
  "sh -c '[[ a > pwned ]]'",
  "sh -c 'a=1; pwned=2; (( a > pwned ))'",
  { text: "sh -c '[[ a || run ]]'", files: { 'bin/run': '#!/bin/sh\ntouch ROOT/pwned\n' } },
  { text: 'sh -c \'y="a PATH=3"; export x=$y; ls\'', files: LS_IN_3, unshown: 'only older versions split' },
)
