import { ACTIONS } from './actions.ts'
import type { InitPlan } from './initPolicy.ts'
import { type Lines, textOf } from './textOf.ts'

const CHECKOUT = `      - uses: ${ACTIONS.checkout}`
const SANDBOX =
  '      - run: sudo apt-get install --yes bubblewrap && sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'

/** What triggers each job, and which part of the event its prompt needs. */
const TRIGGERS = {
  fix: ['on:', '  issue_comment:', '    types: [created]'],
  review: ['on: pull_request'],
  nightly: ['on:', '  schedule:', "    - cron: '17 3 * * *'", '  workflow_dispatch:'],
  triage: ['on:', '  issues:', '    types: [opened]'],
} as const

const GROUPS = {
  fix: 'kode-run-${{ github.event.issue.number }}',
  review: 'kode-run-review-${{ github.event.pull_request.number }}',
  nightly: 'kode-run-nightly',
  triage: 'kode-run-triage-${{ github.event.issue.number }}',
} as const

/**
 * A GitHub workflow. One job runs the agent without a token that can write. If the agent proposes outputs, a second job
 * applies them with a token and without an agent.
 */
export function initGitHub(plan: InitPlan): string {
  const { job, file, program } = plan
  const proposes = Object.keys(job.outputs).length > 0
  return textOf([
    `# ${job.summary}`,
    proposes && '# Two jobs: the agent has no token that can write; the other job has one, and no agent.',
    program.notes,
    `name: kode-run${job.name === 'fix' ? '' : `-${job.name}`}`,
    TRIGGERS[job.name],
    'permissions: {}',
    `concurrency: ${GROUPS[job.name]}`,
    'jobs:',
    '  agent:',
    job.name === 'fix' && "    if: contains(github.event.comment.body, '@kode')",
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 75',
    `    permissions: { contents: read${job.name === 'fix' ? ', issues: read, pull-requests: read' : ''} }`,
    proposes && ['    outputs:', '      proposed: ${{ steps.agent.outputs.outputs_file }}'],
    '    steps:',
    CHECKOUT,
    '        with: { fetch-depth: 0, persist-credentials: false }',
    job.mayRun && [setupLines(plan), SANDBOX],
    '      - id: agent',
    `        uses: ${program.action}`,
    '        with:',
    '          prompt: >-',
    `            ${job.prompt}`,
    `          policy: ${file}`,
    job.name === 'triage' && "          allowed_non_write_users: '*' # anyone may trigger this: that is its purpose",
    '          anthropic_api_key: ${{ secrets.ANTHROPIC_API_KEY }}',
    proposes && uploadLines('proposed', 'outputs_file'),
    uploadLines('report', 'report_file'),
    proposes && applyLines(plan),
  ])
}

function setupLines({ stacks }: InitPlan): Lines {
  const setups = new Set(stacks.flatMap(({ setup }) => setup ?? []))
  return [
    [...setups].map((setup) => `      - uses: ${setup}`),
    stacks.map(({ install }) => install !== undefined && `      - run: ${install}`),
  ]
}

function uploadLines(name: string, output: string): Lines {
  return [
    `      - if: always() && steps.agent.outputs.${output} != ''`,
    `        uses: ${ACTIONS.uploadArtifact}`,
    `        with: { name: ${name}, path: "\${{ steps.agent.outputs.${output} }}" }`,
  ]
}

function applyLines({ job, file, program }: InitPlan): Lines {
  const pulls = 'contents: write, issues: write, pull-requests: write'
  const rights = 'pull_request' in job.outputs ? pulls : 'contents: read, issues: write'
  return [
    '  apply:',
    '    needs: agent',
    "    if: needs.agent.outputs.proposed != ''",
    '    runs-on: ubuntu-latest',
    `    permissions: { ${rights} }`,
    '    steps:',
    CHECKOUT,
    '        with: { fetch-depth: 0, persist-credentials: false }',
    `      - uses: ${ACTIONS.downloadArtifact}`,
    '        with: { name: proposed, path: proposed }',
    program.prepare !== undefined && `      - run: ${program.prepare}`,
    `      - run: ${program.command} apply proposed/*.jsonl --policy ${file}`,
    '        env: { GITHUB_TOKEN: "${{ github.token }}" }',
  ]
}
