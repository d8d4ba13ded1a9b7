/** What the agent is set up for. */
export type InitJob = {
  readonly name: 'fix' | 'review' | 'nightly' | 'triage'
  /** One sentence, for the head of the policy. */
  readonly summary: string
  /** It may change the sources, and what it leaves is checked. */
  readonly edits: boolean
  /** Commands may start: all of them, inside the walls. */
  readonly runs: boolean
  /** Allow rules besides. */
  readonly allow: readonly string[]
  /** What a second job does for it on GitHub: kind and its settings. */
  readonly outputs: Readonly<Record<string, string>>
  readonly limits: { readonly maxTurns: number; readonly maxBudgetUsd: number; readonly timeout: string }
  readonly prompt: string
  /** For the first run, by hand. */
  readonly firstPrompt: string
}

const ONE = '{ max: 1 }'

/** The jobs that `kode-run init` knows; the first is meant where none is named. */
export const initJobs: readonly InitJob[] = [
  {
    name: 'fix',
    summary: 'Works on an issue that somebody with write access comments on with "@kode".',
    edits: true,
    runs: true,
    allow: [],
    outputs: { comment: ONE, pull_request: ONE },
    limits: { maxTurns: 60, maxBudgetUsd: 3, timeout: '25m' },
    prompt:
      'Do what the comment asks for, as small as possible. Propose a pull request if you changed files, else a comment.',
    firstPrompt: 'Find a small defect, fix it, and show by a test that it is fixed',
  },
  {
    name: 'review',
    summary: 'Reviews each pull request: looks, runs the tests, reports what it finds; changes nothing.',
    edits: false,
    runs: true,
    allow: ['ReportFinding'],
    outputs: {},
    limits: { maxTurns: 40, maxBudgetUsd: 2, timeout: '15m' },
    prompt:
      'Review the change between the base and the head (git diff). Report each real problem by ReportFinding at its line; say nothing about style that a linter would find.',
    firstPrompt: 'Review the last commit (git show). Report each real problem by ReportFinding',
  },
  {
    name: 'nightly',
    summary: 'Each night: brings dependencies up to date, as far as the tests pass.',
    edits: true,
    runs: true,
    allow: [],
    outputs: { pull_request: ONE },
    limits: { maxTurns: 80, maxBudgetUsd: 5, timeout: '1h' },
    prompt:
      'Bring the outdated dependencies up to date, one after the other, running the tests after each; take back what breaks them. Propose one pull request.',
    firstPrompt: 'Bring one outdated dependency up to date and run the tests',
  },
  {
    name: 'triage',
    summary: 'Looks at each new issue and the code, proposes labels and at most one comment.',
    edits: false,
    runs: false,
    allow: [],
    outputs: { label: '{ max: 1, allow: [bug, question, documentation] }', comment: ONE },
    limits: { maxTurns: 20, maxBudgetUsd: 1, timeout: '10m' },
    prompt:
      'Find out what this issue is about. Propose labels for it, and a comment only if something is missing in it.',
    firstPrompt: 'Say what this project is, and which labels its issues would need',
  },
]
