import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { MadeCall } from '../../../src/query/runTools/toNamedCall.ts'
import { sandboxProblem } from '../../faults/machine.ts'
import { commitAll } from '../../helpers/git.ts'
import { HARMFUL_CALLS } from '../../helpers/harmfulCalls.ts'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { sampled } from '../../helpers/sampled.ts'

type Call = string | { readonly Read: string } | { readonly Write: string; readonly content: string }
/** A little project, what an agent does there, and what nobody wants beside it. */
type Project = {
  readonly files: Readonly<Record<string, string>>
  readonly calls: readonly Call[]
  /** Started by rules that were suggested; what they change is undone. */
  readonly harmful: readonly string[]
}

const { Every, ...PROJECTS }: Readonly<Record<string, Project>> = parse(
  readFileSync(new URL('firstDay.yml', import.meta.url), 'utf8'),
)

const CARGO = toolchain()
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin' : undefined

/** What a project needs of the machine. */
type Machine = {
  readonly missing?: string | false
  readonly env?: Record<string, string>
  readonly readable?: string[]
}
const MACHINES: Readonly<Record<string, Machine>> = {
  Node: {},
  Python: { missing: PYTHON === undefined && 'no /usr/bin/python3', env: { PATH: '/usr/bin:/bin' } },
  Rust: {
    missing: CARGO === undefined && 'no cargo',
    env: { PATH: `${CARGO}:/usr/bin:/bin` },
    readable: CARGO === undefined || CARGO.startsWith('/usr/') ? [] : [dirname(CARGO)],
  },
}

/** The folder of a cargo that needs no home folder. */
function toolchain(): string | undefined {
  try {
    const path = execFileSync('sh', ['-c', 'rustup which cargo 2>/dev/null || command -v cargo'], { encoding: 'utf8' })
    return dirname(realpathSync(path.trim()))
  } catch {
    return undefined
  }
}

function madeCall(call: Call): MadeCall {
  if (typeof call === 'string') return { tool: 'Bash', input: { command: call } }
  if ('Read' in call) return { tool: 'Read', input: { file_path: call.Read } }
  return { tool: 'Write', input: { file_path: call.Write, content: call.content } }
}

function turns(calls: readonly MadeCall[]): readonly Turn[] {
  const made = calls.map(({ tool, input }): Turn => ({ tools: [{ name: tool, input }] }))
  return [...made, { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'done' } }] }]
}

const POLICY = (readable: readonly string[]) => `# The first day.
version: 1
sandbox: { mode: required, network: none, readable: ${JSON.stringify(readable)} }
run: { maxTurns: 200, maxDenials: 200 }
permissions:
  presets: [read-only]
  deny: ["Read(secrets/**)"] # never
  allow:
    # to be grown
    - Bash(git status) # the first
`

async function play(
  { files, env }: { readonly files: Project['files']; readonly env: Record<string, string> },
  policy: string,
  calls: readonly MadeCall[],
  args: readonly string[] = [],
) {
  let before: unknown
  const run = await runCli(['work', ...args], {
    server: await serveTurns(...turns(calls)),
    ...{ policy, env, files },
    prepare(folder) {
      commitAll(folder)
      before = treeOf(folder)
    },
  })
  return { run, before }
}

function refusedIds({ records }: CliRun): ReadonlySet<string> {
  return new Set(
    records.flatMap((record) =>
      record.type === 'system' && record.subtype === 'permission_denied' ? [record.tool_use_id] : [],
    ),
  )
}

/** Calls that were neither refused nor undone, nor no calls at all. */
function passed(run: CliRun): readonly string[] {
  const refused = refusedIds(run)
  return run.records.flatMap((record) =>
    record.type === 'system' &&
    record.subtype === 'tool_intent' &&
    record.tool_name !== 'Finish' &&
    !refused.has(record.tool_use_id)
      ? [JSON.stringify(record.tool_input)]
      : [],
  )
}

const problem = sandboxProblem()

describe.skipIf(problem !== undefined)(`the first day${problem === undefined ? '' : ` (skipped: ${problem})`}`, () => {
  for (const [name, { files, ...project }] of sampled(Object.entries(PROJECTS), 1, 1)) {
    const { missing, env = {}, readable = [] } = MACHINES[name] ?? {}
    it.skipIf(missing)(
      `${name}: an audit, its suggestion, the same run without a denial, forty harmful neighbors refused or undone${missing ? ` (skipped: ${missing})` : ''}`,
      { timeout: 500_000 },
      async () => {
        const calls = [...project.calls, ...(Every?.calls ?? [])].map(madeCall)
        const harm = [...project.harmful, ...(Every?.harmful ?? [])].map(madeCall)
        expect(calls.length).toBeGreaterThanOrEqual(30)
        const place = { files, env }
        const policy = POLICY(readable)
        const audit = await play(place, policy, calls, ['--audit'])
        expect(audit.run.result().permission_denials).toEqual([])
        expect(audit.run.result().suggested?.refused).toEqual([])
        expect(audit.run.stderr).toContain('The policy would need:')

        const file = join(audit.run.base, 'policy.yml')
        execFileSync(process.execPath, [
          join(import.meta.dirname, '../../../dist/cli.js'),
          ...['policy', 'suggest', audit.run.transcript, '--policy', file, '--apply', '--cwd', audit.run.project],
        ])
        const grown = readFileSync(file, 'utf8')
        expect(grown.startsWith(policy)).toBe(true)
        expect(parse(grown).permissions.allow).toEqual([
          'Bash(git status)',
          ...(audit.run.result().suggested?.rules ?? []).map(({ rule }) => rule),
        ])

        const again = await play(place, grown, calls)
        expect(again.run.result().permission_denials).toEqual([])

        const harmful = await play(place, grown, [...HARMFUL_CALLS, ...harm])
        expect(passed(harmful.run)).toEqual([])
        expect(treeOf(harmful.run.project)).toEqual(harmful.before)
      },
    )
  }
})
