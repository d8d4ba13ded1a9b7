import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type ClosableCommandAccess, createCommandAccess } from '../../src/sandbox/createCommandAccess.ts'
import { surveyWorkspaces } from '../../src/sandbox/mounts/surveyWorkspaces.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/openSandbox.ts'
import { VIEW_PREFIX } from '../../src/sandbox/views/openViews.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'

export const PATH = '/usr/local/bin:/usr/bin:/bin'
export const never = new AbortController().signal

export type Change = Partial<SandboxOptions & SandboxOptions['settings']>

export const root = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-test-')))
export let opened: { sandbox: Sandbox; access: ClosableCommandAccess }[] = []

/** Closes the sandboxes that the tests of a file open, and removes their folders. Each test file calls it. */
export function useSandboxes(): void {
  beforeAll(() => void mkdirSync(root, { recursive: true }))
  afterEach(async () => {
    for (const { sandbox, access } of opened) {
      await access.closeAll()
      await sandbox.close()
    }
    opened = []
    expect(readdirSync(root).filter((name) => name.startsWith(`${VIEW_PREFIX}${process.pid}_`))).toEqual([])
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))
}

export function makeWorkspace(name: string): { workspace: string; home: string } {
  const home = join(root, `${name}-home`)
  const workspace = join(root, name)
  mkdirSync(workspace, { recursive: true })
  writeFiles(home, {
    ...{ '.ssh/id_ed25519': 'CANARY-SSH', '.config/gh/hosts.yml': 'CANARY-GH', '.config/plain': 'plain' },
    ...{ '.npmrc': 'CANARY-NPM', '.gitconfig': '[user]\n\tname = A\n\temail = a@example.com\n' },
  })
  return { workspace, home }
}

export async function open(place: { workspace: string; home: string }, change: Change = {}) {
  const { mode = 'auto', network = 'open', wall, allow = [], ...rest } = change
  const sandbox = await openSandbox({
    settings: { mode, network, allow, writable: [], readable: [], ...(wall && { wall }) },
    workspaces: [place.workspace],
    survey: surveyWorkspaces([place.workspace]),
    surveyAgain: () => surveyWorkspaces([place.workspace]),
    ...{ home: place.home, path: PATH, readOnly: [], hidden: [] },
    isOpened: () => false,
    onRefusal: () => undefined,
    ...rest,
  })
  const access = createCommandAccess({
    environment: { PATH, HOME: place.home, ...sandbox.environment },
    runId: 'sandbox-test',
    wrap: sandbox.wrap,
    putBlob: () => '/blob',
    defaultTimeoutMs: 20_000,
    maxTimeoutMs: 20_000,
    deadline: performance.now() + 120_000,
  })
  opened.push({ sandbox, access })
  const bash = async (script: string) => {
    const request = { file: 'bash', args: ['-c', script], cwd: place.workspace, timeoutMs: 20_000, signal: never }
    const { exitCode, stdout, stderr } = await access.run(request)
    return { exitCode, stdout: stdout.text, stderr: stderr.text }
  }
  return { sandbox, access, bash }
}

export const probe = await openSandbox({
  settings: { mode: 'auto', network: 'none', allow: [], writable: [], readable: [] },
  workspaces: [root],
  survey: surveyWorkspaces([root]),
  ...{ home: undefined, path: PATH, readOnly: [], hidden: [] },
  isOpened: () => false,
  onRefusal: () => undefined,
})
await probe.close()
export const missing = probe.state === 'enforced' ? '' : ` (needs bubblewrap: ${probe.detail})`
export const isReady = probe.state === 'enforced'
