import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

/** One answer that costs 0.30 USD. */
const DEAR = { usage: { input_tokens: 150_000, output_tokens: 0 } }
const LOOK = { ...call('LS', { path: '.' }), ...DEAR }
const ledger = (limits: readonly object[], folder = '~/ledger', more = {}) => ({
  permissions: { allow: ['Read'] },
  run: { ledger: { ...(folder !== '' && { folder }), limits } },
  ...more,
})
/** Runs after each other, each in its own environment. */
const inTurn = (policy: Readonly<Record<string, unknown>>, ...environments: GoldenRun['env'][]): GoldenRun => {
  const run = { policy, answers: [{ say: 'Done.', ...DEAR }] }
  const [first, ...others] = environments.map((env) => (env === undefined ? run : { ...run, env }))
  return { ...run, ...first, next: others, ends: 'max_budget' }
}
const workflow = (branch: string) => ({ GITHUB_WORKFLOW_REF: `a/b/.github/workflows/ci.yml@refs/heads/${branch}` })

/** Budgets that several runs share. */
export const budgets: GoldenRuns = {
  'a budget that the first run used up': inTurn(ledger([{ usd: 0.25 }]), undefined, undefined),
  'a budget in tokens that the first run used up': inTurn(
    ledger([{ tokens: 100_000, per: 'workflow' }]),
    workflow('main'),
    { CI_JOB_NAME: 'build' },
    workflow('topic'),
  ),
  'a budget of each repository': inTurn(
    ledger([{ usd: 0.25, per: 'repository' }]),
    { GITHUB_REPOSITORY: 'team/shop' },
    { GITHUB_REPOSITORY: 'team/blog' },
    { CI_PROJECT_PATH: 'team/shop' },
  ),
  'a budget that a run uses up': { policy: ledger([{ usd: 0.5 }]), answers: [LOOK, LOOK, LOOK], ends: 'max_budget' },
  'a run of many tokens where money alone is limited': {
    policy: ledger([{ usd: 100 }]),
    args: ['--max-budget-usd', '50'],
    answers: [{ ...LOOK, usage: { input_tokens: 2_100_000 } }, { say: 'Done.' }],
  },
  'a ledger in the checkout': { policy: ledger([], '~/../project/ledger'), ends: 'config' },
  'a ledger that commands may write': {
    policy: ledger([], '~/data', { sandbox: { mode: 'off', writable: ['~/'] } }),
    ends: 'config',
  },
  'a ledger at a relative path': { policy: ledger([], './ledger'), ends: 'config' },
  'limits without a ledger': { policy: ledger([{ usd: 1 }], ''), ends: 'config' },
  'a budget in money for a model without a price': {
    policy: ledger([{ tokens: 1_000_000 }, { usd: 1 }]),
    args: ['--model', 'my-model'],
    ends: 'config',
  },
  'a budget in money for an agent whose model has no price': {
    policy: ledger([{ usd: 1 }]),
    args: ['--agent', 'odd'],
    files: { '.claude/agents/odd.md': '---\nname: odd\ndescription: odd\nmodel: my-model\n---\nGo.\n' },
    ends: 'config',
  },
  'a replay beside a ledger': {
    policy: ledger([{ usd: 1 }]),
    args: ['--replay', 'script.yml'],
    files: { 'script.yml': '[{"say":"Done."}]' },
  },
}
