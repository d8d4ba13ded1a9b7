import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/effects/view/journal.ts'
import { identityOf } from '../../../src/effects/view/takeOverSteps.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
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

  it('finishes it, says so, and does not count it as its own change', async () => {
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
