import { expect, it } from 'vitest'
import { ModelError } from '../../src/contracts/model.ts'
import type { ModelQuestion } from '../../src/Tool.ts'
import { ArchitectTool } from '../../src/tools/ArchitectTool/ArchitectTool.ts'
import { AskExpertModelTool } from '../../src/tools/AskExpertModelTool/AskExpertModelTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

function createContext() {
  const questions: ModelQuestion[] = []
  const context = createToolContext({
    askModel: async (question) => {
      questions.push(question)
      return 'An answer.'
    },
  })
  return { context, questions }
}

it('AskExpertModel sends question and context to the configured expert, or to the model that is named', async () => {
  const { context, questions } = createContext()
  const { text } = await runTool(AskExpertModelTool, { question: 'Why?', context: 'It fails.' }, context)
  await runTool(AskExpertModelTool, { question: 'Why?', expert_model: 'other-model' }, context)
  expect(text).toBe('An answer.')
  expect(questions.map(({ model }) => model)).toEqual(['expert', 'other-model'])
  expect(questions[0]?.prompt).toBe('<context>\nIt fails.\n</context>\n\nWhy?')
})

it('AskExpertModel says why nobody answered', async () => {
  const context = createToolContext({
    askModel: async () => {
      throw new ModelError('model_not_found', 'config', 'there is no model x')
    },
  })
  const { text, isError } = await runTool(AskExpertModelTool, { question: 'Why?' }, context)
  expect({ text, isError }).toEqual({ text: 'there is no model x', isError: true })
})

it('Architect asks the main model for a plan, and is offered only where a rule names it', async () => {
  const { context, questions } = createContext()
  expect((await runTool(ArchitectTool, { prompt: 'Split it.' }, context)).text).toBe('An answer.')
  expect(questions).toMatchObject([{ purpose: 'architect', model: 'main', prompt: 'Split it.' }])
  expect(ArchitectTool.isOptIn).toBe(true)
})
