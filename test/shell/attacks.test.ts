import { afterAll, describe, expect, test } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { judgeCommand } from '../helpers/policy/judgeCommand.ts'
import { shellContext } from '../helpers/policy/shellContext.ts'
import { createProject, type Effect, filesKey, REPOSITORY } from '../helpers/policy/shellProject.ts'
import { everyNth } from '../helpers/sampled.ts'
import { ATTACKS, PROGRAMS } from './corpus/attacks.ts'
import type { Row } from './corpus/readRows.ts'

const project = createProject()
afterAll(project.remove)

const ROWS = [...ATTACKS, ...PROGRAMS]

const NAMED = ROWS.map((row) => [row.text.slice(0, 100), row] as const)

test('no attack is allowed', () => {
  const context = shellContext(project.root, `${project.root}/home`)
  const allowed = ROWS.toSorted(byFiles).filter((row) => {
    project.fill(row.files)
    return judgeCommand(analyzeCommand(row.text, context), row, project.root) === 'allow'
  })
  expect(allowed.map(({ text }) => text)).toEqual([])
})

describe('each attack works in bash', { tags: 'long' }, () => {
  const shown = everyNth(
    NAMED.filter(([, { unshown }]) => unshown === undefined),
    4,
  )
  test.for(shown)('%s', ([, row], { skip }) => {
    project.fill(row.files)
    if (row.files['.git!'] !== undefined) project.run(REPOSITORY)
    const effect = project.run(row.text)
    const missing = works(row, effect) ? undefined : /(\S+): command not found/.exec(effect.stderr)?.[1]
    skip(missing !== undefined && process.env['KODE_RUN_NO_SKIP'] === undefined, `needs ${missing}`)
    expect(works(row, effect), 'works in bash').toBe(true)
  })
})

function byFiles(a: Row, b: Row): number {
  return filesKey(a).localeCompare(filesKey(b))
}

function works({ shows }: Row, { files, stdout }: Effect): boolean {
  const made = Object.entries(files).filter(([name]) => /(?:^|\/)pwned$/.test(name))
  if (shows === undefined) return made.length > 0
  return [stdout, ...made.map(([, content]) => content)].some((text) => text.includes(shows))
}
