import type { ProposedOutput } from '../lib/proposedOutput.ts'

type Change = { readonly files: readonly { readonly path: string }[] }

/** What `--dry-run` shows of an output: where it would go, and its text. */
export function describeOutput(output: ProposedOutput, change?: Change): string {
  const files = change === undefined ? [] : [`files: ${change.files.map(({ path }) => path).join(', ')}`]
  const parts = [`to ${targetOf(output)}`, ...files, ...textOf(output)]
  return parts.join('\n').replaceAll('\n', '\n    ')
}

function targetOf(output: ProposedOutput): string {
  const issue =
    'number' in output && output.number !== undefined ? `#${output.number}` : 'the issue that triggered the run'
  switch (output.kind) {
    case 'comment':
    case 'label':
      return issue
    case 'review_comment':
      return `${output.path}:${output.line} of ${issue}`
    case 'issue':
      return 'a new issue'
    case 'pull_request':
      return 'a new pull request'
    case 'patch':
      return 'the checkout'
  }
}

function textOf(output: ProposedOutput): readonly string[] {
  if (output.kind === 'label') return [output.labels.join(', ')]
  return [...('title' in output ? [output.title] : []), ...('body' in output ? [output.body] : [])]
}
