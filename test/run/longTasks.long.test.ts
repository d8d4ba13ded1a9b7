import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  bash,
  edit,
  type Played,
  type PlayedCall,
  type PlayedRun,
  type PlayOptions,
  playRun,
  read,
  write,
} from '../helpers/runs/playRun.ts'

const grep = (pattern: string, more = {}): PlayedCall => ({ name: 'Grep', input: { pattern, ...more } })
const todo = (content: string): PlayedCall => ({
  name: 'TodoWrite',
  input: { todos: [{ content, status: 'in_progress', activeForm: content }] },
})
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const filesOf = (count: number, name: (n: number) => string, text: (n: number) => string) =>
  Object.fromEntries(numbers(count).map((n) => [name(n), text(n)]))

/** At least 40 turns, each of which the API would take, and a good end. The outcome of each call, in order. */
async function playTask(answers: readonly Played[], options: PlayOptions): Promise<PlayedRun & { outcomes: string[] }> {
  const run = await playRun(answers, { ...options, args: ['--max-turns', '100', ...(options.args ?? [])] })
  expect(run.api.requests.length).toBeGreaterThan(40)
  expect([run.code, run.result().exit_reason]).toEqual([0, 'completed'])
  const records = run.records.flatMap((record) => (record.type === 'user' ? (record.tool_use_result ?? []) : []))
  return { ...run, outcomes: records.map(({ tool_name, outcome }) => `${tool_name} ${outcome}`) }
}

/** Every call went well but these, by their place. */
function expectOnly(outcomes: readonly string[], odd: Readonly<Record<number, string>>): void {
  const bad = outcomes.flatMap((outcome, at) => (outcome.endsWith(' ok') ? [] : [[at, outcome]]))
  expect(Object.fromEntries(bad)).toEqual(odd)
}

describe('a task of forty turns', () => {
  it('fix: finds six bugs by their failing tests, and fixes them one by one', async () => {
    const module = (n: number) => `export const double${n} = (value) => value + ${n === 2 ? 'value' : '2'}\n`
    const test = (n: number) =>
      `import assert from 'node:assert'\nimport test from 'node:test'\nimport { double${n} } from './double${n}.mjs'\ntest('double${n}', () => assert.equal(double${n}(5), 10))\n`
    const faults = [1, 3, 4, 5, 6, 7]
    const answers = faults.flatMap((n) => [
      todo(`fix double${n}`),
      bash(`node --test double${n}.test.mjs`),
      grep(`double${n} =`, { output_mode: 'content' }),
      read(`double${n}.mjs`),
      edit(`double${n}.mjs`, 'value + 2', 'value * 2'),
      bash(`node --test double${n}.test.mjs`),
    ])
    const { outcomes, project } = await playTask(
      [bash('node --test'), ...answers, edit('double2.test.mjs', '10', '11'), bash('node --test'), bash('git status')],
      {
        policy: `version: 1
permissions:
  presets: [read-only]
  allow: ["Bash(node --test *)", "Bash(git status)", "Edit(*.mjs)"]
  deny: ["Edit(*.test.mjs)"]
checks: { commands: [node --test] }
`,
        files: { ...filesOf(7, (n) => `double${n}.mjs`, module), ...filesOf(7, (n) => `double${n}.test.mjs`, test) },
        prepare: (folder) => void execFileSync('git', ['init', '-q'], { cwd: folder }),
        last: { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'six faults' } }] },
      },
    )
    const failing = Object.fromEntries(faults.map((_, at) => [2 + at * 6, 'Bash error']))
    expectOnly(outcomes, { 0: 'Bash error', ...failing, 37: 'Edit denied' })
    expect(readFileSync(join(project, 'double7.mjs'), 'utf8')).toBe('export const double7 = (value) => value * 2\n')
  })

  it('review: reads twenty files, reports its findings, and changes nothing', async () => {
    const text = (n: number) => `export function f${n}(a) {\n  return eval(a + ${n})\n}\n`
    const finding = (n: number): PlayedCall => ({
      name: 'ReportFinding',
      input: { path: `src/f${n}.js`, line: 2, severity: 'error', title: `eval in f${n}`, message: 'Do not use eval.' },
    })
    const answers = numbers(20).flatMap((n) => [read(`src/f${n}.js`), finding(n)])
    const { outcomes, result, records } = await playTask(
      [grep('eval', { output_mode: 'count' }), ...answers, write('src/f1.js', 'fixed\n')],
      {
        policy: 'version: 1\npermissions: { presets: [read-only] }\n',
        files: filesOf(20, (n) => `src/f${n}.js`, text),
      },
    )
    expectOnly(outcomes, { 41: 'Write denied' })
    expect(result().changes).toEqual([])
    expect(records.filter((record) => 'subtype' in record && record.subtype === 'finding')).toHaveLength(20)
  })

  it('refactor: renames a function in twenty files, with a program that runs before and after', async () => {
    const text = (n: number) => `import { oldName } from './name.mjs'\nexport const v${n} = oldName(${n})\n`
    const all = numbers(20)
    const main = `${all.map((n) => `import { v${n} } from './v${n}.mjs'`).join('\n')}\nconsole.log(${all.map((n) => `v${n}`).join(' + ')})\n`
    const answers = all.flatMap((n) => [
      [read(`v${n}.mjs`), grep('oldName', { path: `v${n}.mjs` })],
      {
        name: 'Edit',
        input: { file_path: `v${n}.mjs`, old_string: 'oldName', new_string: 'newName', replace_all: true },
      },
    ])
    const { outcomes, told, project } = await playTask(
      [
        bash('node main.mjs'),
        read('name.mjs'),
        edit('name.mjs', 'oldName', 'newName'),
        bash('node main.mjs'),
        ...answers,
        bash('node main.mjs'),
        grep('oldName'),
      ],
      {
        policy: 'version: 1\npermissions: { presets: [read-only], allow: ["Bash(node main.mjs)", "Edit(*.mjs)"] }\n',
        files: {
          ...filesOf(20, (n) => `v${n}.mjs`, text),
          'name.mjs': 'export const oldName = (value) => value\n',
          'main.mjs': main,
        },
      },
    )
    expectOnly(outcomes, { 3: 'Bash error' })
    expect([told[0], told.at(-2)]).toEqual(['210', '210'])
    expect(told.at(-1)).toMatch(/^No files found/)
    expect(readFileSync(join(project, 'v20.mjs'), 'utf8')).not.toContain('oldName')
  })

  it('notebook: replaces, adds and deletes cells, and every other cell keeps its bytes', async () => {
    const cells = numbers(15).map((n) => ({
      ...{ cell_type: 'code', id: `c${n}`, metadata: {}, execution_count: null, outputs: [] },
      source: [`print(${n})`],
    }))
    const change = (input: Record<string, unknown>): PlayedCall => ({
      name: 'NotebookEdit',
      input: { notebook_path: 'book.ipynb', ...input },
    })
    const answers = numbers(14).flatMap((n) => [
      change({ cell_id: `c${n}`, new_source: `print(${n} * 2)` }),
      change({ cell_id: `c${n}`, edit_mode: 'insert', cell_type: 'markdown', new_source: `# Part ${n}` }),
      read('book.ipynb'),
    ])
    const { outcomes, project } = await playTask(
      [
        edit('book.ipynb', 'print(1)', 'print(2)'),
        read('book.ipynb'),
        ...answers,
        change({ cell_id: 'c15', edit_mode: 'delete' }),
      ],
      {
        policy: 'version: 1\npermissions: { presets: [read-only], allow: ["Edit(book.ipynb)"] }\n',
        files: { 'book.ipynb': JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1) },
      },
    )
    expectOnly(outcomes, { 0: 'Edit invalid' })
    const book = JSON.parse(readFileSync(join(project, 'book.ipynb'), 'utf8'))
    const sources = book.cells.map((cell: { source: string | string[] }) => [cell.source].flat().join(''))
    expect(sources).toEqual(numbers(14).flatMap((n) => [`print(${n} * 2)`, `# Part ${n}`]))
  })

  it('data: splits a table with commands, and writes one file for each part', async () => {
    const regions = numbers(10).map((n) => `region${n}`)
    const rows = numbers(2000).map((n) => `${n},${regions[n % 10]},${n * 3}`)
    const answers = regions.flatMap((region) => [
      bash(`grep -c ",${region}," data.csv`),
      bash(`grep ",${region}," data.csv | cut -d, -f3 | sort -n | tail -1`),
      bash(`mkdir -p out && grep ",${region}," data.csv > out/${region}.csv`),
      bash(`wc -l out/${region}.csv`),
    ])
    const { outcomes, told, project } = await playTask(
      [read('data.csv', { limit: 3 }), ...answers, bash('cat data.csv'), bash('grep nothing out/region1.csv')],
      {
        policy: `version: 1
permissions:
  presets: [read-only]
  allow: ["Bash(grep *)", "Bash(cut *)", "Bash(sort *)", "Bash(tail *)", "Bash(wc *)", "Bash(cat *)", "Bash(mkdir *)", "Edit(out/**)"]
`,
        files: { 'data.csv': `${rows.join('\n')}\n` },
      },
    )
    expectOnly(outcomes, {})
    expect([told[1], told[4]]).toEqual(['200', expect.stringContaining('200 out/region1.csv')])
    expect(told.at(-1)).toBe('Exit code 1 (no match)')
    expect(readFileSync(join(project, 'out/region10.csv'), 'utf8').trim().split('\n')).toHaveLength(200)
  })
})
