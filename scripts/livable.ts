import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Call, Subject } from '../src/contracts/subject.ts'
import { evaluate } from '../src/policy/evaluate.ts'
import { loadPolicy } from '../src/policy/load/loadPolicy.ts'
import type { Policy } from '../src/policy/Policy.ts'
import { analyzeCommand } from '../src/shell/analyzeCommand.ts'

/** How many command lines that agents really ran would start: under a bare `Bash` with denies, and with a rule per program. */
const [file = '', isShort] = process.argv.slice(2)
if (file === '') throw new Error('usage: npm run livable -- FILE.jsonl   (lines of {"command", "cwd"})')

const HOME = '/home/user'
const DENY = ['Bash(git push *)', 'Bash(curl *)', 'Bash(rm -rf *)']
/** Lines that have what the denies name: to refuse them is right. */
const MEANT = /\bgit\b.*\bpush\b|\bcurl\b|\brm\s+(?:-\w+\s+)*-\w*[rfR]/s

type Row = { readonly command: string; readonly cwd?: string | null; readonly source?: string }
type Count = { started: number; meant: number; readonly refused: string[] }

const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))
const bare: Count = { started: 0, meant: 0, refused: [] }
const scoped: Count = { started: 0, meant: 0, refused: [] }
const alone: Count = { started: 0, meant: 0, refused: [] }
/** What a command may start is asked here, not which files it may name. */
const FILES = ['Edit(./**)', 'Edit(//private/**)', 'Edit(//workspace/**)', 'Read(//**)']

for (const row of rows) {
  const cwd = row.cwd ?? folderOf(row)
  const call = callOf(row.command, cwd)
  count(bare, row, call, await policyOf(cwd, ['Bash'], DENY), MEANT)
  const rules = programsOf(call.subjects).map((name) => `Bash(${name} *)`)
  count(scoped, row, call, await policyOf(cwd, [...rules, ...FILES], []))
  count(alone, row, call, await policyOf(cwd, rules, []))
}
report('bare Bash with three denies', bare)
report('one wildcard rule per program, files open', scoped)
report('the same without a rule for files', { ...alone, refused: [] })

/** Where a line without a folder was run, as far as its own paths tell. */
function folderOf({ command, source = '' }: Row): string {
  const name = source.slice(source.lastIndexOf('/') + 1)
  const own = name === '' ? null : new RegExp(`(?:~|/home/user)(?:/[\\w.-]+)*?/${name}\\b`, 'i').exec(command)
  return (
    own?.[0].replace('~', HOME) ??
    /\/(?:workspace|testbed)\b(?:\/[\w.-]*__[\w.-]*)?/.exec(command)?.[0] ??
    `${HOME}/project`
  )
}

function callOf(command: string, cwd: string): Call {
  const { subjects, isReadOnly } = analyzeCommand(command, {
    cwd,
    root: cwd,
    home: HOME,
    resolve: (given, from) => {
      const path = resolve(from, given)
      return { given, lexical: path, resolved: path, physical: path }
    },
  })
  return { tool: 'Bash', aliases: [], input: { command }, subjects, isFree: false, isReadOnly }
}

/** The programs that the line shows, each as a rule would name it. */
function programsOf(subjects: readonly Subject[]): readonly string[] {
  const names = subjects.flatMap((subject) =>
    subject.kind === 'command'
      ? subject.chain.flatMap(({ argv: [first] }) => (first?.kind === 'literal' ? [first.written ?? first.value] : []))
      : [],
  )
  return [...new Set(names)].filter((name) => /^[\w./~+@-]+$/.test(name))
}

async function policyOf(cwd: string, allow: readonly string[], deny: readonly string[]): Promise<Policy> {
  const text = JSON.stringify({ version: 1, permissions: { allow, deny } })
  return loadPolicy({ file: '/etc/kode/policy.yml', cwd, home: HOME, read: async () => text })
}

function count(into: Count, row: Row, call: Call, policy: Policy, meant?: RegExp): void {
  const { behavior, message } = evaluate(policy, call)
  if (behavior === 'allow') into.started += 1
  else if (meant?.test(row.command)) into.meant += 1
  else into.refused.push(`${row.command.slice(0, 300)}\n    ${message}`)
}

function report(title: string, { started, meant, refused }: Count): void {
  const total = rows.length - meant
  if (isShort === undefined) for (const text of refused) console.log(`- ${text}`)
  console.log(`${title}: ${started} of ${total} start (${((100 * started) / total).toFixed(2)} %), ${meant} meant\n`)
}
