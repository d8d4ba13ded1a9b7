import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash, playRun, read, write } from '../helpers/runs/playRun.ts'

const policyWith = (...allow: readonly string[]): string =>
  `version: 1\npermissions: { presets: [read-only], allow: ${JSON.stringify(['Edit(./**)', ...allow])} }\n`

const forge = (path: string) => write(path, 'fake\n')
const files = (names: readonly string[]) => names.flatMap((name) => [`--${name}`, `${name}.out`])

describe('what a run writes', () => {
  it('cannot be written by its tools, under any name', { tags: 'long' }, async () => {
    const run = await playRun(
      [
        [forge('summary.out'), forge('output-last-message.out'), forge('SUMMARY.OUT'), bash('echo x > summary.out')],
        [read('record.out'), forge('record.out')],
        [bash('echo x >> record.out'), bash('cp README.md summary.out'), bash('mv README.md output-last-message.out')],
        [bash('echo x > transcript.out'), bash('echo x > blobs/a'), bash('tee x-artifacts/a < README.md')],
      ],
      {
        policy: policyWith('Bash(cp *)', 'Bash(mv *)', 'Bash(tee *)'),
        files: { 'README.md': 'x\n' },
        args: files(['summary', 'output-last-message', 'record', 'transcript']),
      },
    )
    expect(run.told.map((text) => /never written|belongs to the run/.test(text))).toEqual([
      ...[true, true, true, true],
      ...[true, true],
      ...[true, true, true],
      ...[true, true, false],
    ])
    expect(readFileSync(join(run.project, 'summary.out'), 'utf8')).toMatch(/^## /)
    expect(readFileSync(join(run.project, 'record.out'), 'utf8')).not.toMatch(/^fake/)
  })

  it('keeps the existing summary, and nothing that a command added', { tags: 'long' }, async () => {
    const script =
      'for (const name of ["old.md", "new.md"]) try { require("fs").appendFileSync(name, "## forged\\n") } catch {}'
    for (const [name, before] of [
      ['old.md', 'earlier\n'],
      ['new.md', ''],
    ] as const) {
      const run = await playRun([bash('node x.js')], {
        policy: policyWith('Bash(node x.js)'),
        files: { 'x.js': script, ...(before === '' ? {} : { [name]: before }) },
        args: ['--summary', name],
      })
      const text = readFileSync(join(run.project, name), 'utf8')
      expect(text.startsWith(`${before}## `)).toBe(true)
      expect(text).not.toMatch(/^## forged/m)
    }
  })

  it('is hidden from commands in the sandbox', { tags: 'long' }, async () => {
    const run = await playRun([bash('node x.js')], {
      policy: policyWith('Bash(node x.js)'),
      files: { 'x.js': 'console.log(require("fs").readFileSync("rec.jsonl", "utf8").length)', 'old.md': 'earlier\n' },
      args: ['--record', 'rec.jsonl', '--summary', 'old.md'],
    })
    expect(run.told[0]).toContain('EACCES')
    expect(readFileSync(join(run.project, 'rec.jsonl'), 'utf8')).not.toBe('')
  })
})
