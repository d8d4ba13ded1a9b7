import { type InitPlan, summaryOf, textOf } from './initPolicy.ts'

/** A job for GitLab, to be included by `.gitlab-ci.yml`. The policy comes from the target or the default branch. */
export function initGitLab(plan: InitPlan): string {
  const { job, file, stacks, program } = plan
  const ref = job.name === 'review' ? 'origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME' : 'origin/$CI_DEFAULT_BRANCH'
  const branch = ref.slice('origin/'.length)
  const image = stacks.find((stack) => stack.image !== undefined)?.image
  return textOf([
    `# ${summaryOf(plan)}`,
    '# Store ANTHROPIC_API_KEY as a masked, hidden variable.',
    '# Commands run behind Landlock, or in bubblewrap where the runner allows user namespaces: kode-run doctor says which.',
    program.notes,
    `kode-run-${job.name}:`,
    `  image: ${image ?? 'node:24-trixie   # it needs the tools of the project too'}`,
    '  interruptible: true',
    '  timeout: 75m',
    '  rules:',
    `    - if: ${job.rule ?? '$KODE_TASK'}`,
    '  variables:',
    '    GIT_DEPTH: "0"',
    '  before_script:',
    '    - apt-get update -qq && apt-get install -y -qq --no-install-recommends bubblewrap git' +
      (image === undefined || image.startsWith('node:') ? '' : ' nodejs npm'),
    job.mayRun && stacks.map(({ install }) => install !== undefined && `    - ${JSON.stringify(install)}`),
    program.prepare !== undefined && `    - ${program.prepare}`,
    '  script:',
    // git does not see the records, so `git add --all` of a command leaves them out.
    `    - mkdir -p kode-run && echo '*' > kode-run/.gitignore && git fetch --quiet origin "${branch}"`,
    '    - >-',
    `      ${program.command} --policy ${file} --policy-ref "${ref}"`,
    '      --transcript kode-run/run.jsonl --summary kode-run/summary.md',
    `      ${job.rule === undefined ? '"$KODE_TASK"' : JSON.stringify(job.prompt)}`,
    '  after_script:',
    `    - ${program.command} report kode-run/run.jsonl --format html --output kode-run/report.html`,
    job.mayEdit && '    - git add --all --intent-to-add && git diff --binary "$CI_COMMIT_SHA" > kode-run/changes.patch',
    '  artifacts:',
    '    when: always',
    '    expire_in: 30 days',
    '    paths: [kode-run/]',
  ])
}
