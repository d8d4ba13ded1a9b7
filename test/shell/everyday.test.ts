import { afterAll, describe, expect, test } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { judgeCommand } from '../helpers/judgeCommand.ts'
import { shellContext } from '../helpers/shellContext.ts'
import { createProject, REPOSITORY } from '../helpers/shellProject.ts'
import { EVERYDAY } from './corpus/everyday.ts'
import { GIT_EVERYDAY } from './corpus/git.ts'

const project = createProject()
afterAll(project.remove)

function fill({ files = {} }: (typeof EVERYDAY)[number]): void {
  project.fill(files)
  if (files['.git!'] !== undefined) project.run(REPOSITORY)
}

describe('an everyday line is allowed, and its canonical text does the same', () => {
  test.each([...EVERYDAY, ...GIT_EVERYDAY].map((row) => [row.text, row] as const))('%s', (_name, row) => {
    fill(row)
    const context = shellContext(project.root, `${project.root}/home`)
    const analysis = analyzeCommand(row.text, context)
    expect({ verdict: judgeCommand(analysis, row, project.root), subjects: analysis.subjects }).toMatchObject({
      verdict: 'allow',
    })
    const raw = project.run(row.text)
    fill(row)
    const canonical = project.run(analysis.canonical ?? '', true)
    if (row.isVolatile) expect(canonical.status).toEqual(raw.status)
    else expect({ ...canonical, stderr: '' }).toEqual({ ...raw, stderr: '' })
    expect(analyzeCommand(analysis.canonical ?? '', context).canonical).toEqual(analysis.canonical)
  })
})
