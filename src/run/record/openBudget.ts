import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { tokensOf, type Usage } from '../../contracts/messages.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../contracts/model.ts'
import type { LedgerSettings } from '../../contracts/settings.ts'
import type { Checkout } from '../../git/repository/readCheckout.ts'
import { realPath } from '../../lib/fs/atPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { LimitReached, Limits } from '../../query/createLimits.ts'
import { type OpenLedger, openLedger } from '../../report/ledger/openLedger.ts'
import { type RunRequest, workspacesOf } from '../RunRequest.ts'
import { acquireLock } from '../resume/acquireLock.ts'
import type { PreparedRun } from '../Session.ts'
import type { Prices } from '../start/makeModel.ts'

/**
 * The folder of the run's ledger, with links resolved; undefined without one, and for a replay, which spends nothing.
 * A missing folder is made, with a warning: on a share that is not mounted nothing would be spent yet. Throws `config`
 * for a place that is no shared one, or that the checkout reaches.
 */
export function ledgerFolder(
  request: RunRequest,
  { checkout, prices, warn }: Pick<BudgetOptions, 'checkout' | 'prices' | 'warn'>,
): string | undefined {
  const { config, home, policy } = request
  const { folders } = ledgerOf(request)
  const [folder, other] = folders
  if (folder === undefined) return refuse('there are limits but no folder; add `folder`, or use --ledger DIR.')
  if (other !== undefined) return refuse(`the policy names two folders, ${folder} and ${other}; keep one of them.`)
  const path = folder.startsWith('~/') ? join(home, folder.slice(2)) : folder
  if (!isAbsolute(path)) return refuse(`${folder} must be absolute or start with ~/, because all runs share it.`)
  if (config.replay !== undefined) {
    warn('The ledger is not used: a replay spends nothing.')
    return undefined
  }
  const real = realFolder(path, warn)
  const checkouts = [...workspacesOf(request), checkout.top].map((place) => realPath(resolve(place)))
  const open = policy.settings.sandbox.writable.map((place) => realPath(resolve(place)))
  const clash = checkouts.find((place) => isWithin(real, place) || isWithin(place, real))
  if (clash !== undefined)
    return refuse(`${folder} and the project ${clash} must not contain each other; name a folder elsewhere.`)
  const writable = open.find((place) => isWithin(real, place) || isWithin(place, real))
  if (writable !== undefined)
    return refuse(`commands may write ${writable} (sandbox.writable), so ${folder} must not be there.`)
  requirePrices(request, prices)
  return real
}

/** Throws `config` where the ledger limits money and a model of the run has no price. */
function requirePrices(request: RunRequest, { unpriced }: Prices): void {
  if (unpriced.length > 0 && ledgerOf(request).limits.some(({ usd }) => usd !== undefined))
    refuse(`a limit in USD needs prices; add ${unpriced.join(', ')} under \`pricing:\` of the policy.`)
}

function refuse(why: string): never {
  throw new RunError('config', `run.ledger: ${why}`)
}

/** The flag beats the folder of the policy, whose limits always hold. */
function ledgerOf({ config, policy }: RunRequest): LedgerSettings {
  const { folders = [], limits = [] } = policy.settings.run.ledger ?? {}
  return { folders: config.ledger === undefined ? folders : [config.ledger], limits }
}

function realFolder(path: string, warn: (message: string) => void): string {
  try {
    if (!existsSync(path)) {
      mkdirSync(path, { mode: 0o700 })
      warn(`The ledger ${path} was not there and is new: nothing is spent in it yet.`)
    }
    return realpathSync(path)
  } catch (error) {
    throw new RunError('io_error', `The ledger ${path} cannot be opened: ${messageOf(error)}`, { cause: error })
  }
}

export type BudgetOptions = Pick<PreparedRun, 'signal' | 'deadline' | 'end'> & {
  readonly folder: string
  readonly run: string
  readonly checkout: Checkout
  readonly limits: Limits
  readonly prices: Prices
  readonly warn: (message: string) => void
}

/** What a run without a limit of its own reserves where the ledger limits tokens; that of models without a price. */
const RESERVED_TOKENS = 2_000_000

/** Reserves this run's part of the budgets across runs. Throws `max_budget` if nothing is left. */
export async function openBudget(request: RunRequest, options: BudgetOptions) {
  const { config, environment } = request
  const { limits } = ledgerOf(request)
  const { folder, run, checkout, prices, signal, deadline, warn } = options
  const isPricedRun = prices.unpriced.length === 0
  const before = options.limits.totals()
  const tokens =
    config.limits.tokens ??
    (limits.some((limit) => limit.tokens !== undefined) || !isPricedRun ? RESERVED_TOKENS : null)
  const ledger = await openLedger({
    ...{ folder, run, signal, acquireLock, limits },
    repository: checkout.origin ?? environment['GITHUB_REPOSITORY'] ?? environment['CI_PROJECT_PATH'] ?? checkout.top,
    workflow: workflowOf(request),
    wanted: {
      usd: isPricedRun ? Math.max(0, config.limits.budgetUsd - (before.costUsd ?? 0)) : null,
      tokens: tokens === null ? null : Math.max(0, tokens - tokensOf([before.usage])),
    },
    until: new Date(Date.now() + deadline - performance.now()),
  })
  ledger.problems.forEach(warn)
  for (const words of ledger.narrowedBy)
    warn(`Less than the budget of this run is left: ${words} (run.ledger). It ends where that is used up.`)
  return {
    ...follow(ledger, options),
    /** Throws like `ledgerFolder`: the agent of the run may bring another model. */
    requirePrices: (later: Prices) => requirePrices(request, later),
  }
}

/** GitHub's workflow file without its ref, or the job of another CI; else the policy, which each job has its own of. */
function workflowOf({ environment, policy }: RunRequest): string {
  const file = environment['GITHUB_WORKFLOW_REF']?.replace(/@.*$/, '')
  const names = ['CI_JOB_NAME', 'JOB_NAME', 'BUILD_DEFINITIONNAME', 'BUILDKITE_PIPELINE_SLUG']
  return [file, ...names.map((name) => environment[name]), policy.files[0]].find(Boolean) ?? 'none'
}

function follow(ledger: OpenLedger, { end, prices, folder }: BudgetOptions) {
  const { granted } = ledger
  const spent = { usd: 0, tokens: 0 }
  let requests = 0
  const append: OpenLedger['append'] = (entry) => {
    try {
      ledger.append(entry)
    } catch (error) {
      // Also where the caller only notes that its request failed: nothing more may be spent.
      if (error instanceof RunError) end(error)
      throw error
    }
  }
  const add = (n: number, model: string, usage: Usage, partial: boolean) => {
    const [usd, tokens] = [prices.costOf(model, usage), tokensOf([usage])]
    spent.usd += usd ?? 0
    spent.tokens += tokens
    append({ type: 'answer', at: new Date().toISOString(), n, model, usd, tokens, partial })
  }
  async function* stream(client: ModelClient, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    requests += 1
    const n = requests
    append({ type: 'ask', at: new Date().toISOString(), n, model: request.model })
    for await (const event of client.stream(request, signal)) {
      if (event.type === 'discarded') add(n, event.model, event.usage, true)
      if (event.type === 'message') add(n, request.model, event.message.usage, false)
      yield event
    }
  }
  const reached = (): LimitReached | undefined => {
    const unit = (['usd', 'tokens'] as const).find((each) => spent[each] >= (granted[each] ?? Number.POSITIVE_INFINITY))
    if (unit === undefined) return undefined
    const words = unit === 'usd' ? `${spent.usd.toFixed(4)} USD` : `${spent.tokens} tokens`
    const why = ledger.narrowedBy.length > 0 ? `: before this run, ${ledger.narrowedBy.join('; ')}` : ''
    return { reason: 'max_budget', detail: `Spent: ${words}, what the run had reserved (run.ledger)${why}.` }
  }
  return {
    /** The same client; each request and answer is in the ledger before the run goes on. */
    follow: (client: ModelClient): ModelClient => ({
      ...client,
      stream: (request, signal) => stream(client, request, signal),
    }),
    /** The same limits, and what the ledger leaves. */
    limit: (limits: Limits): Limits => ({ ...limits, reached: () => limits.reached() ?? reached() }),
    /** For a run without a wall around its commands. */
    warnings: [
      `Only the permissions of ${folder} keep commands from changing the ledger: no sandbox stands here. \`sandbox.mode: required\` insists on one.`,
    ],
    close: ledger.close,
  }
}
