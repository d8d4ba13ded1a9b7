import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Door } from '../contracts/door.ts'
import { messageOf, RunError } from '../contracts/errors.ts'
import { encodeUntrusted } from '../report/encodeUntrusted.ts'
import { findRegistries, type Registries } from './findRegistries.ts'
import { findStack, type Stack } from './findStack.ts'
import { projectRoot } from './loadCommandPolicy.ts'
import type { CommandLine } from './runCommandLine.ts'

/** `kode-run init`: a policy and a workflow for this repository. What is there stays as it is; nobody is asked. */
export async function init(door: Door, { flags }: CommandLine): Promise<number> {
  const root = projectRoot(door, flags)
  const stack = findStack(root)
  const registries = await findRegistries(door, root, stack.name)
  const files = {
    '.kode/policy.yml': policyText(stack, registries),
    '.github/workflows/kode-run.yml': workflowText(stack),
  }
  for (const [path, text] of Object.entries(files)) {
    const isNew = create(join(root, path), text)
    door.print(encodeUntrusted(`${isNew ? 'written' : 'is there, not touched'}: ${path}`))
  }
  door.print(
    encodeUntrusted(
      `Found: ${stack.name}, test command ${stack.test ?? 'unknown: name one under checks.commands'}.\nNext: kode-run policy check .kode/policy.yml; store the key as the secret ANTHROPIC_API_KEY; commit both files.`,
    ),
  )
  return 0
}

/** False where something is there already. */
function create(file: string, text: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new RunError('cannot_create', `init: ${messageOf(cause)}`, { cause })
  }
}

function policyText({ name, sources, commands, test, protect }: Stack, registries: Registries): string {
  const edits = sources.length === 0 ? ['Edit(*.md)'] : sources.map((folder) => `Edit(${folder}/**)`)
  const list = (items: readonly string[]) => items.map((item) => `    - ${JSON.stringify(item)}`)
  const checks =
    test === undefined
      ? ['# checks:', '#   commands: ["make test"]     # the run is green only if these succeed']
      : [
          'checks:',
          `  commands: [${JSON.stringify(test)}]   # the run is green only if these succeed`,
          '  attempts: 2                  # a failing check goes back to the agent once',
          ...(protect.length === 0
            ? []
            : [`  protect: ${JSON.stringify(protect)}   # a pass is doubtful if the run changed these`]),
        ]
  return `# What the agent may do here. Everything else is denied; nobody is asked. Found: ${name}.
# Check it: kode-run policy check .kode/policy.yml     Ask it: kode-run policy explain --policy .kode/policy.yml 'Bash(git push)'
version: 1
permissions:
  presets: [read-only]           # look at everything in the project
  allow:
${[...list(edits), ...list(commands.map((command) => `Bash(${command})`))].join('\n')}
  deny:                          # a deny always wins
    - "Read(.env*)"
    - "Bash(git push *)"
${sandboxLines(registries).join('\n')}
outputs:                         # what it may propose; the job \`apply\` does it
  comment: { max: 1 }
  pull_request: { max: 1 }
${checks.join('\n')}
run:
  maxTurns: 50
  maxBudgetUsd: 2
  timeout: 20m
tests:                           # kode-run policy test .kode/policy.yml
  - { call: "Bash(git push origin main)", expect: deny }
  - { call: "Read(README.md)", expect: allow }
`
}

/** Commands reach the registries and nothing else; where none is known, nothing. */
function sandboxLines({ hosts, settings }: Registries): string[] {
  if (hosts.length === 0) {
    return [
      '# sandbox:                      # commands have no network, unless hosts are named',
      '#   network: allowlist',
      '#   allow: [packages.example.com]',
    ]
  }
  return [
    'sandbox:',
    '  network: allowlist             # commands reach where packages come from, and nothing else',
    `  allow: ${JSON.stringify(hosts)}`,
    ...(settings.length === 0 ? [] : [`  readable: ${JSON.stringify(settings)}   # the tools ask there by these`]),
  ]
}

function workflowText({ install, setup }: Stack): string {
  const steps = [
    setup === undefined ? [] : [`      - uses: ${setup}`],
    install === undefined ? [] : [`      - run: ${install}`],
  ]
  return `# Works on an issue that somebody with write access comments on with "@kode". Two jobs: the agent has no token that can
# write; the other job has one, and no agent.
name: kode-run
on:
  issue_comment:
    types: [created]
permissions: {}
concurrency: kode-run-\${{ github.event.issue.number }}
jobs:
  agent:
    if: contains(github.event.comment.body, '@kode')
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions: { contents: read, issues: read, pull-requests: read }
    outputs:
      proposed: \${{ steps.agent.outputs.outputs_file }}
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
${steps
  .flat()
  .map((line) => `${line}\n`)
  .join(
    '',
  )}      - run: sudo apt-get install --yes bubblewrap && sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0
      - id: agent
        uses: kode-run/kode-run@v1
        with:
          prompt: Do what the comment asks for, as small as possible. Propose a pull request if you changed files, else a comment.
          policy: .kode/policy.yml
          anthropic_api_key: \${{ secrets.ANTHROPIC_API_KEY }}
      - if: always() && steps.agent.outputs.outputs_file != ''
        uses: actions/upload-artifact@v5
        with: { name: proposed, path: "\${{ steps.agent.outputs.outputs_file }}" }
      - if: always()
        uses: actions/upload-artifact@v5
        with: { name: report, path: "\${{ steps.agent.outputs.report_file }}" }
  apply:
    needs: agent
    if: needs.agent.outputs.proposed != ''
    runs-on: ubuntu-latest
    permissions: { contents: write, issues: write, pull-requests: write }
    steps:
      - uses: actions/checkout@v6
        with: { fetch-depth: 0, persist-credentials: false }
      - uses: actions/download-artifact@v6
        with: { name: proposed, path: proposed }
      - run: npx --yes kode-run apply proposed/*.jsonl --policy .kode/policy.yml
        env: { GITHUB_TOKEN: "\${{ github.token }}" }
`
}
