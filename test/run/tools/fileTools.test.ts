import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRipgrep } from '../../../src/tools/GrepTool/findRipgrep.ts'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import { PNG } from '../../helpers/images.ts'
import { playRun } from '../../helpers/runs/playRun.ts'

const hasRipgrep = (await findRipgrep([])) !== undefined

const POLICY = 'version: 1\npermissions: { presets: [read-only], allow: ["Edit(/**)"] }\n'

/** Two cells in the indentation and key order that no serializer would choose. */
const NOTEBOOK = `{
 "cells": [
   {"cell_type": "markdown", "id": "intro", "metadata": {},   "source": ["# Prices\\n"]},
   {"cell_type": "code", "id": "sum", "metadata": {}, "execution_count": 3, "outputs": [],
    "source": ["1 + 1"]}
 ],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5
}
`

describe('tools that write', () => {
  it('Write creates a file with its folders, and replaces one that was read', async () => {
    const run = await playRun(
      [
        { name: 'Write', input: { file_path: 'new/deep/a.txt', content: 'one\n' } },
        { name: 'Write', input: { file_path: 'b.txt', content: 'unseen\n' } },
        { name: 'Read', input: { file_path: 'b.txt' } },
        { name: 'Write', input: { file_path: 'b.txt', content: 'two\n' } },
      ],
      { policy: POLICY, files: { 'b.txt': 'old\n' } },
    )
    expect(readFileSync(join(run.project, 'new/deep/a.txt'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(run.project, 'b.txt'), 'utf8')).toBe('two\n')
    expect(run.told[1]).toMatch(/read/i)
  })

  it('are in the record as destructive where they are; a fault with its number and what belongs to it', {
    tags: 'long',
  }, async () => {
    const run = await playRun(
      [
        { name: 'Read', input: { file_path: 'b.txt' } },
        { name: 'Edit', input: { file_path: 'b.txt', old_string: 'old', new_string: 'new' } },
        { name: 'Bash', input: { command: 'rm b.txt' } },
        { name: 'Edit', input: { file_path: 'n.ipynb', old_string: 'a', new_string: 'b' } },
      ],
      {
        policy: POLICY.replace('allow: [', 'allow: [Bash, '),
        files: { 'b.txt': 'old\n', 'n.ipynb': NOTEBOOK },
      },
    )
    const intents = run.records.flatMap((record) =>
      'subtype' in record && record.subtype === 'tool_intent' ? [[record.tool_name, record.is_destructive]] : [],
    )
    expect(intents.slice(0, 3)).toEqual([
      ['Read', undefined],
      ['Edit', undefined],
      ['Bash', true],
    ])
    const outcomes = run.records.flatMap((record) => (record.type === 'user' ? (record.tool_use_result ?? []) : []))
    expect(outcomes[3]).toMatchObject({ outcome: 'invalid', error_code: 3, error_meta: { tool: 'NotebookEdit' } })
  })

  it('Write that a deny rule names is not offered, and a call of it is denied by that rule', {
    tags: 'long',
  }, async () => {
    const policy = 'version: 1\npermissions: { presets: [read-only], allow: ["Edit(/**)"], deny: [Write] }\n'
    const run = await playRun([{ name: 'Write', input: { file_path: 'a', content: 'x' } }], { policy })
    expect(run.records).toContainEqual(
      expect.objectContaining({ subtype: 'init', tools: expect.not.arrayContaining(['Write']) }),
    )
    expect(run.told[0]).toContain('`Write` is denied by the rule')
    expect(run.result().permission_denials).toMatchObject([{ tool_name: 'Write', tool_input: { file_path: 'a' } }])
  })

  it('shows what changed in the record, as a diff', { tags: 'long' }, async () => {
    const run = await playRun(
      [
        { name: 'Read', input: { file_path: 'a.txt' } },
        { name: 'Edit', input: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } },
      ],
      { policy: POLICY, files: { 'a.txt': 'one\n' } },
    )
    const outcomes = run.records.flatMap((record) => (record.type === 'user' ? (record.tool_use_result ?? []) : []))
    expect(outcomes.find((outcome) => outcome.tool_name === 'Edit')?.rendering).toMatch(/-one\n\+two/)
    expect(run.records).toContainEqual(
      expect.objectContaining({ subtype: 'tool_intent', tool_name: 'Edit', path: 'a.txt', is_read_only: false }),
    )
  })
})

describe('tools that read', () => {
  const files = {
    'src/a.ts': 'needle\n',
    'src/b.ts': 'hay\n',
    'build/a.ts': 'needle\n',
    '.env': 'needle\n',
    '.gitignore': 'build\n',
  }

  it('Grep finds the same in a sandbox that was started ahead', { tags: 'long' }, async () => {
    const grep = { name: 'Grep', input: { pattern: 'needle', output_mode: 'content' } }
    const run = await playRun([grep, { name: 'Bash', input: { command: 'true' } }, grep, grep], {
      policy: POLICY.replace('allow: [', 'allow: [Bash, '),
      files: { 'src/a.txt': 'a needle\n' },
    })
    expect(run.told.filter((text) => text.includes('src/a.txt:1:a needle'))).toHaveLength(3)
  })

  it.skipIf(!hasBubblewrap || !hasRipgrep)(
    'Grep uses the installed ripgrep in the sandbox, wherever it is installed (needs bubblewrap and ripgrep)',
    { tags: 'long' },
    async () => {
      const run = await playRun([{ name: 'Grep', input: { pattern: 'n.edle' } }], { policy: POLICY, files })
      expect(run.told).toEqual(['Found 1 file\nsrc/a.ts'])
    },
  )

  it('Grep, Glob and LS find existing files, but nothing that may not be read', { tags: 'long' }, async () => {
    const run = await playRun(
      [
        { name: 'Grep', input: { pattern: 'needle' } },
        { name: 'Glob', input: { pattern: '**/*.ts' } },
        { name: 'LS', input: { path: '.' } },
      ],
      { policy: POLICY, files },
    )
    const [grep, glob] = run.told
    expect([grep, glob]).toEqual([expect.stringContaining('src/a.ts'), expect.stringContaining('src/b.ts')])
    expect(run.told.slice(0, 2).join('\n')).not.toMatch(/build|\.env/)
    expect(run.told[2]).toContain('src')
  })

  it('Read gives the API text with numbers, an image as an image, a notebook by cells', { tags: 'long' }, async () => {
    const run = await playRun(
      ['src/a.ts', 'a.png', 'n.ipynb', 'none.txt', '/proc/self/environ'].map((file_path) => ({
        name: 'Read',
        input: { file_path },
      })),
      {
        policy: POLICY,
        files: { ...files, 'n.ipynb': NOTEBOOK },
        prepare: (project) => writeFileSync(join(project, 'a.png'), PNG),
      },
    )
    expect(run.told).toEqual([
      expect.stringMatching(/1.needle/),
      '[image]',
      expect.stringContaining('# Prices'),
      expect.stringContaining('none.txt'),
      expect.stringMatching(/not allowed|denied|proc/i),
    ])
    expect(run.result().permission_denials).toHaveLength(1)
  })
})
