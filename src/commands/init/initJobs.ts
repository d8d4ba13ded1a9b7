export type InitJob = {
  readonly name: 'fix' | 'review' | 'nightly' | 'triage'
  /** One sentence, for the head of the policy. */
  readonly summary: string
  /** What starts it on GitHub, and of what one runs at a time. */
  readonly on: readonly string[]
  readonly group: string
  /** What starts it on GitLab; undefined where that starts no pipeline: a trigger or a person gives the task. */
  readonly rule?: string
  /** It may change the sources, and checks run at the end. */
  readonly mayEdit: boolean
  /** It may start any command, inside the sandbox. */
  readonly mayRun: boolean
  readonly allow: readonly string[]
  /** Outputs that a second job applies on GitHub: each kind with its settings. */
  readonly outputs: Readonly<Record<string, string>>
  readonly limits: { readonly maxTurns: number; readonly maxBudgetUsd: number; readonly timeout: string }
  readonly prompt: string
  /** The prompt for a first run by hand. */
  readonly firstPrompt: string
}

const ONE = '{ max: 1 }'

/** The jobs that `kode-run init` knows; the first is the default. */
export const initJobs: readonly InitJob[] = [
  {
    name: 'fix',
    summary: 'Works on an issue that somebody with write access comments on with "@kode".',
    on: ['on:', '  issue_comment:', '    types: [created]'],
    group: 'kode-run-${{ github.event.issue.number }}',
    mayEdit: true,
    mayRun: true,
    allow: [],
    outputs: { comment: ONE, pull_request: ONE },
    limits: { maxTurns: 60, maxBudgetUsd: 3, timeout: '25m' },
    prompt:
      'Do what the comment asks for, with the smallest change that works. Propose a pull request if you changed files, else a comment.',
    firstPrompt: 'Find a small bug, fix it, and add a test that proves the fix',
  },
  {
    name: 'review',
    summary: 'Reviews each pull request: reads it, runs the tests, reports what it finds. Changes nothing.',
    on: ['on: pull_request'],
    group: 'kode-run-review-${{ github.event.pull_request.number }}',
    rule: '$CI_PIPELINE_SOURCE == "merge_request_event"',
    mayEdit: false,
    mayRun: true,
    allow: ['ReportFinding'],
    outputs: {},
    limits: { maxTurns: 40, maxBudgetUsd: 2, timeout: '15m' },
    prompt:
      'Review the change between the base and the head (git diff). Report each real problem with ReportFinding at its line; ignore style that a linter would find.',
    firstPrompt: 'Review the last commit (git show). Report each real problem with ReportFinding',
  },
  {
    name: 'nightly',
    summary: 'Updates dependencies every night, as far as the tests pass.',
    on: ['on:', '  schedule:', "    - cron: '17 3 * * *'", '  workflow_dispatch:'],
    group: 'kode-run-nightly',
    rule: '$CI_PIPELINE_SOURCE == "schedule"',
    mayEdit: true,
    mayRun: true,
    allow: [],
    outputs: { pull_request: ONE },
    limits: { maxTurns: 80, maxBudgetUsd: 5, timeout: '1h' },
    prompt:
      'Update the outdated dependencies one at a time and run the tests after each. Revert what breaks them. Propose one pull request.',
    firstPrompt: 'Update one outdated dependency and run the tests',
  },
  {
    name: 'triage',
    summary: 'Reads each new issue and the code, and proposes labels and at most one comment.',
    on: ['on:', '  issues:', '    types: [opened]'],
    group: 'kode-run-triage-${{ github.event.issue.number }}',
    mayEdit: false,
    mayRun: false,
    allow: [],
    outputs: { label: '{ max: 1, allow: [bug, question, documentation] }', comment: ONE },
    limits: { maxTurns: 20, maxBudgetUsd: 1, timeout: '10m' },
    prompt: 'Find out what this issue is about. Propose labels for it, and a comment only if it lacks information.',
    firstPrompt: 'Say what this project is, and which labels its issues need',
  },
]
