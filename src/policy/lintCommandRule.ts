import { isExactOnly } from '../programs/findStart.ts'
import type { Remark } from './lintPolicy.ts'
import { baseName } from './matchers/baseName.ts'
import { commandPatternOf } from './matchers/commandPatternOf.ts'
import { type CommandPattern, SEPARATOR } from './matchers/parseCommandPattern.ts'
import type { Rule } from './Policy.ts'
import { changesFiles, isProgramRunner, riskOf } from './riskyCommands.ts'

/** Programs that run another command: that one is judged by itself. */
const WRAPPERS = new Set([
  ...['sudo', 'doas', 'env', 'xargs', 'timeout', 'time', 'nice', 'nohup', 'stdbuf', 'command', 'builtin', 'setsid'],
  ...['ionice', 'chrt', 'taskset', 'flock', 'chroot', 'watch', 'strace', 'unshare', 'nsenter'],
])

/** Remarks on rules for commands. */
export function lintCommandRule(rule: Rule): readonly Remark[] {
  const { tool, list, target } = rule
  if (tool === 'PowerShell' && target.kind === 'bare') return list === 'allow' ? [EVERYTHING] : []
  if (tool !== 'Bash') return []
  if (target.kind === 'bare') return list === 'allow' ? [EVERYTHING] : []
  if (target.kind !== 'command') return []
  const pattern = commandPatternOf(target)
  if ('error' in pattern) return []
  return list === 'allow' ? lintAllow(pattern) : lintDeny(pattern, target.pattern)
}

const EVERYTHING: Remark = {
  message: 'allows every command; only the sandbox and the Edit and Read rules limit what they do',
}

function lintAllow(pattern: CommandPattern): readonly Remark[] {
  if (pattern.kind === 'any') return []
  if (pattern.kind === 'exact') {
    const [name = '', second, ...others] = pattern.words
    const isStdin = others.length === 0 && (second === undefined || second === '-')
    return isStdin && isProgramRunner(name, second) ? [{ message: `${name} runs whatever is piped into it` }] : []
  }
  if (pattern.kind === 'glob') return lintGlob(pattern.segments)
  const [name = '', second] = pattern.words
  if (WRAPPERS.has(baseName(name)) && second === undefined) {
    const message = `${name} is not covered by a prefix: the command it runs is judged, and needs a rule of its own`
    return [{ message, edit: 'Bash(npm test)' }]
  }
  if (isExactOnly(baseName(name))) {
    return [
      {
        message: `${name} runs other programs by a language of its own: only a rule that spells the whole command allows it`,
      },
    ]
  }
  const risk = riskOf(pattern.words)
  return risk === undefined ? [] : [risk]
}

/** A star that may stand for the program itself, or for what decides what the program does. */
function lintGlob(segments: readonly string[]): readonly Remark[] {
  const [start = '', next = ''] = segments
  if (start === '') return [{ message: 'starts with `*`, which is as good as allowing every command' }]
  const fixed = start.split(SEPARATOR)
  if (fixed.length === 1) {
    const edit = next === '' && !start.includes('/') ? `Bash(${start} *)` : undefined
    const message = `also allows every other program whose name starts with \`${start}\``
    return [edit === undefined ? { message } : { message, edit }]
  }
  const risk = fixed.at(-1) === '' ? riskOf(fixed.slice(0, -1)) : undefined
  if (risk === undefined && changesFiles(fixed[0] ?? '') && !fixed.at(-1)?.includes('/')) {
    return [{ message: `\`*\` also stands for further words, and those may name files anywhere`, edit: 'Edit(src/**)' }]
  }
  return risk === undefined ? [] : [risk]
}

function lintDeny(pattern: CommandPattern, text: string): readonly Remark[] {
  if (pattern.kind === 'any') return []
  const slip = slipOf(text.trim())
  if (slip !== undefined) return [slip]
  const words = pattern.kind === 'glob' ? pattern.segments.join('*').split(SEPARATOR) : pattern.words
  const option = words.find((word) => word.startsWith('-'))
  const before = words.slice(0, option === undefined ? undefined : words.indexOf(option))
  const edit = `Bash(${before.join(' ')} *)`
  if (option !== undefined && before.length > 0 && !before.some((word) => word.includes('*'))) {
    return [
      {
        message: `another option that does the same as \`${option}\` gets around it (\`git push --force-with-lease\` is a force too)`,
        edit,
      },
    ]
  }
  if (pattern.kind === 'exact')
    return [{ message: 'stands only against exactly these words', edit: `Bash(${text.trim()} *)` }]
  return []
}

/** What stands for itself here and for more elsewhere. */
function slipOf(text: string): Remark | undefined {
  if (/["']/.test(text)) return undefined
  if (text.endsWith('.*')) {
    const edit = `Bash(${text.replace(/\s*\.\*$/, '')} *)`
    return { message: '`.*` is a dot and what follows it, and no regular expression', edit }
  }
  if (text.endsWith('\\*')) {
    return { message: '`\\*` is a star and nothing else', edit: `Bash(${text.slice(0, -2).trimEnd()} *)` }
  }
  if (/[a-z]:$/.test(text)) return { message: '`:` has a meaning only before `*` at the end', edit: `Bash(${text}*)` }
  if (!/[^\\|]\|[^|]/.test(text)) return undefined
  const edit = text
    .split('|')
    .map((command) => `Bash(${command.trim()})`)
    .join(' and ')
  return { message: '`|` is a part of its word; a rule names one command', edit }
}
