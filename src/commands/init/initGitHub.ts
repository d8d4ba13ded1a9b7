import { type InitPlan, type Lines, textOf } from './initPolicy.ts'
import { ACTIONS } from './Stack.ts'

const CHECKOUT = [`      - uses: ${ACTIONS.checkout}`, '        with: { fetch-depth: 0, persist-credentials: false }']
const SANDBOX =
  '      - run: sudo apt-get install --yes bubblewrap && sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'

/**
 * A GitHub workflow. One job runs the agent without a token that can write. If the agent proposes outputs, a second job
 * applies them with a token and without an agent.
 */
export function initGitHub(plan: InitPlan): string {
  const { job, file, program, stacks } = plan
  const proposes = Object.keys(job.outputs).length > 0
  return textOf([
    `# ${job.summary}`,
    proposes && '# Two jobs: the agent has no token that can write; the other job has one, and no agent.',
    program.notes,
    `name: kode-run${job.name === 'fix' ? '' : `-${job.name}`}`,
    job.on,
    'permissions: {}',
    `concurrency: ${job.group}`,
    'jobs:',
    '  agent:',
    job.name === 'fix' && "    if: contains(github.event.comment.body, '@kode')",
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 75',
    `    permissions: { contents: read${job.name === 'fix' ? ', issues: read, pull-requests: read' : ''} }`,
    proposes && ['    outputs:', '      proposed: ${{ steps.agent.outputs.outputs_file }}'],
    '    steps:',
    CHECKOUT,
    job.mayRun && [...new Set(stacks.flatMap(({ setup }) => setup ?? []))].map((setup) => `      - uses: ${setup}`),
    job.mayRun && stacks.map(({ install }) => install !== undefined && `      - run: ${install}`),
    job.mayRun && SANDBOX,
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
    `      - uses: ${ACTIONS.downloadArtifact}`,
    '        with: { name: proposed, path: proposed }',
    program.prepare !== undefined && `      - run: ${program.prepare}`,
    `      - run: ${program.command} apply proposed/*.jsonl --policy ${file}`,
    '        env: { GITHUB_TOKEN: "${{ github.token }}" }',
  ]
}
