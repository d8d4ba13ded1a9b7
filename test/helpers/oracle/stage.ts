import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeFiles } from '../effects/makeFiles.ts'
import { CHANGING } from './judgeRun.ts'

/** True where lines can run behind bubblewrap: real tools then do what they would do. */
export const HAS_BWRAP = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '/bin/true']).status === 0

/** Tools that run for real, each logged first. */
const TOOLS =
  'echo printf cat sort find sed uniq grep tee head tail wc cut awk timeout nice nohup stdbuf env setsid xargs bash sh touch git ln cp'.split(
    ' ',
  )

const FILES: Readonly<Record<string, string>> = {
  ...{ a: 'a\nb\n', b: 'b\n', file: 'one\ntwo\n', 'a.txt': 'a\n', '.secret': 's\n', '-opwned': '', 'sub/x': '' },
  ...{ 'out/old': 'old\n', 'home/keep': '', 'repo/HEAD': 'ref: refs/heads/main\n', 'repo/objects/keep': '' },
  ...{ 'repo/refs/heads/keep': '', link: '-> /' },
  'repo/config':
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch pwned;false"\n',
}

/** What every child of a run gets: a repository that is found on the way runs nothing. */
const GIT = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
}

/** A place where generated lines run: one folder per line, logs beside it, nothing else writable. */
export type Stage = { readonly folder: string; readonly template: string }

export function createStage(): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-oracle-')))
  const template = join(folder, 'template')
  writeFiles(template, FILES)
  writeProgram(join(template, 'evildir/run'), '#!/bin/dash\n: > ../pwned\n: > pwned\n')
  mkdirSync(join(folder, 'bin'))
  const log = (words: string) => `printf '%s\\0' ${words} >> "\${ORACLE_LOG:-${folder}/lost}"\n`
  writeProgram(join(folder, 'bin/oracle-log'), `#!/bin/dash\n${log('"$#" "$@"')}`)
  if (HAS_BWRAP) {
    for (const name of [...TOOLS, 'run', 'lone']) {
      const real = CHANGING.includes(name) ? join(folder, 'real', name) : programAt(name)
      const body = TOOLS.includes(name) && real ? `${name === 'env' ? LOGGED_STILL : ''}exec ${real} "$@"\n` : ''
      writeProgram(join(folder, 'bin', name), `#!/bin/dash\n${log('"$(($#+1))" "${0##*/}" "$@"')}${body}`)
    }
  }
  writeProgram(join(folder, 'driver'), driver(folder))
  return { folder, template }
}

function programAt(name: string): string | undefined {
  return ['/usr/bin', '/bin'].map((place) => join(place, name)).find((path) => existsSync(path))
}

/** What changes files is logged wherever it is found: \`command -p\` has a search path of its own. */
function logged(folder: string): string[] {
  return CHANGING.flatMap((name) => {
    const program = programAt(name)
    if (program === undefined) return []
    const real = realpathSync(program)
    return ['--ro-bind', real, join(folder, 'real', name), '--ro-bind', join(folder, 'bin', name), real]
  })
}

/** What starts in an empty environment is logged as well. */
const LOGGED_STILL = `case $1 in -i|-|--ignore-environment) shift; set -- -i PATH="$PATH" ORACLE_LOG="$ORACLE_LOG" "$@";; esac\n`

export function removeStage({ folder }: Stage): void {
  rmSync(folder, { recursive: true, force: true })
}

/** The folder that line `index` calls its project. */
export function projectOf({ folder, template }: Stage, index: number): string {
  const project = join(folder, 'lines', String(index), 'project')
  mkdirSync(dirname(project), { recursive: true })
  cpSync(template, project, { recursive: true, verbatimSymlinks: true })
  return project
}

function writeProgram(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, 0o755)
}

/**
 * Before each line: builtins that are not logged and could do harm are off, and what is not found is logged. Without
 * bubblewrap nothing but this is found at all: PATH is empty and almost every builtin is off.
 */
function prelude(folder: string): string {
  const off = HAS_BWRAP ? 'echo printf kill pwd type history fc suspend ulimit' : SAFE_OFF
  return `enable -n ${off}\ncommand_not_found_handle() { ${folder}/bin/oracle-log "$@"; return 0; }\n`
}

const SAFE_OFF =
  '. alias bg bind builtin caller command compgen complete compopt declare dirs disown echo enable eval exec export fc fg ' +
  'getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return shift ' +
  'shopt source suspend times trap type typeset ulimit umask unalias unset'

/** Runs every line twice, as it was written and as canonical text, each in a fresh copy of the project. */
function driver(folder: string): string {
  const path = HAS_BWRAP ? `${folder}/bin` : `${folder}/nothing`
  return `#!/bin/bash
for line in ${folder}/lines/*/; do
  cd "$line" || exit 1
  for kind in raw canonical; do
    ( cd project || exit; PATH=${path} HOME="$PWD/home" ORACLE_LOG="$line$kind.log" \
      exec /usr/bin/timeout -k 1 5 /bin/bash --noprofile --norc -p -c "$(<"../$kind.text")" ) < /dev/null 2>&1 | /usr/bin/timeout 8 /bin/cat > $kind.output
    /bin/mv project $kind
    [ $kind = canonical ] || ${HAS_BWRAP ? `${folder}/real` : '/bin'}/cp -a ${folder}/template project
  done
done
exit 0
`
}

/** Runs all lines of the stage. */
export function runStage({ folder }: Stage): void {
  const walls = '--unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc'.split(' ')
  const inside = [...walls, '--bind', folder, folder, ...logged(folder), join(folder, 'driver')]
  const [file, args] = HAS_BWRAP ? ['bwrap', inside] : [join(folder, 'driver'), []]
  const ended = spawnSync(file, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { LANG: 'C.UTF-8', PATH: '/usr/bin:/bin', ...GIT },
  })
  if (ended.status !== 0) throw new Error(`the oracle's driver ended with ${ended.status ?? ended.signal}`)
}

export function writeLine(
  stage: Stage,
  index: number,
  texts: { readonly raw: string; readonly canonical: string },
): void {
  const line = join(stage.folder, 'lines', String(index))
  writeFileSync(join(line, 'raw.text'), prelude(stage.folder) + texts.raw)
  writeFileSync(join(line, 'canonical.text'), prelude(stage.folder) + texts.canonical)
}

export function readLog(path: string): string[][] {
  if (!existsSync(path)) return []
  const parts = readFileSync(path, 'utf8').split('\0')
  const found: string[][] = []
  for (let index = 0; index < parts.length - 1; ) {
    const count = Number(parts[index])
    found.push(parts.slice(index + 1, index + 1 + count))
    index += 1 + count
  }
  return found
}
