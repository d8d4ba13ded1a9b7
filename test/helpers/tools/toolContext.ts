import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { createFileAccess } from '../../../src/files/createFileAccess.ts'
import type { FilePlaces } from '../../../src/files/createPlaceCheck.ts'
import { resolvePath } from '../../../src/files/resolvePath.ts'
import { createGitRunner } from '../../../src/git/own/ownGit.ts'
import { createCommandAccess } from '../../../src/sandbox/createCommandAccess.ts'
import type { Tool, ToolResult, ToolUseContext } from '../../../src/Tool.ts'
import { type Files, writeFiles } from '../effects/makeFiles.ts'

/** A context on a real temp folder, and what the tools did with it. */
export type TestContext = ToolUseContext & {
  /** The temp folder; `cwd` is `<base>/project`, its neighbours are outside of the working directories. */
  readonly base: string
  readonly events: RunEvent[]
  /** A path from `cwd`. */
  at(name: string): string
  /** Writes files, links and folders by their names from `cwd`. */
  put(files: Files): void
}

/**
 * A real `ToolUseContext` on a new temp folder: real files behind the real guard, real child processes. What a test wants
 * otherwise it gives in `parts`; a function that is not given throws when a tool calls it.
 */
export function createToolContext(parts: Partial<ToolUseContext> = {}, places: Partial<FilePlaces> = {}): TestContext {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-test-')))
  const folders = { project: '', home: '', blobs: '', artifacts: '' }
  for (const name of Object.keys(folders) as (keyof typeof folders)[]) {
    folders[name] = join(base, name)
    mkdirSync(folders[name])
  }
  const cwd = parts.cwd ?? folders.project
  const workingDirectories = parts.workingDirectories ?? [cwd]
  const events: RunEvent[] = []
  const blobs = createTestBlobs(folders.blobs)
  const defaults: ToolUseContext = {
    cwd,
    home: folders.home,
    resolvePath: (path, start) => resolvePath(path, start ?? cwd, folders.home),
    workingDirectories,
    signal: new AbortController().signal,
    deadline: performance.now() + 600_000,
    ...{ toolUseId: 'toolu_test', agentId: undefined, parentToolUseId: null },
    readFileState: new Map(),
    ...{ tools: [], messages: [], model: 'test-model', isVerbose: false, decision: undefined, canonical: undefined },
    files: createFileAccess({ roots: workingDirectories, extraReadable: [folders.blobs], forbidden: [], ...places }),
    commands: createTestCommands({}, blobs.put),
    changeWorktree: (_, work) => work(),
    ownGit: createGitRunner(process.env['PATH'] ?? ''),
    network: { fetch: absent('network.fetch') },
    blobs,
    mayRead: () => true,
    mayFetch: absent('mayFetch'),
    mayListResources: absent('mayListResources'),
    askModel: absent('askModel'),
    runAgent: absent('runAgent'),
    runCommands: async (lines) => lines.map((line) => `output of ${line}`),
    sessionId: 'session',
    agentsAtWork: () => [],
    setMode: absent('setMode'),
    setCwd: absent('setCwd'),
    mode: 'default',
    startMode: 'default',
    tasks: { create: absent('tasks'), get: absent('tasks'), update: absent('tasks'), list: absent('tasks') },
    todos: { get: absent('todos'), set: absent('todos') },
    answers: {},
    mcp: { serversWithResources: absent('mcp'), listResources: absent('mcp'), readResource: absent('mcp') },
    artifacts: folders.artifacts,
    memory: undefined,
    artifactFiles: createFileAccess({ roots: [folders.artifacts], forbidden: [] }),
    ...{ memoryFiles: undefined, skills: [], agents: [] },
    loadTools: absent('loadTools'),
    finish: absent('finish'),
    proposeOutput: absent('proposeOutput'),
    redact: (text) => text,
    notify: (event) => events.push({ ...event, parent_tool_use_id: null } as RunEvent),
  }
  return { ...defaults, ...parts, base, events, at: (name) => join(cwd, name), put: (files) => writeFiles(cwd, files) }
}

/** What a call came to. */
export type ToolRun<Output> = {
  /** Undefined where the call did not get to its result. */
  readonly data: Output | undefined
  readonly content: ToolResult['content']
  /** All text of the result. */
  readonly text: string
  readonly isError: boolean
  readonly progress: readonly string[]
  /** The step that ended the call. */
  readonly step: 'schema' | 'validate' | 'permission' | 'call'
}

/** Validates, checks and calls a tool as the run does, without the policy. Errors come back as results. */
export async function runTool<Output>(
  // biome-ignore lint/suspicious/noExplicitAny: tools of every input type
  tool: Tool<any, Output>,
  input: Readonly<Record<string, unknown>>,
  context: ToolUseContext,
): Promise<ToolRun<Output>> {
  const progress: string[] = []
  const parsed = tool.inputSchema().safeParse(input)
  if (!parsed.success) return failed('schema', parsed.error.message, progress)
  const valid = await tool.validateInput(parsed.data, context)
  if (!valid.result) return failed('validate', valid.message, progress)
  tool.subjects(parsed.data, context)
  const permission = await tool.checkPermissions(parsed.data, context)
  if (permission.behavior !== 'none') return failed('permission', permission.message, progress)
  let data: Output | undefined
  try {
    for await (const item of tool.call(parsed.data, context)) {
      if (item.type === 'progress') progress.push(item.text)
      else if (item.type === 'result') data = item.data
    }
  } catch (error) {
    return failed('call', error instanceof Error ? error.message : String(error), progress)
  }
  if (data === undefined) return failed('call', 'the tool yielded no result', progress)
  // Nothing that the schema does not declare, and nothing that is not as it declares. A server's tool declares none.
  if (tool.mcpInfo === undefined) expect(tool.outputSchema?.().parse(data), `output of ${tool.name}`).toEqual(data)
  return finished(tool.mapResult(data), data, progress)
}

function finished<Output>(result: ToolResult, data: Output, progress: readonly string[]): ToolRun<Output> {
  const { content, isError = false } = result
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  return { data, content, text, isError, progress, step: 'call' }
}

function failed(step: ToolRun<never>['step'], text: string, progress: readonly string[]): ToolRun<never> {
  return { data: undefined, content: text, text, isError: true, progress, step }
}

/** Real child processes without sandbox, for tests of tools that start a program. */
export function createTestCommands(environment: Readonly<Record<string, string>>, putBlob = (_: Uint8Array) => '') {
  return createCommandAccess({
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin', ...environment },
    ...{ runId: 'test', putBlob, defaultTimeoutMs: 120_000, maxTimeoutMs: 600_000 },
    deadline: performance.now() + 600_000,
  })
}

function createTestBlobs(folder: string): ToolUseContext['blobs'] {
  return {
    put(content) {
      const path = join(folder, createHash('sha256').update(content).digest('hex'))
      writeFileSync(path, content)
      return path
    },
    owns: (path) => path.startsWith(`${folder}/`),
  }
}

function absent(name: string): () => never {
  return () => {
    throw new Error(`this test gives no ${name}`)
  }
}
