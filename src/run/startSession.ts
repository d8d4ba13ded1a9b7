import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createTaskStore } from '../context/createTaskStore.ts'
import { createTodoStore } from '../context/createTodoStore.ts'
import type { RunEvent } from '../contracts/events.ts'
import { createFileAccess } from '../files/createFileAccess.ts'
import { compilePatterns } from '../lib/compilePatterns.ts'
import { readCheckout } from '../lib/readCheckout.ts'
import { createRedactor } from '../lib/redact.ts'
import type { Secret } from '../lib/secretForms.ts'
import { secretsFromEnvironment } from '../lib/secretsFromEnvironment.ts'
import type { McpServers } from '../mcp/McpServers.ts'
import { allowReading, formatFinding } from '../policy/loadPolicy.ts'
import { gitLogins } from '../sandbox/gitLogins.ts'
import { guardPolicy } from './guardPolicy.ts'
import { keyWarnings } from './keyWarnings.ts'
import { type Extensions, loadExtensions } from './loadExtensions.ts'
import { loadProject } from './loadProject.ts'
import { makeLimits, makeModel } from './makeModel.ts'
import { type Children, openChildren } from './openChildren.ts'
import { openFiles, openProjectFiles } from './openFiles.ts'
import { openHooks } from './openHooks.ts'
import { openNetwork } from './openNetwork.ts'
import { openOutputs, outputsNote } from './openOutputs.ts'
import { openOwnFolder } from './openOwnFolder.ts'
import { openPool } from './openPool.ts'
import { openRecords, ownFiles, reportsOf } from './openRecords.ts'
import { openServers } from './openServers.ts'
import { openTransactions, type Transactions } from './openTransactions.ts'
import type { RunRequest } from './RunRequest.ts'
import { readInputs } from './readInputs.ts'
import { redactRequests } from './redactRequests.ts'
import { requireTemporaryFolder } from './requireTemporaryFolder.ts'
import { resumeWorkTree } from './resumeWorkTree.ts'
import type { Session } from './Session.ts'
import { watchServers } from './watchServers.ts'

/**
 * Brings up everything a run needs, in the order of the contract: configuration, credentials, records, then what may be
 * missing on the machine. Throws `RunError` before any request is made, and leaves nothing running then.
 */
export async function startSession(given: RunRequest, outside: Outside): Promise<Session> {
  const { policy } = given
  requireTemporaryFolder()
  const extensions = await loadExtensions(given)
  const secrets = secretsOf(given)
  const patterns = await compilePatterns(policy.settings.redact.patterns)
  const redactor = createRedactor({ secrets: [...secrets, ...extensions.secrets], patterns })
  const model = redactRequests(await makeModel(given, redactor), redactor.forModel)
  const inputs = {
    ...(await readInputs(given)),
    limits: makeLimits(given.config, policy, outside.resumed?.event.used),
  }
  const records = openRecords(given, redactor)
  const guarded = await guardPolicy(policy, ownFiles(given, records), workspacesOf(given))
  const request = { ...given, policy: guarded }
  const pending: RunEvent[] = []
  const children = await openChildren({
    request,
    runId: records.sessionId,
    transcript: records.transcript,
    workspaces: workspacesOf(request),
    hidden: [...records.records, `${records.artifacts}/`, `${records.blobFolder}/`],
    readOnly: reportsOf(request),
    secrets: secrets.map(({ value }) => value),
    deadline: outside.deadline,
    onRefusal: (message) => warn(pending, message),
  }).catch((error: unknown) => {
    records.transcript.close()
    rmSync(records.transcript.path, { force: true })
    throw error
  })
  const opened: Opening['opened'] = {}
  try {
    return await openModules({
      ...{ request, extensions, records, children, pending, outside, opened },
      parts: { ...inputs, model, redactor },
    })
  } catch (error) {
    await opened.servers?.close()
    await opened.transactions?.close()
    await children.sandbox.close()
    records.transcript.close()
    rmSync(records.transcript.path, { force: true })
    throw outside.signal.aborted ? outside.signal.reason : error
  }
}

/** What is there before anything is opened. */
export type Outside = Pick<Session, 'deadline' | 'signal' | 'resumed'>

type Opening = {
  readonly outside: Outside
  readonly request: RunRequest
  readonly extensions: Extensions
  readonly records: ReturnType<typeof openRecords>
  readonly children: Children
  readonly pending: RunEvent[]
  /** What must be closed if the start does not come to its end. */
  readonly opened: { servers?: McpServers | undefined; transactions?: Transactions }
  readonly parts: Pick<
    Session,
    'model' | 'redactor' | 'limits' | 'outputSchema' | 'systemPrompt' | 'appendSystemPrompt'
  >
}

/** Hooks, servers, tools and the project, on top of records and children. */
async function openModules(opening: Opening): Promise<Session> {
  const { request, extensions, records, pending, outside, parts, opened } = opening
  const { config, home, environment } = request
  const { configRoot = config.cwd } = request
  const policy = openOwnFolders(request, records.blobFolder)
  const guard = { policy, home, workingDirectories: workspacesOf(request), ...records }
  const files = openFiles(guard)
  const network = openNetwork(request, parts.redactor)
  const place = { mode: config.permissionMode ?? policy.settings.defaultMode, cwd: config.cwd, files, policy }
  const own = ownFiles(request, records)
  const checkout = await readCheckout(config.cwd)
  const { top } = checkout
  const transactions = await openTransactions({ request, children: opening.children, records: own, place, top })
  opened.transactions = transactions
  const children = { ...opening.children, commands: transactions.commands }
  const base = {
    ...parts,
    ...records,
    ...outside,
    ...{ config, policy, home, environment, children, pending, transactions, place },
    childEnvironment: children.environment,
    halt: {},
  }
  const roots = workspacesOf(request)
  const hooks = openHooks(base, network, { ...extensions, configRoot, trust: request.trust, checkout: roots })
  const startServers = () =>
    openServers({
      ...{ request, children, network, signal: outside.signal, runId: records.sessionId },
      collected: extensions.servers,
      checkout: roots,
      blobs: records.transcript.blobs,
      onEvent: (event) => void pending.push(event),
    })
  const hasProcesses = Object.values(extensions.servers.servers).some(({ command }) => command !== undefined)
  const servers = await (hasProcesses ? watchServers(transactions.effects, startServers) : startServers())
  opened.servers = servers
  const isPlain = configRoot === config.cwd
  const projectFiles = isPlain ? openProjectFiles(guard) : createFileAccess({ roots: [configRoot], forbidden: [] })
  const project = await loadProject(base, configRoot, projectFiles)
  const pool = openPool({ request, children, servers, skills: project.skills })
  const { resumed } = outside
  const differences =
    resumed === undefined
      ? []
      : await resumeWorkTree(checkout, resumed, {
          ...{ ...guard, config, files, git: children.git, mode: place.mode, account: transactions.account },
        })
  const warnings = [
    ...(request.warnings ?? []),
    ...extensions.warnings,
    ...policy.warnings.map(formatFinding),
    ...children.warnings,
    ...transactions.warnings,
    ...project.warnings,
    ...(resumed?.warnings ?? []),
    ...differences,
    ...keyWarnings(request, children, pool),
  ]
  for (const message of warnings) warn(pending, message)
  const { memory } = policy.settings
  return {
    ...base,
    ...project,
    hooks,
    servers,
    prompt: [resumed?.prompt ?? '', request.prompt, outputsNote(policy.settings.outputs)].filter(isSaid).join('\n\n'),
    newPrompt: request.prompt,
    outputs: openOutputs({ file: records.outputsFile, settings: policy.settings.outputs, redactor: parts.redactor }),
    network: network.access,
    pool,
    checkout,
    tasks: createTaskStore(outside.resumed?.event.tasks),
    todos: createTodoStore(resumed?.event.todos),
    artifactFiles: openOwnFolder(records.artifacts, home),
    memoryFiles: memory === undefined ? undefined : openOwnFolder(memory, home),
    startedAt: performance.now(),
  }
}

/** What the run itself wrote may be read: its blobs, and the snapshot that its skills stand in. */
function openOwnFolders({ policy, configRoot }: RunRequest, blobFolder: string): RunRequest['policy'] {
  const folders = configRoot === undefined ? [blobFolder] : [blobFolder, join(configRoot, '.claude', 'skills')]
  return folders.reduce((all, folder) => allowReading(all, folder), policy)
}

function isSaid(text: string): boolean {
  return text !== ''
}

function warn(pending: RunEvent[], message: string): void {
  pending.push({ type: 'system', subtype: 'warning', code: 'start', message })
}

/** The project root, and what flags and policy add to it. */
function workspacesOf({ config, policy }: RunRequest): string[] {
  return [config.cwd, ...config.addDirs, ...policy.settings.additionalDirectories]
}

function secretsOf(request: RunRequest): Secret[] {
  const { environment, apiKey, policy, home } = request
  const logins = gitLogins(workspacesOf(request), home)
  const found = [...secretsFromEnvironment(environment, policy.settings.redact.env), ...logins]
  return apiKey === undefined ? found : [...found, { name: 'ANTHROPIC_API_KEY', value: apiKey }]
}
