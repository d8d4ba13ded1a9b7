import { denialLine } from '../../context/compaction.ts'
import { changedBy, mergeTouchedFiles, NO_FILES, touchedFiles } from '../../context/touchedFiles.ts'
import { withoutOldImages } from '../../context/withoutOldImages.ts'
import type { InitEvent, ModelUsage, ResultEvent, ResumedEvent, RunEvent } from '../../contracts/events.ts'
import type { AssistantMessage, Message, ToolUseBlock, Usage } from '../../contracts/messages.ts'
import { joinMessage, OWN_MODEL, textsOf, withRequest } from '../../contracts/messages.ts'
import type { Task, Todo } from '../../Tool.ts'

export type FoldedConversation = ReturnType<ReturnType<typeof createConversationFold>['conversation']>

type Price = (model: string, usage: Usage) => number | null

/** Stop reasons whose answers stay in the conversation, as in the loop. */
const KEPT: readonly (string | null)[] = ['tool_use', 'end_turn', 'stop_sequence', 'max_tokens', 'pause_turn']

type State = ReturnType<typeof newState>

function newState() {
  return {
    init: null as InitEvent | null,
    result: null as ResultEvent | null,
    messages: [] as Message[],
    task: undefined as string | undefined,
    count: { turns: 0, tool_calls: 0, denials: 0 },
    models: new Map<string, ModelUsage>(),
    started: new Map<string, ResumedEvent['interrupted'][number]>(),
    denied: [] as string[],
    /** Files touched by messages that a compaction replaced. */
    files: NO_FILES,
    /** Files that calls changed or were to change, as the calls or their effects name them. */
    changed: new Set<string>(),
    todos: [] as readonly Todo[],
    tasks: [] as readonly Task[],
    loaded: new Set<string>(),
    /** The last answer, and the conversation before it. */
    undo: undefined as { readonly id: string; readonly before: Message[] } | undefined,
    lastPriced: undefined as string | undefined,
  }
}

/**
 * A fold over one transcript: it takes events in order, and `conversation` can be called at any time. `costOf` returns
 * the price of an answer; null if its model has none.
 */
export function createConversationFold(costOf: Price) {
  const state = newState()
  return {
    add(event: RunEvent): void {
      if (event.type === 'result') state.result = event
      else if (event.type === 'assistant') takeAnswer(state, event.message, event.parent_tool_use_id, costOf)
      else if (event.type === 'user') takeUser(state, event)
      else if (event.type === 'system') takeSystem(state, event, costOf)
    },
    conversation: () => ({
      ...{ init: state.init, result: state.result, messages: state.messages, task: state.task },
      ...{ denied: state.denied, todos: state.todos, tasks: state.tasks, loadedTools: [...state.loaded] },
      used: { ...state.count, models: Object.fromEntries(state.models) },
      interrupted: [...state.started.values()],
      changed: [...state.changed],
      files: mergeTouchedFiles(state.files, touchedFiles(state.messages)),
    }),
  }
}

function takeAnswer(state: State, message: AssistantMessage, owner: string | null, costOf: Price): void {
  const { id, model, usage, content } = message
  state.count.tool_calls += content.filter((block) => block.type === 'tool_use').length
  if (id !== state.lastPriced && model !== OWN_MODEL) addRequest(state, model, usage, costOf(model, usage))
  state.lastPriced = id
  if (owner !== null) return
  state.count.turns++
  if (!KEPT.includes(message.stop_reason) || content.length === 0) return
  const before = [...state.messages]
  joinMessage(state.messages, message)
  state.undo = { id, before }
}

function addRequest({ models }: State, model: string, usage: Usage, cost: number | null): void {
  models.set(model, withRequest(models.get(model), usage, cost))
}

function takeUser(state: State, event: Extract<RunEvent, { type: 'user' }>): void {
  const { content } = event.message
  for (const block of content) if (block.type === 'tool_result') state.started.delete(block.tool_use_id)
  if (event.parent_tool_use_id !== null) return
  for (const { tool_use_id, tool_name, outcome } of event.tool_use_result ?? []) {
    if (tool_name === 'TodoWrite' && outcome === 'ok') state.todos = todosOf(state, tool_use_id)
  }
  state.undo = undefined
  joinMessage(state.messages, event.message)
  state.task ??= textsOf(content).join('\n\n')
}

/** The todos of a call, whose input was valid when it ran. */
function todosOf({ messages, todos }: State, id: string): readonly Todo[] {
  const last = messages.findLast((message) => message.role === 'assistant')
  const call = last?.content.find((block): block is ToolUseBlock => block.type === 'tool_use' && block['id'] === id)
  const asked = (call?.input['todos'] ?? todos) as readonly (Omit<Todo, 'activeForm'> & Partial<Todo>)[]
  return asked.map((todo) => ({ ...todo, activeForm: todo.activeForm ?? todo.content }))
}

function takeSystem(state: State, event: Extract<RunEvent, { type: 'system' }>, costOf: Price): void {
  const isMain = !('parent_tool_use_id' in event) || event.parent_tool_use_id === null
  if (event.subtype === 'init') state.init = event
  else if (event.subtype === 'resumed') takeResumed(state, event)
  else if (event.subtype === 'effects') for (const { path } of event.kept) state.changed.add(path)
  else if (event.subtype === 'model_call') addRequest(state, event.model, event.usage, event.cost_usd)
  else if (event.subtype === 'tool_intent') {
    const { tool_use_id, tool_name, is_read_only } = event
    state.started.set(tool_use_id, { tool_use_id, tool_name, is_read_only })
    for (const path of changedBy(event)) state.changed.add(path)
  } else if (event.subtype === 'permission_denied') {
    state.count.denials++
    if (isMain) state.denied.push(denialLine(event.tool_name, event.tool_input, event.message))
  } else if (event.subtype === 'turn_discarded') {
    for (const { tool_use_id } of event.early) state.started.delete(tool_use_id)
    if (event.spent !== undefined) {
      const { model, usage } = event.spent
      addRequest(state, model, usage, costOf(model, usage))
    }
    if (isMain && state.undo !== undefined && state.undo.id === event.message_id) state.messages = state.undo.before
  } else if (event.subtype === 'tasks') takeTasks(state, event.tasks)
  else if (!isMain) return
  else if (event.subtype === 'tools_loaded') for (const name of event.tools) state.loaded.add(name)
  else if (event.subtype === 'compact_boundary') {
    state.files = mergeTouchedFiles(state.files, touchedFiles(state.messages))
    state.messages = [{ role: 'user', content: [{ type: 'text', text: event.summary }] }]
  } else if (event.subtype === 'warning' && event.code === 'images_dropped') {
    state.messages = [...(withoutOldImages(state.messages)?.messages ?? state.messages)]
  }
}

/** The task list of the run. The steps of one agent use the same event, but have no description. */
function takeTasks(state: State, shown: readonly { readonly id: string }[]): void {
  const tasks = shown.filter((task): task is Task => 'description' in task && 'blockedBy' in task)
  if (tasks.length === shown.length) state.tasks = tasks
}

function takeResumed(state: State, event: ResumedEvent): void {
  const { used } = event
  state.messages = JSON.parse(event.conversation) as Message[]
  state.task = event.task
  const { models, ...count } = used
  Object.assign(state.count, count)
  for (const [model, usage] of Object.entries(models)) state.models.set(model, usage)
  state.denied.push(...event.denied)
  state.files = event.files
  for (const path of event.files.changed) state.changed.add(path)
  state.todos = event.todos
  state.tasks = event.tasks
  for (const name of event.loaded_tools) state.loaded.add(name)
  for (const call of event.interrupted) state.started.set(call.tool_use_id, call)
}
