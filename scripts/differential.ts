import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Input } from './differential/inputs/makeInputs.ts'
import { INPUTS } from './differential/inputs.ts'
import { LEFT, type Left } from './differential/left.ts'
import { type Played, PROMPT, type Program, play } from './differential/play.ts'

/**
 * The same calls made of Claude Code and of kode-run, by the same loopback model: prints each difference in what the model
 * is told and in the files. Fails on one that `left.ts` gives no reason for, and on a reason without a difference.
 */
const [peer = ''] = process.argv.slice(2)
if (peer === '')
  throw new Error(
    'usage: npm run differential -- PATH-OF-claude   (npm install @anthropic-ai/claude-code, in another folder)',
  )

const KEY = 'sk-ant-test-0123456789abcdefghij'
const ALLOWED = [
  ...['Bash', 'Read', 'Edit', 'Write', 'Grep', 'Glob', 'NotebookEdit', 'TaskOutput', 'TaskStop', 'WebFetch'],
  ...['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'TodoWrite', 'Agent', 'Skill', 'ToolSearch', 'SendMessage'],
].join(',')
const CLAUDE: Program = {
  file: resolve(peer),
  args: () => ['-p', PROMPT, '--permission-mode', 'acceptEdits', '--allowedTools', ALLOWED, '--tools', ALLOWED],
  env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }),
}
const KODE: Program = {
  file: process.execPath,
  args: (project) => [
    resolve('dist/cli.js'),
    ...['--cwd', project, '--policy', resolve('scripts/differential/policy.yml')],
    ...['--max-turns', '400', PROMPT],
  ],
  env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
}

const folder = mkdtempSync(join(tmpdir(), 'kode-run-differential-'))
let unlisted = 0
/** Each reason that explained a difference, with the input or, for a function, alone. */
const used = new Set<string>()
try {
  const theirs = await play(CLAUDE, INPUTS, join(folder, 'claude'))
  const ours = await play(KODE, INPUTS, join(folder, 'kode'))
  const seen = INPUTS.map((input, at) => compare(input, theirs[at], ours[at]))
  const count = (kind: string) => seen.filter((each) => each === kind).length
  console.log(
    `${INPUTS.length} inputs: ${count('same')} the same, ${count('left')} left with a reason, ${unlisted} not listed`,
  )
  const stale = LEFT.flatMap((row) => (row.inputs ?? [row.reason]).filter((name) => !used.has(`${row.reason}${name}`)))
  for (const name of stale) console.log(`a reason without a difference: ${name}`)
  process.exitCode = unlisted + stale.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function nameOf({ tool, name }: Input): string {
  return `${tool}: ${name}`
}

function compare(input: Input, theirs: Played | undefined, ours: Played | undefined): 'same' | 'left' | 'unlisted' {
  const name = nameOf(input)
  const text = (played: Played | undefined) =>
    input.isUnordered === true ? played?.text.split('\n').sort().join('\n') : played?.text
  const differs = [
    text(theirs) === text(ours) ? [] : [`told: ${shown(theirs?.text)}\n  ours: ${shown(ours?.text)}`],
    theirs?.isError === ours?.isError ? [] : [`error: ${theirs?.isError}, ours: ${ours?.isError}`],
    JSON.stringify(theirs?.changed) === JSON.stringify(ours?.changed)
      ? []
      : [`files: ${shown(theirs?.changed)}\n  ours: ${shown(ours?.changed)}`],
  ].flat()
  if (differs.length === 0) return 'same'
  const isExplained = ({ explains }: Left) =>
    theirs !== undefined && ours !== undefined && explains?.(theirs, ours) === true
  const row = LEFT.find(({ inputs = [] }) => inputs.includes(name)) ?? LEFT.find(isExplained)
  const reason = row?.reason
  if (row !== undefined) used.add(`${row.reason}${row.inputs === undefined ? row.reason : name}`)
  console.log(`${name}\n  ${differs.join('\n  ')}\n  ${reason === undefined ? 'NOT LISTED' : `why: ${reason}`}\n`)
  if (reason !== undefined) return 'left'
  unlisted++
  return 'unlisted'
}

function shown(value: unknown): string {
  const line = JSON.stringify(value ?? null)
  return line.length > 300 ? `${line.slice(0, 200)} … ${line.slice(-80)} (${line.length} characters)` : line
}
