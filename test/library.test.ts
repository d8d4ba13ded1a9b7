import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod/v3'
import type { TranscriptRecord } from '../src/contracts/events.ts'
import type { Tool } from '../src/Tool.ts'
import { makeFolder } from './helpers/makeFolder.ts'
import { startMessagesServer } from './helpers/model/messagesServer.ts'
import { CLI_TEST_KEY } from './helpers/runs/cliRun.ts'
import { FINISH, toldTo } from './helpers/runs/playRun.ts'

type Library = typeof import('../src/entry/index.ts')
type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> }

let isTyped = false
/** Writes the declarations; once is enough for all tests. */
function buildTypes(): void {
  if (!isTyped) execFileSync(process.execPath, ['scripts/buildTypes.mjs'])
  isTyped = true
}

describe('the published library', () => {
  it('runs a tool that a user wrote in one file, under the same rules', { tags: 'long' }, () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'CHANGELOG.md'), '- old\n')
    const { stdout, stderr, status } = spawnSync(process.execPath, ['examples/tools/run.mjs', folder], {
      env: { PATH: process.env['PATH'], HOME: join(folder, 'home') },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe('- Fixed: A discount is taken in percent.\n- old\n')
    expect(stdout).toContain('completed: The change log has the line.')
  })

  /** A run of the published library in a new folder, against an API that asks for these calls. */
  async function play(tools: (library: Library) => readonly Tool[], calls: readonly Call[], policyText: string) {
    const folder = makeFolder()
    const library: Library = await import(pathToFileURL(resolve('dist/index.js')).href)
    const own = tools(library)
    const api = await startMessagesServer([...calls.map((call) => ({ turn: { tools: [call] } })), { turn: FINISH }])
    onTestFinished(() => api.close())
    const environment = { PATH: process.env['PATH'], ANTHROPIC_BASE_URL: api.url }
    writeFileSync(join(folder, 'policy.yml'), policyText)
    const policy = await library.loadPolicy({
      file: join(folder, 'policy.yml'),
      cwd: folder,
      home: folder,
      tools: own.map((tool) => tool.name),
    })
    const events: TranscriptRecord[] = []
    const run = library.run({
      ...{ prompt: 'do it', policy, tools: own, environment, home: folder, apiKey: CLI_TEST_KEY, commandFiles: [] },
      config: library.resolveConfig({}, environment, policy.settings.run, folder),
      stateFolder: join(folder, 'state'),
      signal: new AbortController().signal,
    })
    for await (const event of run) events.push(event)
    return { folder, api, events }
  }

  it("asks a tool with Kode's method whether a call needs permission; a rule still denies", {
    tags: 'long',
  }, async () => {
    const note =
      (name: string) =>
      ({ buildTool }: Library) =>
        buildTool<{ at: string }, string>({
          name,
          // biome-ignore lint/suspicious/noExplicitAny: a schema of another zod, as a user's package may bring it
          inputSchema: () => z.object({ at: z.string() }) as any,
          description: () => 'notes',
          needsPermissions: ({ at }) => at !== 'inside',
          async *call({ at }, context) {
            writeFileSync(join(context.cwd, `${name}-${at}`), at)
            yield { type: 'result', data: 'noted' }
          },
          mapResult: (content) => ({ content }),
        })
    const { folder, api } = await play(
      (library) => [note('Note')(library), note('Forbidden')(library)],
      [
        { name: 'Note', input: { at: 'inside' } },
        { name: 'Note', input: { at: 'outside' } },
        { name: 'Forbidden', input: { at: 'inside' } },
      ],
      'version: 1\npermissions: { deny: ["Forbidden(at:*)"] }\n',
    )
    expect(readdirSync(folder).filter((name) => name.includes('side'))).toEqual(['Note-inside'])
    expect(toldTo(api)).toEqual(['noted', expect.stringContaining('not allowed'), expect.stringContaining('denied by')])
  })

  it('gives a tool the conversation, the model and the log level', { tags: 'long' }, async () => {
    const { api } = await play(
      ({ buildTool }) => [
        buildTool({
          name: 'Look',
          inputSchema: () => z.object({}) as never,
          description: () => 'looks',
          prompt: ({ safeMode }) => `safe: ${safeMode}`,
          async *call(_input, { messages, model, isVerbose }) {
            const roles = messages.map(({ role }) => role)
            expect(() => (messages as unknown[]).push('more')).toThrow(TypeError)
            yield { type: 'result', data: JSON.stringify([roles, model, isVerbose]) }
          },
          mapResult: (content: string) => ({ content }),
        }),
      ],
      [{ name: 'Look', input: {} }],
      'version: 1\npermissions: { allow: [Look] }\n',
    )
    expect(JSON.parse(toldTo(api)[0] ?? '')).toEqual([['user', 'assistant'], api.requests[0]?.body.model, false])
    expect(JSON.stringify(api.requests[0]?.body.tools)).toContain('safe: true')
  })

  it('takes a tool with a schema of zod 3, and decides about it by the rules on its name', {
    tags: 'long',
  }, async () => {
    const greeted: string[] = []
    const greet =
      (name: string) =>
      ({ buildTool }: Library) =>
        buildTool({
          name,
          // biome-ignore lint/suspicious/noExplicitAny: a schema of another zod, as a user's package may bring it
          inputSchema: () => z.object({ who: z.string() }).strict() as any,
          description: () => 'greets',
          async *call({ who }: { who: string }) {
            greeted.push(`${name} ${who}`)
            yield { type: 'result', data: `hello ${who}` }
          },
          mapResult: (content: string) => ({ content }),
        })
    const { api, events } = await play(
      (library) => [greet('Greet')(library), greet('Shout')(library)],
      ['Greet', 'Shout'].map((name) => ({ name, input: { who: 'you' } })),
      'version: 1\npermissions: { allow: [Greet] }\n',
    )
    expect([events[0], events.at(-1)]).toMatchObject([{ subtype: 'init' }, { type: 'result', subtype: 'success' }])
    expect(greeted).toEqual(['Greet you'])
    expect(toldTo(api)).toEqual(['hello you', expect.stringContaining('`Shout` is not allowed')])
    const sent = api.requests[0]?.body.tools.find((tool: { name: string }) => tool.name === 'Greet')
    expect(sent.input_schema).toMatchObject({ type: 'object', properties: { who: { type: 'string' } } })
  })

  it('shows hooks and records what a tool says its input is, and sends the API what the model wrote', {
    tags: 'long',
  }, async () => {
    const hook = join(makeFolder(), 'hook')
    writeFileSync(hook, '#!/bin/sh\ncat > "$0.json"\n', { mode: 0o755 })
    const { api, events } = await play(
      ({ buildTool }) => [
        buildTool({
          name: 'Note',
          inputSchema: () => z.object({ text: z.string() }) as never,
          description: () => 'notes',
          observableInput: ({ text }: { text: string }) => ({ text, length: text.length }),
          async *call() {
            yield { type: 'result', data: 'noted' }
          },
          mapResult: (content: string) => ({ content }),
        }),
      ],
      [{ name: 'Note', input: { text: 'abc' } }],
      `version: 1
permissions: { allow: [Note] }
hooks: { PreToolUse: [{ matcher: Note, hooks: [{ type: command, command: "${hook}" }] }] }
`,
    )
    const shown = { text: 'abc', length: 3 }
    expect(JSON.parse(readFileSync(`${hook}.json`, 'utf8'))).toMatchObject({ tool_input: shown })
    expect(events).toContainEqual(
      expect.objectContaining({ subtype: 'tool_intent', tool_name: 'Note', tool_input: shown }),
    )
    expect(api.requests[1]?.body.messages[1].content[0]).toMatchObject({ name: 'Note', input: { text: 'abc' } })
    expect(api.requests[1]?.text).not.toContain('"length":3')
  })

  it('compiles and runs in a project made by its documentation, to the letter', {
    tags: 'long',
    timeout: 180_000,
  }, () => {
    buildTypes()
    const folder = makeFolder()
    const blocks = [...readFileSync('docs/library.md', 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(
      ([, text = '']) => text,
    )
    const names = ['run.mjs', 'functions.mjs', 'read.mjs', 'ask.mjs', 'countLinesTool.mjs']
    for (const [index, name] of names.entries()) writeFileSync(join(folder, name), blocks[index] ?? '')
    // What the text says of the tool: it is passed to `run`.
    const withTool = (blocks[0] ?? '')
      .replace("from 'kode-run'\n", "from 'kode-run'\nimport { countLinesTool } from './countLinesTool.mjs'\n")
      .replace("policy: 'policy.yml'", "policy: 'policy.yml', tools: [countLinesTool]")
    writeFileSync(join(folder, 'withTool.mjs'), withTool)
    const turns =
      '- { tool: CountLines, input: { file_path: lines.txt } }\n- { expect: 3 lines, tool: Finish, input: { status: completed, summary: counted } }\n'
    writeFileSync(join(folder, 'replay.yml'), turns)
    writeFileSync(join(folder, 'policy.yml'), 'version: 1\npermissions: { allow: [Read] }\n')
    writeFileSync(join(folder, 'lines.txt'), 'a\nb\n')
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
    const compilerOptions = {
      ...{ strict: true, noEmit: true, allowJs: true, checkJs: true, skipLibCheck: false },
      ...{ module: 'nodenext', target: 'es2024', types: ['node'], noImplicitAny: false },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mjs'] }))
    // As `npm install ../kode-run zod` leaves them.
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
    const others = ['zod', '@types/node', '@modelcontextprotocol']
    const packages = [['kode-run', '.'], ...others.map((name) => [name, `node_modules/${name}`])]
    for (const [name = '', target = ''] of packages) symlinkSync(resolve(target), join(folder, 'node_modules', name))
    const compiled = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
    expect([compiled.status, compiled.stdout]).toEqual([0, ''])
    const env = {
      ...{ PATH: process.env['PATH'], HOME: join(folder, 'home') },
      ...{ KODE_RUN_REPLAY: 'replay.yml', KODE_RUN_TRANSCRIPT: 'run.jsonl' },
    }
    const node = (file: string) => spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
    expect(node('withTool.mjs')).toMatchObject({ stderr: '', stdout: 'completed counted\n' })
    expect(node('read.mjs')).toMatchObject({ stderr: '', stdout: 'completed\n' })
    expect(node('ask.mjs')).toMatchObject({ stderr: '', stdout: expect.stringMatching(/^ask /) })
  })

  it("has declarations that compile in a user's project", { tags: 'long', timeout: 180_000 }, () => {
    buildTypes()
    const { stdout, status } = spawnSync('npx', ['tsc', '-p', 'examples/tools/tsconfig.json'], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])
  })
})
