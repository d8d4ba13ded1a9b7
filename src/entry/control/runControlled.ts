import { RUN_FLAGS } from '../../config/flags.ts'
import type { CanUseTool, PermissionResult } from '../../contracts/callbacks.ts'
import { PERMISSION_MODES, type PermissionMode } from '../../contracts/decision.ts'
import { EXIT_CODES, messageOf, RunError } from '../../contracts/errors.ts'
import type { ResultEvent, TranscriptRecord } from '../../contracts/events.ts'
import { modelId } from '../../contracts/model.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { createChannel } from '../../lib/async/channel.ts'
import { forEachEvent } from '../../lib/async/mergeGenerators.ts'
import { VERSION } from '../../lib/version.ts'
import { jsonLine } from '../../report/formats/output.ts'
import { type RunRequest, run } from '../../run/run.ts'
import { openDebug, openEventReaders } from '../openEventReaders.ts'
import { createSdkMessages, readUserMessage, type UserMessage } from './createSdkMessages.ts'
import { fromInitialize, type Initialized } from './fromInitialize.ts'
import { type Control, type Json, openControl } from './openControl.ts'

/** What requests of the caller change between the messages, or while one is worked on. */
type State = {
  initialized?: Initialized
  model?: string | undefined
  mode?: PermissionMode
  servers: readonly unknown[]
  /** The messages that no run has begun, in their order. */
  readonly waiting: UserMessage[]
  running?: { readonly controller: AbortController; setMode?(mode: PermissionMode): void } | undefined
  /** The file of `--debug-file`, for the whole session. */
  log?: ReturnType<typeof openDebug>
  last?: ResultEvent
  readonly variables: Record<string, string>
}

/**
 * `--input-format stream-json`: each user message on stdin is a run that continues the one before, until stdin ends.
 * The caller is asked by Claude Code's control protocol: hooks, `canUseTool`, MCP servers of its process. Returns the
 * exit code of the last run.
 */
export async function runControlled(io: ProcessIo, request: RunRequest): Promise<number> {
  if (io.stdin === undefined) throw new RunError('usage', '--input-format stream-json needs a process of its own.')
  const messages = createChannel<UserMessage>()
  const state: State = { servers: [], waiting: [], variables: {} }
  let fault: RunError | undefined
  const send = (message: Json | undefined): void => (message === undefined ? undefined : io.print(jsonLine(message)))
  const toMessage = createSdkMessages()
  const show = (record: TranscriptRecord) => send(toMessage(record))
  const control: Control = openControl({
    input: io.stdin(),
    send,
    onRequest: (asked) => answer(asked, state, control),
    onMessage(message) {
      if (message['type'] === 'user') {
        const read = readUserMessage(message)
        state.waiting.push(read)
        void messages.send(read)
      } else if (message['type'] !== 'keep_alive')
        io.warn(`kode-run: a message of type ${JSON.stringify(message['type'])} on stdin has no meaning here.\n`)
    },
    onEnd(why) {
      fault = why
      messages.close()
      if (why !== undefined) state.running?.controller.abort(why)
    },
  })
  const stop = (): void => messages.close()
  request.signal.addEventListener('abort', stop)
  let code = 0
  try {
    for await (const message of messages.read()) {
      if (request.signal.aborted) break
      code = await runMessage(message, { io, request, state, control, show })
    }
  } finally {
    request.signal.removeEventListener('abort', stop)
  }
  if (fault !== undefined) throw fault
  if (request.signal.aborted) throw request.signal.reason
  return code
}

type Means = {
  readonly io: ProcessIo
  readonly request: RunRequest
  readonly state: State
  readonly control: Control
  readonly show: (record: TranscriptRecord) => void
}

/** One message from its run's first record to its result. A run that cannot start has a result too. */
async function runMessage(
  { controller, ...message }: UserMessage,
  { io, request, state, control, show }: Means,
): Promise<number> {
  state.waiting.shift()
  state.running = { controller }
  const asked = nextRequest(request, message, state, control)
  try {
    if (message.prompt.trim() === '' && message.attachments.length === 0) throw new RunError('bad_input', EMPTY)
    controller.signal.throwIfAborted()
    state.log ??= openDebug(asked.config)
    const readers = openEventReaders({ ...io, print: () => undefined }, asked.config, undefined, state.log)
    const environment = { ...asked.environment, ...(await readers.environment()) }
    const signal = AbortSignal.any([request.signal, controller.signal])
    state.last = await forEachEvent(run({ ...asked, environment, signal }), (record) => {
      readers.event(record)
      if (record.type === 'system' && record.subtype === 'init') state.servers = record.mcp_servers
      show(record)
    })
    const isWritten = await readers.close()
    return state.last.exit_code === 0 && !isWritten ? EXIT_CODES.io_error.code : state.last.exit_code
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    show(notStarted(error, state.last?.session_id ?? request.config.sessionId ?? ''))
    io.warn(`kode-run: ${messageOf(error)}\n`)
    return EXIT_CODES[error.reason].code
  } finally {
    state.running = undefined
  }
}

/** The first message starts or resumes as the flags say; each further one continues the run before. */
function nextRequest(
  base: RunRequest,
  message: Omit<UserMessage, 'controller'>,
  state: State,
  control: Control,
): RunRequest {
  const { initialized, last, model, mode } = state
  const next = last && {
    ...{ resume: last.transcript_path, forkSession: false, sessionId: undefined, transcript: undefined },
    ...{ applyPatch: false, repair: false },
  }
  return {
    ...base,
    ...message,
    config: {
      ...base.config,
      ...initialized?.config,
      ...next,
      ...(model === undefined ? {} : { model: modelId(model, base.config.provider, base.config.modelIds) }),
      ...(mode === undefined ? {} : { permissionMode: mode }),
    },
    ...(initialized?.hooks && { hooks: initialized.hooks }),
    ...(initialized?.mcpInstances && { mcpInstances: initialized.mcpInstances }),
    ...(base.config.permissionPromptTool === undefined ? {} : { canUseTool: askCaller(control) }),
    warnings: last === undefined ? [...(base.warnings ?? []), ...(initialized?.warnings ?? [])] : [],
    variables: state.variables,
    isNextMessage: base.config.resume !== undefined || last !== undefined,
    onStart: ({ setMode }) => {
      if (state.mode !== undefined) setMode(state.mode)
      if (state.running !== undefined) state.running.setMode = setMode
    },
  }
}

/** `--permission-prompt-tool stdio`. Rules that the caller would add are left out: they belong to the policy. */
function askCaller(control: Control): CanUseTool {
  return async (tool_name, input, { signal, toolUseID, agentID }) => {
    const call = { tool_name, input, tool_use_id: toolUseID, ...(agentID === undefined ? {} : { agent_id: agentID }) }
    const asked = { subtype: 'can_use_tool', ...call, permission_suggestions: [] }
    return (await control.ask(asked, signal)) as PermissionResult
  }
}

/** Answers a request of the caller. Throws the sentence that refuses it. */
function answer(asked: Json, state: State, control: Control): Json {
  const { subtype } = asked
  switch (subtype) {
    case 'initialize':
      state.initialized = fromInitialize(asked, control)
      return { ...ABOUT, ...(asked['hooks'] === undefined ? {} : { hooks_applied: true }) }
    case 'interrupt': {
      const { controller } = state.running ?? state.waiting[0] ?? {}
      controller?.abort(new RunError('aborted', 'The caller interrupted the run.'))
      return { still_queued: [] }
    }
    case 'set_model': {
      const { model } = asked
      state.model = typeof model === 'string' && model !== 'default' ? model : undefined
      return {}
    }
    case 'set_permission_mode':
      state.mode = readMode(asked['mode'])
      state.running?.setMode?.(state.mode)
      return { mode: state.mode }
    case 'mcp_status':
      return { mcpServers: state.servers }
    case 'mcp_message':
      state.initialized?.deliver(asked['server_name'], asked['message'])
      return {}
    default:
      throw new Error(`kode-run has no control request ${JSON.stringify(subtype)}.`)
  }
}

function readMode(mode: unknown): PermissionMode {
  const refusal = RUN_FLAGS['permission-mode'].refusals?.[String(mode)]
  if (refusal !== undefined) throw new Error(`The permission mode stays: ${refusal}`)
  const found = PERMISSION_MODES.find((each) => each === mode)
  if (found === undefined)
    throw new Error(`There is no permission mode ${JSON.stringify(mode)}: ${PERMISSION_MODES.join(', ')}.`)
  return found
}

const ABOUT = {
  ...{ commands: [], agents: [], output_style: 'default', available_output_styles: ['default'], account: {} },
  models: ['sonnet', 'opus', 'haiku'].map((value) => ({ value, displayName: value, description: '' })),
  hook_on_failure_supported: true,
  claude_code_version: VERSION,
}

const EMPTY = 'The message is empty: it needs a text, an image or a document.'

/** The result of a message whose run has no records. */
function notStarted(error: RunError, session_id: string): TranscriptRecord {
  const result = {
    ...{ type: 'result', subtype: 'error_during_execution', is_error: true, session_id },
    ...{ exit_reason: error.reason, exit_code: EXIT_CODES[error.reason].code, detail: error.message, result: '' },
    ...{ num_turns: 0, duration_ms: 0, duration_api_ms: 0, total_cost_usd: 0, permission_denials: [], modelUsage: {} },
    ...{ usage: { input_tokens: 0, output_tokens: 0 }, stop_reason: null },
  }
  return result as unknown as TranscriptRecord
}
