import { expect, it } from 'vitest'
import { AskUserQuestionTool } from '../../src/tools/AskUserQuestionTool/AskUserQuestionTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

async function ask(answers: Record<string, string>, input: Record<string, unknown> = {}) {
  const questions = [{ question: 'Which database?', header: 'Database', options: [{ label: 'SQLite' }] }]
  return (await runTool(AskUserQuestionTool, { questions, ...input }, createToolContext({ answers }))).text
}

it.each([
  [{ 'Which database?': 'SQLite' }, 'SQLite'],
  [{ 'which  database': 'SQLite' }, 'SQLite'],
  [{ database: 'SQLite' }, 'SQLite'],
  [{ '*': 'The first option.' }, 'The first option.'],
  [{ 'Which cache?': 'Redis' }, 'No answer: nobody is there. Decide yourself, and say in Finish what you decided.'],
])('AskUserQuestion finds in %j: %s', async (answers, answer) => {
  expect(await ask(answers)).toBe(`Which database?\n→ ${answer}`)
})

it('AskUserQuestion takes the answer of a hook, but not against the policy', async () => {
  const hook = { answers: { 'Which database?': 'Postgres' } }
  expect(await ask({}, hook)).toContain('Postgres')
  expect(await ask({ Database: 'x', 'Which database?': 'SQLite' }, hook)).toContain('SQLite')
})
