import { afterAll, describe, expect, test } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { judgeCommand } from '../helpers/policy/judgeCommand.ts'
import { shellContext } from '../helpers/policy/shellContext.ts'
import { createProject, filesKey, REPOSITORY } from '../helpers/policy/shellProject.ts'
import { everyNth } from '../helpers/sampled.ts'
import { EVERYDAY, GIT_EVERYDAY } from './corpus/everyday.ts'
import type { Row } from './corpus/readRows.ts'

const project = createProject()
afterAll(project.remove)

function fill({ files }: Row): void {
  project.fill(files)
  if (files['.git!'] !== undefined) project.run(REPOSITORY)
}

const ROWS = [...EVERYDAY, ...GIT_EVERYDAY].map((row) => [row.text, row] as const)
const context = shellContext(project.root, `${project.root}/home`)

describe('an everyday line is allowed', () => {
  // Nothing runs here: rows that share their files share the folder.
  test.each(ROWS.toSorted(([, a], [, b]) => filesKey(a).localeCompare(filesKey(b))))('%s', (_name, row) => {
    project.fill(row.files)
    const analysis = analyzeCommand(row.text, context)
    expect({ verdict: judgeCommand(analysis, row, project.root), subjects: analysis.subjects }).toMatchObject({
      verdict: 'allow',
    })
    expect(analyzeCommand(analysis.canonical ?? '', context).canonical).toEqual(analysis.canonical)
  })
})

describe('the canonical text of an everyday line has the same effect', { tags: 'long' }, () => {
  test.each(everyNth(ROWS, 5))('%s', (_name, row) => {
    fill(row)
    const analysis = analyzeCommand(row.text, context)
    const raw = project.run(row.text)
    fill(row)
    const canonical = project.run(analysis.canonical ?? '', true)
    if (row.isVolatile) expect(canonical.status).toEqual(raw.status)
    else expect({ ...canonical, stderr: '' }).toEqual({ ...raw, stderr: '' })
  })
})
