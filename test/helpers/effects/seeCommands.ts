import { createCommandAccess } from '../../../src/sandbox/createCommandAccess.ts'
import { surveyWorkspaces } from '../../../src/sandbox/mounts/surveyWorkspaces.ts'
import { openSandbox } from '../../../src/sandbox/openSandbox.ts'

/** Commands in sandboxes, as JSON. Prints what each printed; a program of its own, so that any user can run it. */
type Given = {
  readonly workspace: string
  readonly home: string
  readonly path: string
  readonly script: string
  readonly readable: readonly string[]
  readonly denied: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

async function run({ workspace, home, path, script, readable, denied, ...given }: Given): Promise<string> {
  const environment = { PATH: path, HOME: home, ...given.environment }
  const sandbox = await openSandbox({
    settings: { mode: 'required', network: 'none', allow: [], writable: [], readable },
    workspaces: [workspace],
    survey: surveyWorkspaces([workspace]),
    ...{ home, path: environment.PATH, environment, denied, readOnly: [], hidden: [] },
    isOpened: () => false,
    onRefusal: () => undefined,
  })
  const commands = createCommandAccess({
    environment: { ...environment, ...sandbox.environment },
    ...{ runId: 'see', wrap: sandbox.wrap, putBlob: () => '', defaultTimeoutMs: 20_000, maxTimeoutMs: 20_000 },
    deadline: performance.now() + 60_000,
  })
  const signal = new AbortController().signal
  const request = { file: 'bash', args: ['-c', script], cwd: workspace, timeoutMs: 20_000, signal }
  const { stdout } = await commands.run(request)
  await commands.closeAll()
  await sandbox.close()
  return stdout.text
}

const outputs: string[] = []
for (const given of JSON.parse(process.argv[2] ?? '[]') as Given[]) outputs.push(await run(given))
process.stdout.write(JSON.stringify(outputs))
