import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createTaskStore } from '../context/createTaskStore.ts'
import { createTodoStore } from '../context/createTodoStore.ts'
import { expandCommand } from '../context/expandCommand.ts'
import { RunError } from '../contracts/errors.ts'
import { type RunEvent, warning } from '../contracts/events.ts'
import { readCheckout } from '../git/repository/readCheckout.ts'
import { withOutputs } from '../lib/text/fillTemplate.ts'
import { thinkingNotes } from '../model/thinkingParams.ts'
import { findUnused } from '../policy/lint/findUnused.ts'
import { formatFinding } from '../policy/load/loadPolicy.ts'
import { judgePath } from '../policy/paths/judgePath.ts'
import { openTransactions } from './effects/openTransactions.ts'
import { mainAgent } from './loop/agentDefinition.ts'
import { redactParts, redactRequests } from './loop/redactRequests.ts'
import { type RunRequest, workspacesOf } from './RunRequest.ts'
import { openOutputs, outputsNote } from './record/openOutputs.ts'
import { discardRecords, openRecords, ownFiles, protectRunFiles } from './record/openRecords.ts'
import { resumeWorkTree } from './resume/resumeWorkTree.ts'
import { createFeed, createIsolated, type PreparedRun, type Session } from './Session.ts'
import { clearAbandoned, requireTemporaryFolder } from './start/clearAbandoned.ts'
import { type Closers, createClosers } from './start/createClosers.ts'
import { describeEnvironment, partWarning } from './start/describeEnvironment.ts'
import { keyWarnings, secretWarnings } from './start/keyWarnings.ts'
import { loadExtensions, openNamedPlugins } from './start/loadExtensions.ts'
import { loadProject, readInputs } from './start/loadProject.ts'
import { makeLimits, makeModel, pricesOf } from './start/makeModel.ts'
import { openChildren } from './start/openChildren.ts'
import { foldersOf, openOwnFolder, openPlace, projectFilesOf } from './start/openFiles.ts'
import { openHooks } from './start/openHooks.ts'
import { openNetwork } from './start/openNetwork.ts'
import { openPool } from './start/openPool.ts'
import { openRedactor, secretsFromFiles } from './start/openRedactor.ts'

/**
 * Opens everything that a run needs, in this order: configuration, credentials, records, then what may be missing on
 * the machine. Throws `RunError` before any request is made, and leaves nothing running then. `Session.close` closes
 * everything in reverse order.
 */
export async function startSession(request: RunRequest, prepared: PreparedRun): Promise<Session> {
  const closers = createClosers()
  try {
    return await open(request, prepared, closers)
  } catch (error) {
    await closers.close()
    throw prepared.signal.aborted ? prepared.signal.reason : error
  }
}

async function open(given: RunRequest, prepared: PreparedRun, closers: Closers): Promise<Session> {
  const { config, home, environment } = given
  const { signal, deadline, resumed } = prepared
  const { configRoot = config.cwd } = given
  const pending: RunEvent[] = []
  const onEvent = (event: RunEvent) => void pending.push(event)
  const warnOf = (code: string) => (message: string) => onEvent(warning(code, message))
  const warn = warnOf('start')
  requireTemporaryFolder()
  const clearing = closers.add(await clearAbandoned(), ({ finish }) => finish())
  const plugins = closers.add(await openNamedPlugins(given, resumed?.plugins), ({ close }) => close())
  const extensions = await loadExtensions(given, plugins)
  const { redactor, secrets } = await openRedactor(given, extensions.secrets)
  const asIs = redactRequests(clearing.behind(await makeModel(given, redactor)), redactor.forModel)
  const client = config.includePartialMessages ? redactParts(asIs, redactor) : asIs
  const inputs = await readInputs(given)
  const prices = pricesOf(config, given.policy)
  const used = resumed?.event.used
  const counted = used && given.isNextMessage === true ? { ...used, turns: 0, tool_calls: 0, denials: 0 } : used
  const planned = makeLimits(config, prices, counted)
  const checkout = readCheckout(config.cwd)
  const hasLedger = config.ledger ?? given.policy.settings.run.ledger
  const budgets = hasLedger ? await import('./record/openBudget.ts') : undefined
  const asked = { checkout, limits: planned, prices, ...prepared, warn }
  const ledger = budgets?.ledgerFolder(given, asked)
  const records = closers.add(openRecords(given, redactor, { ledger, resumed }), discardRecords)
  const budget = closers.add(
    ledger === undefined
      ? undefined
      : await budgets?.openBudget(given, { folder: ledger, run: records.runId, ...asked }),
    (opened) => opened?.close(),
  )
  const model = budget?.follow(client) ?? client
  const own = ownFiles(given, records)
  const workspaces = workspacesOf(given)
  const closed = [...own, ...plugins.protectedPaths]
  const request = { ...given, policy: await protectRunFiles(given.policy, closed, workspaces) }

  const known = secrets.map(({ value }) => value)
  const unjudged = closers.add(
    await openChildren({
      ...{ request, records, plugins: plugins.folder, secrets: known, deadline },
      onRefusal: warnOf('network'),
      onSandboxLost: (why) => prepared.end(new RunError('sandbox_unavailable', `${SANDBOX_LOST}: ${why}`)),
    }),
    ({ sandbox }) => sandbox.close(),
  )
  redactor.learn(secretsFromFiles(unjudged.readableSecrets))
  const { place, guard } = openPlace(request, records, unjudged.sandbox.state !== 'enforced', plugins.folder)
  const { policy } = place
  const { commit } = checkout
  const isShown = unjudged.sandbox.state !== 'enforced'
  const { writable, readable } = policy.settings.sandbox
  const shown = [...workspaces, ...writable, ...readable]
  const ofPart = isShown ? undefined : partWarning(config.cwd, checkout.top, shown)
  const environmentNote = describeEnvironment(
    { cwd: config.cwd, commit, date: new Date(), isPart: ofPart !== undefined },
    { runGit: unjudged.git, except: own },
  )
  const isolated = createIsolated()
  const placeOf = (path: string) => isolated.placeOf(path) ?? place
  const transactions = closers.add(
    await openTransactions({ request, children: unjudged, records: own, placeOf, top: checkout.top }),
    (opened) => opened.close(),
  )
  const children = { ...unjudged, commands: transactions.commands }
  const network = openNetwork(request, redactor)

  const projectFiles = projectFilesOf(guard, configRoot)
  const folders = foldersOf(join(configRoot, '.claude'), projectFiles, plugins.list)
  const project = await loadProject(request, configRoot, projectFiles, folders)
  const main = mainAgent(config, project.agents)
  const mainPrices = pricesOf(main.config, policy)
  budget?.requirePrices(mainPrices)
  const ownLimits = main.info === undefined ? planned : makeLimits(main.config, mainPrices, counted)
  const limits = budget?.limit(ownLimits) ?? ownLimits

  const base = {
    ...{ config: main.config, policy, home, environment, children, transactions, network, model, redactor, limits },
    ...{ ...records, pending, place, signal, variables: given.variables ?? {} },
  }
  let begun: Session | undefined
  const starting = { ...base, request }
  const hooks = openHooks(starting, extensions, { secrets: known, session: () => begun })
  const hasServers = Object.keys(extensions.servers.servers).length > 0
  const { openServers } = hasServers ? await import('./start/openServers.ts') : { openServers: undefined }
  const servers = closers.add(await openServers?.(starting, extensions.servers), (opened) => opened?.close())
  const reading = { policy, workingDirectories: workspaces }
  const mayRead = (path: string) => judgePath(reading, path, 'read') === 'allow'
  const places = { folders, cwd: config.cwd, checkout: place.files, mayRead }
  const template = await expandCommand(request.prompt, { ...places, sessionId: records.sessionId })
  const newPrompt = withOutputs(template)
  const tools = openPool({ request, children, servers, skills: project.skills, agent: main.info })
  const judge = { ...guard, config, git: children.git, files: place.files, mode: place.mode }
  const differences =
    resumed === undefined ? [] : await resumeWorkTree(checkout, resumed, { ...judge, account: transactions.account })
  const usesServers = policy.settings.projectMcp || config.mcpConfigs.length > 0 || config.strictMcpConfig
  const unused = findUnused(policy, {
    servers: Object.keys(extensions.servers.servers),
    hasUnusedServers: !usesServers && existsSync(join(configRoot, '.mcp.json')),
    skills: tools.pool.some(({ name }) => name === 'Skill') ? project.skills.map(({ name }) => name) : [],
  })
  const warnings = [
    ...(request.warnings ?? []),
    ...extensions.warnings,
    ...thinkingNotes(main.config),
    ...tools.warnings,
    ...[...policy.warnings, ...unused].map(formatFinding),
    ...children.warnings,
    ...(isShown && children.sandbox.landlock === undefined ? (budget?.warnings ?? []) : []),
    ...(ofPart === undefined ? [] : [ofPart]),
    ...transactions.warnings,
    ...project.warnings,
    ...(resumed?.warnings ?? []),
    ...differences,
    ...keyWarnings(request, children, tools.pool),
    ...secretWarnings(config.cwd, children, policy, tools.pool),
  ]
  warnings.forEach(warn)
  given.onStart?.({
    setMode(mode) {
      if (place.mode === mode) return
      place.mode = mode
      const status = { type: 'system', parent_tool_use_id: null, subtype: 'status', status: 'permission_mode' } as const
      onEvent({ ...status, detail: mode })
    },
  })
  const { memory, outputs } = policy.settings
  closers.release(records)
  begun = {
    ...base,
    ...prepared,
    ...inputs,
    ...project,
    mainAgent: main.info,
    ...{ hooks, servers, checkout, newPrompt, template, origin: request.origin, halt: {} },
    plugins: plugins.list.map(({ name, path, sha256 }) => ({ name, path, sha256 })),
    ...{ pool: tools.pool, deniedTools: tools.deniedTools, late: tools.late },
    ...{ isolated, feed: createFeed<RunEvent>() },
    attachments: given.attachments ?? [],
    isNextMessage: given.isNextMessage ?? false,
    close: closers.close,
    prompt: [resumed?.prompt ?? '', newPrompt, outputsNote(outputs)].filter((text) => text !== '').join('\n\n'),
    outputs: openOutputs({ file: records.outputsFile, settings: outputs, redactor }),
    environmentNote: await environmentNote,
    tasks: createTaskStore(resumed?.event.tasks),
    todos: createTodoStore(resumed?.event.todos),
    artifactFiles: openOwnFolder(records.artifacts, home),
    memoryFiles: memory === undefined ? undefined : openOwnFolder(memory, home),
    startedAt: performance.now(),
  }
  return begun
}

const SANDBOX_LOST = 'The sandbox does not start any more, so no command can run'
