import type { Remark } from './lintPolicy.ts'
import { baseName } from './matchers/command.ts'
import { type CommandPattern, parseCommandPattern } from './matchers/parseCommandPattern.ts'
import type { Rule } from './Policy.ts'

/** Programs that run what their arguments say: an open allow for one is an allow for everything. */
const RUNNERS = new Set([
  ...[
    'sh',
    'bash',
    'dash',
    'zsh',
    'ksh',
    'fish',
    'busybox',
    'node',
    'deno',
    'bun',
    'tsx',
    'python',
    'python2',
    'python3',
  ],
  ...[
    'perl',
    'ruby',
    'php',
    'lua',
    'awk',
    'gawk',
    'osascript',
    'pwsh',
    'npx',
    'bunx',
    'pnpx',
    'uvx',
    'pipx',
    'npm',
    'pnpm',
  ],
  ...['yarn', 'make', 'docker', 'podman', 'kubectl', 'ssh', 'su', 'eval', 'exec', 'parallel', 'vim', 'vi', 'ed', 'gdb'],
])

/** Programs that run another command: that one is judged by itself. */
const WRAPPERS = new Set([
  ...['sudo', 'doas', 'env', 'xargs', 'timeout', 'time', 'nice', 'nohup', 'stdbuf', 'command', 'builtin', 'setsid'],
  ...['ionice', 'chrt', 'taskset', 'flock', 'chroot', 'watch', 'strace', 'unshare', 'nsenter'],
])

/** Options that take a program as text. */
const INLINE = /^-(?:[a-z]*[ce]|-eval|-command|p|-print)$/

/** Remarks on rules for Bash. */
export function lintCommandRule(rule: Rule): readonly Remark[] {
  if (rule.tool !== 'Bash') return []
  if (rule.target.kind === 'bare') return rule.list === 'allow' ? [EVERYTHING] : []
  if (rule.target.kind !== 'command') return []
  const pattern = parseCommandPattern(rule.target.pattern)
  if ('error' in pattern) return []
  return rule.list === 'allow' ? lintAllow(pattern) : lintDeny(pattern)
}

const EVERYTHING: Remark = { message: 'allows every command; only the sandbox limits what they do' }

function lintAllow(pattern: CommandPattern): readonly Remark[] {
  if (pattern.kind === 'exact' || pattern.kind === 'any') return []
  if (pattern.kind === 'glob') {
    return pattern.segments[0] === ''
      ? [{ message: 'starts with `*`, which is as good as allowing every command' }]
      : []
  }
  const [name = '', second, ...others] = pattern.words
  const isInline = second !== undefined && others.length === 0 && INLINE.test(second)
  if (RUNNERS.has(baseName(name)) && (second === undefined || isInline)) {
    return [
      { message: `${name} runs whatever it is given, so this is as good as allowing every command; name the script` },
    ]
  }
  if (WRAPPERS.has(baseName(name)) && second === undefined) {
    return [
      { message: `${name} is not covered by a prefix: the command it runs is judged, and needs a rule of its own` },
    ]
  }
  if (name === 'git' && second === undefined) {
    return [{ message: 'covers push, reset and config as well; name the subcommands', edit: 'Bash(git diff *)' }]
  }
  return []
}

function lintDeny(pattern: CommandPattern): readonly Remark[] {
  if (pattern.kind !== 'exact' && pattern.kind !== 'prefix') return []
  const option = pattern.words.find((word) => word.startsWith('-'))
  const words = pattern.words.slice(0, option === undefined ? undefined : pattern.words.indexOf(option))
  const edit = `Bash(${words.join(' ')} *)`
  if (option !== undefined && words.length > 0) {
    return [{ message: `another spelling of \`${option}\` gets around it (\`rm -rf\` is also \`rm -r -f\`)`, edit }]
  }
  if (pattern.kind === 'exact') return [{ message: 'stands only against exactly these words', edit }]
  return []
}
