import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Behavior, PermissionMode } from '../../../src/contracts/decision.ts'
import type { JournalEntry } from '../../../src/effects/view/journal.ts'
import { identityOf } from '../../../src/effects/view/takeOverSteps.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { rulingOf } from '../../../src/run/effects/openTransactions.ts'
import { PROJECT, policyOf } from '../../helpers/policy/policyCalls.ts'
import { playRun } from '../../helpers/runs/playRun.ts'

/** A process of this machine that has ended. */
function deadOwner(): JournalEntry['owner'] {
  const { pid }: SpawnSyncReturns<Buffer> = spawnSync('true')
  return { ...ownIdentity(), pid }
}

/** What a run leaves that is killed before its first step: two files that are to come, and what it wants to replace. */
function leaveJournal(project: string): void {
  const view = join(project, '../view-1')
  mkdirSync(view)
  const names = ['src/a', 'src/b']
  const steps = names.map((name) => {
    const [from, path] = [join(view, name.replace('/', '-')), join(project, name)]
    writeFileSync(from, `new ${name}\n`)
    return { kind: 'put', path, from, before: identityOf(lstatSync(path)) } as const
  })
  const changes = steps.map(({ path }) => ({ path, kind: 'modified', entry: 'file' }) as const)
  const folder = join(project, '../home/.local/state/kode-run/take-overs')
  mkdirSync(folder, { recursive: true })
  const entry: JournalEntry = { owner: deadOwner(), by: 'toolu_killed', view, changes, steps }
  writeFileSync(join(folder, 'view-1.take-over.json'), JSON.stringify(entry))
}

describe('the start after a run that was killed during a take-over', () => {
  const play = (prepare: (project: string) => void) =>
    playRun([], {
      policy: 'version: 1\npermissions: { presets: [read-only] }\n',
      files: { 'src/a': 'a\n', 'src/b': 'b\n' },
      prepare,
    })

  it('finishes it, says so, and does not count it as its own change', { tags: 'long' }, async () => {
    const run = await play(leaveJournal)
    const [a, b] = ['src/a', 'src/b'].map((name) => join(run.project, name))
    expect([a, b].map((path) => readFileSync(path ?? '', 'utf8'))).toEqual(['new src/a\n', 'new src/b\n'])
    expect(run.result().warnings).toContain(
      `Finished taking over the changes of toolu_killed, a call of a run that was killed: ${a}, ${b}`,
    )
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
    expect([run.code, run.result().changes]).toEqual([0, []])
    expect([existsSync(join(run.base, 'view-1')), takeOversOf(run.home)]).toEqual([false, []])
  })

  it('keeps and names later changes', { tags: 'long' }, async () => {
    const run = await play((project) => {
      leaveJournal(project)
      writeFileSync(join(project, 'src/a'), 'of a person\n')
    })
    const [a, b] = ['src/a', 'src/b'].map((name) => join(run.project, name))
    expect(readFileSync(a ?? '', 'utf8')).toBe('of a person\n')
    expect(run.result().warnings.join()).toContain(`: ${b}. Left alone, because they have changed since: ${a}`)
  })
})

function takeOversOf(home: string): string[] {
  return readdirSync(join(home, '.local/state/kode-run/take-overs'))
}

type Row = readonly [string, { readonly mode?: PermissionMode; readonly isAudit?: true }, Behavior]

const FREE: readonly { readonly mode?: PermissionMode; readonly isAudit?: true }[] = [
  { mode: 'acceptEdits' },
  { mode: 'auto' },
  { isAudit: true },
]

const ROWS: readonly Row[] = [
  // Rules decide in every mode.
  ['src/a', {}, 'allow'],
  ['other', {}, 'ask'],
  ['other', { mode: 'dontAsk' }, 'ask'],
  ['src/no', {}, 'deny'],
  // What lets a tool edit without a rule lets a command: it would be told that it may write, and find it undone.
  ...FREE.map((given): Row => ['other', given, 'allow']),
  // But never what a rule refuses, what is protected, or what lies elsewhere.
  ...FREE.map((given): Row => ['src/no', given, 'deny']),
  ...FREE.map((given): Row => ['asked', given, 'ask']),
  ...FREE.map((given): Row => ['.github/workflows/a.yml', given, 'ask']),
  ...FREE.map((given): Row => ['../elsewhere', given, 'ask']),
]

describe('rulingOf', () => {
  it.each(ROWS)('%s, %j: %s', async (path, { mode = 'default', isAudit = false }, behavior) => {
    const policy = await policyOf({ allow: ['Edit(src/**)'], deny: ['Edit(src/no)'], ask: ['Edit(asked)'] })
    const place = { policy, mode, cwd: PROJECT, isAudit }
    expect(rulingOf(place, join(PROJECT, path)).behavior).toBe(behavior)
  })

  it('names the rule', async () => {
    const policy = await policyOf({ deny: ['Edit(src/no)'] })
    const ruling = rulingOf({ policy, mode: 'auto', cwd: PROJECT, isAudit: false }, join(PROJECT, 'src/no'))
    expect(ruling.rule).toMatchObject({ list: 'deny', text: 'Edit(src/no)' })
  })
})
