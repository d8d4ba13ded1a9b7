import type { Word } from '../../contracts/subject.ts'

/**
 * Whether words of a command take back or replace what the rule fixes: `--no-dry-run` behind `--dry-run`, another `--test-dir`
 * behind `--test-dir build`, `--write` behind `--check`, `-t` beside the target of `cp * dist/`. The last one counts for
 * most programs.
 */
export function takesBack(rule: readonly string[], argv: readonly Word[]): boolean {
  const fixed = optionsOf(rule)
  const meant = MEANT.filter(({ programs, isMeant }) => programs.test(programOf(rule)) && isMeant(rule))
  if (fixed.length === 0 && meant.length === 0) return false
  return wordsBeside(rule, argv).some(
    (word) => meant.some(({ against }) => against.test(word)) || fixed.some((option) => isAgainst(option, word)),
  )
}

/** What rules for some programs mean by their words, and the words against that. */
type Meaning = {
  readonly programs: RegExp
  readonly isMeant: (rule: readonly string[]) => boolean
  readonly against: RegExp
}

const MEANT: readonly Meaning[] = [
  {
    // Where to: `cp * dist/`, `mv * build/*`.
    programs: /^(?:cp|mv|ln|install)$/,
    isMeant: (rule) => rule.some((word) => word.includes('*')) && /^[^-*]/.test(rule.at(-1) ?? ''),
    against: /^$|^-[a-zA-Z]*t|^--(?:t|pa|ex)/,
  },
  {
    // With `-d` each operand is a folder to make.
    programs: /^install$/,
    isMeant: (rule) => /^[^-*]/.test(rule.at(-1) ?? ''),
    against: /^-[a-zA-Z]*d|^--di/,
  },
  {
    // Ready packages only: pip builds none.
    programs: /^pip3?$|^python[\d.]*$/,
    isMeant: (rule) => rule.some((word) => word.startsWith('--only-binary')),
    against: /^--no-b/,
  },
  {
    // What is there stays: `cp -n`.
    programs: /^(?:cp|mv)$/,
    isMeant: (rule) => rule.some((word) => /^-[a-zA-Z]*n|^--no-cl/.test(word)),
    against: /^-[a-zA-Z]*[fiu]|^--[fiu]/,
  },
  {
    // Where it runs: `make -C build`.
    programs: /^(?:g?make|ninja)$/,
    isMeant: (rule) => rule.some((word) => /^-C|^--directory/.test(word)),
    against: /^-[a-zA-Z]*C|^--di/,
  },
  {
    // Which file it reads: `make -f build.mk`.
    programs: /^g?make$/,
    isMeant: (rule) => rule.some((word) => /^-f|^--(?:make)?file/.test(word)),
    against: /^-[a-zA-Z]*[Cf]|^--(?:di|fi|ma)/,
  },
  // Modes of which the last counts.
  mode(/^git$/, ['reset', '--soft', '--mixed', '--keep', '--merge'], /^--(?:h|so|mi|k|me)/),
  mode(/^git$/, ['restore', '--staged', '-S'], /^--w|^-[a-zA-Z]*W/),
  mode(/^git$/, ['merge', '--ff-only'], /^--(?:no-)?ff?$/),
  mode(/^git$/, ['push', '--force-with-lease', '--force-if-includes'], /^--force$|^--forc?$|^-[a-zA-Z]*f|^\+/),
  mode(/^git$/, ['pull', '--ff-only'], /^--(?:no-)?ff?$|^--r|^-[a-zA-Z]*r/),
  mode(/^git$/, ['cherry-pick', '-n'], /^--co/),
  mode(/^git$/, ['revert', '-n'], /^--co/),
  mode(/^git$/, ['commit', '-n'], /^--v\w*$/),
  {
    // Two names of one option.
    programs: /^(?:docker|podman|nerdctl)$/,
    isMeant: (rule) => rule.some((word) => /^--net(?:work)?(?:=|$)/.test(word)),
    against: /^--net(?:work)?(?:=|$)/,
  },
  // It asks before it removes.
  mode(/^rm$/, ['', '-i', '-I'], /^-[a-zA-Z]*f|^--f|^--i\w*=n/),
  mode(
    /^git$/,
    ['branch', '-l', '-r', '-a', '-v', '-vv', '--list', '--show-current'],
    /^-[a-zA-Z]*[dDmMcCfu]|^--(?:de|mo|co|fo|set|un|ed|no-l)/,
  ),
  mode(/^git$/, ['checkout', '-b'], /^-[a-zA-Z]*f|^--fo/),
  mode(/^git$/, ['switch', '-c'], /^-[a-zA-Z]*[fC]|^--(?:fo|di)/),
  // Only a list or the differences: `gofmt -l`.
  mode(/fmt$|imports$|prettier$/, ['', '-l', '-d', '-c'], /^--?w(?:rite)?(?:=|$)/),
]

/** A rule with this sub-command and one of these options. */
function mode(programs: RegExp, [subcommand = '', ...options]: readonly string[], against: RegExp): Meaning {
  const isMeant = (rule: readonly string[]): boolean =>
    (subcommand === '' || rule.includes(subcommand)) && options.some((option) => rule.includes(option))
  return { programs, isMeant, against }
}

function programOf(rule: readonly string[]): string {
  return rule.find((word) => !/^(?:npx|yarn|pnpm)$/.test(word)) ?? ''
}

/** An option of a rule; `isValued` where a word follows it that may be its value. */
type Fixed = { readonly text: string; readonly name: string; readonly isValued: boolean }

/** Those that further words could still change: what stands before a fixed `--` is out of their reach. */
function optionsOf(rule: readonly string[]): readonly Fixed[] {
  // Behind `python3 -m pytest` the options are pytest's own.
  const module = /^python[\d.]*$/.test(rule[0] ?? '') ? rule.indexOf('-m') + 2 : 0
  return rule.slice(Math.max(rule.lastIndexOf('--') + 1, module > 1 ? module : 0)).flatMap((text, index, words) => {
    if (!/^-[^-]|^--./.test(text) || text.includes('*')) return []
    const next = words[index + 1]
    const isValued = text.includes('=') || (next !== undefined && !next.startsWith('-') && next !== '*')
    return [{ text, name: nameOf(text), isValued }]
  })
}

/** The words that the rule does not name, up to `--`; an empty text for one that may be any option. */
function wordsBeside(rule: readonly string[], argv: readonly Word[]): readonly string[] {
  const named = [...rule]
  const others: string[] = []
  for (const [before, word] of argv.slice(1).entries()) {
    const text = textOf(word)
    const at = named.indexOf(text, 1)
    const option = textOf(argv[before] ?? word)
    // A switch takes such a word for its value: `--dry-run false`.
    if (/^(?:true|false|null|no|off)$/i.test(text) && option.startsWith('-')) others.push(`${option}=${text}`)
    if (at > 0) named.splice(at, 1)
    else if (text === '--') break
    else if (/^$|^[-+]/.test(text)) others.push(text)
  }
  return others
}

function textOf(word: Word): string {
  if (word.kind === 'literal') return word.value
  if (word.kind === 'glob') return /^[-*?[]/.test(word.value) ? '' : word.value
  const known = word.patterns ?? (word.found?.isUnclear || word.found?.isTorn ? [] : word.found?.starts)
  const [start = '', ...others] = word.prefix === undefined ? (known ?? []) : [word.prefix]
  return [start, ...others].some((each) => /^[-*?[]/.test(each)) ? '' : start
}

/** `--noEmit=x` is about `no-emit`, `-check` about `check`. */
function nameOf(option: string): string {
  return option
    .replace(/^-+(?:config\.)?/, '')
    .replace(/=.*$/s, '')
    .replace(/([a-z])(?=[A-Z])/g, '$1-')
    .toLowerCase()
    .replaceAll('_', '-')
}

function isAgainst({ text, name, isValued }: Fixed, word: string): boolean {
  if (word === '') return name.length > 1
  if (TRIAL.test(name) && (NEGATED.test(word) || nameOf(word) === `no-${name}`)) return true
  if (text.startsWith('--') && /^-[a-zA-Z]+=/.test(word) && NEGATED.test(word) && word.includes(name.charAt(0)))
    return true
  if (/^-[a-zA-Z]{2,}$/.test(text) && [...name].some((letter) => SHORT.get(letter)?.test(nameOf(word)))) return true
  const other = nameOf(word).replace(/^(?:no-)+/, 'no-')
  if (name.length === 1 && word.startsWith(`${text}=`)) return true
  if (word === text || (name.length > 1 && other.replaceAll('-', '') === name.replaceAll('-', '')))
    return isValued || word.includes('=') || text.startsWith('--')
  const isLetter = isValued && /^-[^-]/.test(word) && LONG.get(word.charAt(1))?.includes(name) === true
  if (isLetter) return true
  if (text.startsWith('--')) return isOpposite(name, other) || isCut(name, other, isValued || word.includes('='))
  if (name.length === 1) {
    const isLongAgain =
      isValued && word.startsWith('--') && LONG.get(name)?.some((long) => isCut(long, other, true)) === true
    return isLongAgain || isShortAgain(text, word, isValued) || SHORT.get(name)?.test(other) === true
  }
  const [letter = '', rest = ''] = [name.slice(0, 1), name.slice(1)]
  return other === `no-${name}` || other === `${letter}no-${rest}` || `${letter}no-${other.slice(1)}` === name
}

/** `--no-check`, or a beginning of it, against `--check`, and the other way round; what writes against what only checks. */
function isOpposite(name: string, other: string): boolean {
  if (CHECKING.test(name) && CHANGING.test(other)) return true
  if (other === `no${name}` || (name === 'dry-run' && other === 'no-n')) return true
  if (other.startsWith('no-') && other.length > 3) return `no-${name}`.startsWith(other)
  const positive = name.startsWith('no-') ? name.slice(3) : undefined
  return positive !== undefined && other.length > 1 && (positive.startsWith(other) || other.startsWith(`${positive}-`))
}

/** Another beginning of the same name, with a value of its own. */
function isCut(name: string, other: string, hasValue: boolean): boolean {
  return hasValue && other.length > 1 && name.startsWith(other)
}

/** `-kx` and `-k x` behind `-k unit`. */
function isShortAgain(text: string, word: string, isValued: boolean): boolean {
  return isValued && !word.startsWith('--') && word.startsWith(text)
}

/** What takes back an option that has one letter. */
const SHORT: ReadonlyMap<string, RegExp> = new Map([
  ['d', /^no-(?:d|dry|dry-run|de\w*|draft)$/],
  ['n', /^no-(?:n|d|dr|dry|dry-|dry-r|dry-ru|dry-run)$/],
  ['s', /^no-(?:s\w*|dry-run|just-print|recon|no-act)$/],
  ['v', /^no-v/],
])

/** What most programs mean by a letter with a value: `-n dev` and `--namespace=prod`. */
const LONG: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    c: ['config', 'constraint', 'container'],
    C: ['directory', 'dir', 'cwd', 'prefix'],
    d: ['dbname', 'database', 'dest', 'directory'],
    f: ['file', 'filename', 'filter', 'values'],
    F: ['filter'],
    h: ['host'],
    l: ['selector', 'label', 'limit'],
    n: ['namespace'],
    o: ['output'],
    p: ['port', 'package', 'project', 'projects', 'profile'],
    r: ['requirement'],
    S: ['source'],
    B: ['build'],
    t: ['target', 'tag'],
    u: ['user', 'username'],
    U: ['username'],
    w: ['workspace'],
    X: ['method'],
    x: ['method'],
  }),
)

/** Options by which a program only tells what it would do, and what takes such a one back under any of its names. */
const TRIAL = /^(?:s|n|d|dry-run|simulate|just-print|recon|no-act|check|download-only)$/
const NEGATED = /=(?:false|0|no|off|none|never|disable|without|null)$/i

const CHECKING = /^(?:check|check-only|list-different|diff|dry-run|no-?emit)$/
const CHANGING = /^(?:w|write|fix|fix-only|in-?place|apply|init)$/
