import { afterAll, describe, expect, test } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { judgeCommand } from '../helpers/judgeCommand.ts'
import { shellContext } from '../helpers/shellContext.ts'
import { createProject, type Effect, REPOSITORY } from '../helpers/shellProject.ts'
import { ATTACKS } from './corpus/attacks.ts'
import { PROGRAMS } from './corpus/programs.ts'
import type { Attack } from './corpus/row.ts'

const project = createProject()
afterAll(project.remove)

const ROWS = [...ATTACKS, ...PROGRAMS]

describe('no attack is allowed, and each one works in bash', () => {
  test.for(ROWS.map((row) => [row.text.slice(0, 100), row] as const))('%s', ([, row], { skip }) => {
    project.fill(row.files ?? {})
    if (row.files?.['.git!'] !== undefined) project.run(REPOSITORY)
    const verdict = judgeCommand(
      analyzeCommand(row.text, shellContext(project.root, `${project.root}/home`)),
      row,
      project.root,
    )
    expect(verdict).not.toBe('allow')
    if (row.unshown !== undefined) return
    const effect = project.run(row.text)
    const missing = works(row, effect) ? undefined : /(\S+): command not found/.exec(effect.stderr)?.[1]
    skip(missing !== undefined && process.env['KODE_RUN_NO_SKIP'] === undefined, `${missing} is not installed`)
    expect(works(row, effect), 'works in bash').toBe(true)
  })
})

function works({ shows }: Attack, { files, stdout }: Effect): boolean {
  const made = Object.entries(files).filter(([name]) => /(?:^|\/)pwned$/.test(name))
  if (shows === undefined) return made.length > 0
  return [stdout, ...made.map(([, content]) => content)].some((text) => text.includes(shows))
}
