import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rowsOfText } from '../../helpers/rowsOfText.ts'
import type { CallEnd, CallInput, EffectRow, Expected, RowFolders, RowOptions, RowPolicy } from './EffectRow.ts'
import { SECRET } from './makeProject.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8')
const HEAD = read('rows/head.py')
const PREPARE = read('rows/prepare.sh')

/** What stands in braces in a row. */
const WORDS = { '{SECRET}': SECRET, '{STUB}': read('../../helpers/stubMcp.mjs') }

/** Scripts, each with the line that runs it and what stands above its text. */
const SCRIPTS: Readonly<Record<string, { readonly line: string; readonly above: string }>> = {
  py: { line: 'python3 src/w.py', above: HEAD },
  /** Where it does not matter whether it succeeds. */
  tried: { line: 'python3 src/w.py; true', above: HEAD },
  /** With the mark of a command of the agent: see `plant`. */
  marked: { line: 'export MARK=1; python3 src/w.py', above: HEAD },
  forged: { line: 'export MARK=1; python3 src/w.py', above: HEAD + read('rows/forged.py') },
  js: { line: 'node src/w.js', above: "import fs from 'node:fs'\n" },
}

/** Options as they are collected: keys and texts, in their order. */
type Options = (readonly [key: string, text: string])[]

type Call = { readonly text: string; expected: string; readonly body: string[]; isTogether?: boolean }

type Draft = { readonly row: string; readonly calls: Call[]; readonly options: Options }

const CALL = /^(.*?) ?=> ((?:kept|undone|leftOut|denied|stopped|only)\b.*)$/
const NAMES = 'allow|deny|sandbox|before|also|again|args|exit|hidden|line|script|shows|tolerates'
const OPTION = new RegExp(
  `^(watched(?= =>)|git may move(?=$)|(?:${NAMES}|more|not \\w+|(?:file|holds) [^:]+)(?=:))(?: =>|:)? ?(.*)$`,
)

/**
 * Reads the rows of a text. `[group]` begins a group, and what is said below it with two blanks holds for all its rows.
 *
 *     NAME | COMMAND => EXPECTED | OPTION | OPTION
 *
 * is a row of one call. What is long stands below: its command, or the text of its script, with four blanks, its options
 * and more changes with two. A row of several calls has one `> COMMAND => EXPECTED` for each, and `&` in the place of `>`
 * where all are in one message. `py`, `tried`, `marked`, `forged` and `js` begin a script: see SCRIPTS. EXPECTED is how the
 * call ends, the paths that its result names, and the changes that stand. Options are those of `RowOptions`; `before` is a
 * line of a shell that prepares the project, `also` one that must succeed afterwards.
 */
export function readRows(text: string): EffectRow[] {
  return rowsOfText(text).map(({ group, line, shared, below }) =>
    toRow(group, shared.map(toOption), toDraft(line, below)),
  )
}

function toDraft(line: string, below: readonly string[]): Draft {
  const [row = '', ...rest] = line.split(' | ')
  const last = rest.findIndex((part) => CALL.test(part)) + 1
  const calls = rest.length === 0 ? [] : [toCall(rest.slice(0, last).join(' | '))]
  const options = rest.slice(last).map(toOption)
  for (const each of below) {
    const call = calls.at(-1)
    if (/^[>&] /.test(each)) calls.push({ ...toCall(each.slice(2)), isTogether: each[0] === '&' })
    else if (each.startsWith('  ') && call !== undefined) call.body.push(each.slice(2))
    else if (/^[-+~lmo] /.test(each) && call !== undefined) call.expected += `, ${each}`
    else options.push(toOption(each))
  }
  return { row, calls, options }
}

function toCall(text: string): Call {
  const [, command, expected] = CALL.exec(text) ?? []
  if (command === undefined || expected === undefined) throw new Error(`no call: ${text}`)
  return { text: command, expected, body: [] }
}

function toOption(text: string): Options[number] {
  const [, key, rest] = OPTION.exec(text) ?? []
  if (key === undefined || rest === undefined) throw new Error(`no option: ${text}`)
  return [key, rest]
}

function toRow(group: string, shared: Options, { row, calls, options }: Draft): EffectRow {
  const all = [...shared, ...options]
  const of = (key: string): string[] => all.flatMap(([each, text]) => (each === key ? [text] : []))
  const files: Record<string, string> = filesOf(shared)
  const inputs = calls.map(({ text, body }): CallInput => {
    const [, kind = '', first] = /^(py|tried|marked|forged|js)(?: (.*))?$/.exec(text) ?? []
    const script = SCRIPTS[kind]
    if (script !== undefined) {
      const lines = first === undefined ? body : [first]
      files[kind === 'js' ? 'src/w.js' : 'src/w.py'] = `${script.above}${lines.join('\n')}\n`
      return script.line
    }
    const line = text === '' ? [...body, ...(body.length === 0 ? of('line') : [])].join(' ') : text
    const [, name, input] = /^([A-Z]\w+) (\{.*\})$/.exec(line) ?? []
    return name === undefined ? line : { name, input: JSON.parse(input ?? '') }
  })
  const isTogether = calls.some((call) => call.isTogether)
  return {
    ...optionsOf(shared, options),
    row,
    group,
    files: { ...files, ...filesOf(options) },
    prepare: (folders) => inProject(folders, of('before').join('\n')),
    messages: isTogether ? [inputs] : inputs.map((input) => [input]),
    expected: calls.map(({ expected }) => toExpected(expected)),
  }
}

function filesOf(options: Options): Record<string, string> {
  const files: Record<string, string> = {}
  for (const [key, text] of options) {
    const path = key.startsWith('file ') ? unescaped(key.slice(5)) : undefined
    if (path !== undefined) files[path] = (files[path] ?? '') + unescaped(text)
    if (key === 'script') files['src/w.py'] = `${files['src/w.py'] ?? HEAD}${text}\n`
  }
  return files
}

function optionsOf(shared: Options, own: Options): RowOptions {
  const all = [...shared, ...own]
  const first = (key: string, options: Options = all) => options.findLast(([each]) => each === key)?.[1]
  const mapped = <T>(key: string, made: (text: string) => T) => {
    const text = first(key)
    return text === undefined ? undefined : made(text)
  }
  const policy = policyOf(own) ?? policyOf(shared)
  const holds = all.flatMap(([key, text]) => (key.startsWith('holds ') ? [[key.slice(6), unescaped(text)]] : []))
  const again = all.flatMap(([key, text]) => (key === 'again' ? [text] : []))
  const options = {
    policy,
    watched: mapped('watched', toExpected) ?? first('not watched'),
    enforced: first('not enforced'),
    landlock: first('not landlock'),
    gitMayMove: first('git may move') === undefined ? undefined : true,
    tolerates: mapped('tolerates', (text) => new RegExp(text)),
    args: mapped('args', (text) => text.split(' ')),
    again: again.length === 0 ? undefined : again,
    hidden: mapped('hidden', unescaped),
    shows: mapped('shows', (text) => (/^\/.*\/$/.test(text) ? new RegExp(text.slice(1, -1)) : text)),
    holds: holds.length === 0 ? undefined : Object.fromEntries(holds),
    also: mapped('also', (text) => (folders: RowFolders) => heldIn(folders, text)),
    exit: mapped('exit', (text) => (text === 'any' ? text : Number(text))),
    skip: first('not anywhere'),
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function policyOf(options: Options): RowPolicy | undefined {
  const of = (key: string) => options.flatMap(([each, text]) => (each === key ? [text] : []))
  const [allow, deny, sandbox] = [of('allow')[0], of('deny')[0], of('sandbox')[0]]
  const more = of('more').map(unescaped).join('')
  if (allow === undefined && deny === undefined && sandbox === undefined && more === '') return undefined
  return {
    ...(allow === undefined ? {} : { allow: allow.split(', ') }),
    ...(deny === undefined ? {} : { deny: deny.split(', ') }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(more === '' ? {} : { more }),
  }
}

/** `undone docs/a, + src/b`: how it ends, the paths that its result names, the changes that stand. */
function toExpected(text: string): Expected {
  const [, word = '', list = ''] = /^(\w+)(?:,? (.*))?$/.exec(text) ?? []
  const items = list === '' ? [] : list.split(', ').map((item) => unescaped(repeated(item)))
  const isChange = (item: string): boolean => /^[-+~lmo] /.test(item)
  return {
    end: word === 'only' ? 'any' : (word as CallEnd),
    names: items.filter((item) => !isChange(item)),
    changes: items.filter(isChange),
  }
}

/** `{3 ab}` is `ababab`. */
function repeated(text: string): string {
  const next = text.replace(/\{(\d+) ([^{}]*)\}/g, (_, count: string, part: string) => part.repeat(Number(count)))
  return next === text ? text : repeated(next)
}

/** With what `\n` and the like stand for, and what words in braces do. */
function unescaped(text: string): string {
  const plain: string = JSON.parse(`"${text.replaceAll('"', '\\"')}"`)
  return Object.entries(WORDS).reduce((whole, [word, value]) => whole.replaceAll(word, value), plain)
}

/** Runs lines of a shell in the project, where git is as its owner runs it. */
function inProject({ project, outside, home }: RowFolders, lines: string): void {
  if (lines === '') return
  const settings = { 'user.name': 'a', 'user.email': 'a@example.com', 'init.defaultBranch': 'main' }
  const git = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  const env = { ...process.env, ...Object.fromEntries(git), GIT_CONFIG_COUNT: '3', HOME: home, OUTSIDE: outside }
  const words = ['-ec', `${PREPARE}\n${lines.replaceAll('{SECRET}', SECRET)}`]
  execFileSync('bash', words, { cwd: project, env, stdio: 'pipe' })
}

/** What is not so, if the line fails. */
function heldIn({ project }: RowFolders, line: string): string | undefined {
  return spawnSync('bash', ['-c', line], { cwd: project }).status === 0 ? undefined : `it does not hold: ${line}`
}
