import { basename } from 'node:path/posix'
import { programName } from '../../lib/text/programName.ts'
import { wordsIn } from '../../lib/text/words.ts'
import { isInterpreter, takesScript } from '../../shell/programs/findStart.ts'
import { HIDDEN_COMMAND_RUNNERS, isContextWrapper } from '../../shell/programs/wrappers.ts'
import type { Remark } from '../rules/readRules.ts'

/** Programs that run what their arguments say, beside those that `src/shell/programs` knows. */
const MORE_RUNNERS = new Set(
  wordsIn(
    'osascript jshell scala elixir erl escript swift tclsh wish racket guile sbcl ghci runghc pipx tox nox ant sbt bazel buck',
    'nx turbo lerna buildah kubectl helm pulumi vagrant aws gcloud az exec rush vim vi nvim emacs nano sqlite3 psql mysql',
    'mariadb mongo mongosh redis-cli tmux screen systemctl yash osh xonsh nu elvish ipython isympy bpython ptpython',
    'swipl clisp ocaml raku gforth nix nix-build guix conda mamba act lint-staged',
  ),
)

/** Subcommands that run, or fetch and run, what follows them. */
const RUNNING_PARTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', new Set(wordsIn('exec x explore run run-script init create install i add link set config edit'))],
  ['pnpm', new Set(wordsIn('exec dlx run create install i add link config'))],
  ['yarn', new Set(wordsIn('exec dlx node run create install add link config'))],
  ['bun', new Set(wordsIn('x run exec create install i add link'))],
  ['deno', new Set(wordsIn('run eval task install repl'))],
  ['cargo', new Set(wordsIn('run r install'))],
  ['go', new Set(wordsIn('run generate install get tool'))],
  ['pip', new Set(wordsIn('install download wheel'))],
  ['pip3', new Set(wordsIn('install download wheel'))],
  ['uv', new Set(wordsIn('run tool pip add sync'))],
  ['poetry', new Set(wordsIn('run add install'))],
  ['gem', new Set(wordsIn('install exec'))],
  ['bundle', new Set(wordsIn('exec install add'))],
  ['docker', new Set(wordsIn('run exec compose cp'))],
  ['podman', new Set(wordsIn('run exec cp'))],
  ['kubectl', new Set(wordsIn('exec run cp apply debug'))],
  ['gh', new Set(wordsIn('api alias extension codespace auth'))],
  ['dotnet', new Set(wordsIn('run exec tool'))],
])

/** They send data to a place that their arguments name. */
const SENDERS = new Set(wordsIn('curl wget http https xh nc ncat netcat telnet ftp sftp lftp rclone s3cmd aria2c'))

/** Options that take a program as text. */
const INLINE = /^-(?:[a-z]*[ce]|-eval|-command|p|-print)$/

/** They run code of the project: tests, scripts, build files. */
const TESTERS = new Set(wordsIn('pytest jest vitest mocha ava phpunit rspec tsc eslint rubocop playwright cypress'))

/** True for a command that runs project code, which anyone who may write there controls. */
export function isProjectRunner(command: string): boolean {
  return isCodeRunner(command) || TESTERS.has(programName(command)) || command.startsWith('./')
}

/** True for a program that runs code named by its words: an open rule for one allows everything. */
export function isCodeRunner(command: string): boolean {
  const name = programName(command)
  return [
    isInterpreter(name),
    takesScript(name),
    isContextWrapper(name),
    HIDDEN_COMMAND_RUNNERS.has(name),
    MORE_RUNNERS.has(name),
  ].includes(true)
}

/** True for an interpreter that gets its program from its words or from stdin: `sh`, `node -e`. */
export function isProgramRunner(command: string, second: string | undefined): boolean {
  if (!takesScript(programName(command))) return false
  return second === undefined || second === '-' || INLINE.test(second)
}

/** The risk of an allow rule that fixes these words and leaves the rest open; undefined if no risk is known. */
export function riskOf(fixed: readonly string[]): Remark | undefined {
  const [first = '', second, ...others] = fixed
  const name = programName(first)
  if (second !== undefined)
    return others.length === 0 && RUNNING_PARTS.get(name)?.has(second) === true ? runs(`${name} ${second}`) : undefined
  if (isCodeRunner(name)) return runs(basename(first))
  if (name === 'git')
    return { message: 'covers push, reset and config as well; name the subcommands', edit: 'Bash(git diff *)' }
  if (name === 'gh')
    return { message: 'does on GitHub whatever the token allows; name the subcommands', edit: 'Bash(gh pr view *)' }
  if (name === 'find')
    return {
      message: 'searches the whole machine (it does not cover -exec and -delete); name the folder',
      edit: 'Bash(find . *)',
    }
  if (SENDERS.has(name))
    return {
      message: `${name} sends what the agent knows to any host; name the host`,
      edit: 'WebFetch(domain:example.com)',
    }
  return undefined
}

function runs(what: string): Remark {
  return { message: `${what} runs whatever it is given, so this is as good as allowing every command; name the script` }
}
