import { mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect } from 'vitest'
import type { CommandRequest } from '../../src/contracts/commands.ts'
import { type ClosableCommandAccess, createCommandAccess } from '../../src/sandbox/createCommandAccess.ts'
import { surveyWorkspaces } from '../../src/sandbox/mounts/surveyWorkspaces.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/openSandbox.ts'
import { type CheckoutMode, DIRECT } from '../../src/sandbox/views/checkoutMode.ts'
import { createView } from '../../src/sandbox/views/createView.ts'
import { VIEW_PREFIX } from '../../src/sandbox/views/openViews.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

export const PATH = '/usr/local/bin:/usr/bin:/bin'

export type Change = Partial<SandboxOptions & SandboxOptions['settings']>

export let root = ''
export let opened: { sandbox: Sandbox; access: ClosableCommandAccess }[] = []

/** Closes the sandboxes that the tests of a file open, and removes their folders. Each test file calls it. */
export function useSandboxes(): void {
  beforeAll(() => {
    root = makeFolder('sandbox-test-')
  })
  afterEach(async () => {
    for (const { sandbox, access } of opened) {
      await access.closeAll()
      await sandbox.close()
    }
    opened = []
    expect(readdirSync(root).filter((name) => name.startsWith(`${VIEW_PREFIX}${process.pid}_`))).toEqual([])
  })
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

const BASE = { path: PATH, readOnly: [], hidden: [], isOpened: () => false, onRefusal: () => undefined }

export async function open(place: { workspace: string; home: string }, change: Change = {}) {
  const { mode = 'auto', network = 'open', wall, allow = [], ...rest } = change
  const cwd = place.workspace
  const surveyAgain = () => surveyWorkspaces([cwd])
  const sandbox = await openSandbox({
    settings: { mode, network, allow, writable: [], readable: [], ...(wall && { wall }) },
    ...{ ...BASE, workspaces: [cwd], home: place.home, survey: surveyAgain(), surveyAgain },
    ...rest,
  })
  const access = createCommandAccess({
    environment: { PATH, HOME: place.home, ...sandbox.environment },
    runId: 'sandbox-test',
    wrap: sandbox.wrap,
    putBlob: () => '/blob',
    ...{ defaultTimeoutMs: 20_000, maxTimeoutMs: 20_000, deadline: performance.now() + 120_000 },
  })
  opened.push({ sandbox, access })
  const requestOf = (script: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
    ...{ file: 'bash', args: ['-c', script], cwd, timeoutMs: 20_000, signal: new AbortController().signal },
    ...more,
  })
  /** The checkout in this mode; a view is a new one. */
  const modeOf = (kind: CheckoutMode['kind']): CheckoutMode =>
    kind === 'view' ? { kind, direct: [], ...createView(sandbox.views.folder ?? '', sandbox.roots) } : { kind }
  const bash = async (script: string, checkout = DIRECT) => {
    const { exitCode, stdout, stderr } = await access.runOn(requestOf(script), checkout)
    return { exitCode, stdout: stdout.text, stderr: stderr.text }
  }
  return { sandbox, access, bash, requestOf, modeOf }
}

const probe = await openSandbox({
  settings: { mode: 'auto', network: 'none', allow: [], writable: [], readable: [] },
  ...{ ...BASE, workspaces: [tmpdir()], home: undefined, survey: { repositories: [], secrets: [], leftovers: [] } },
})
await probe.close()
export const isReady = probe.state === 'enforced'
export const missing = isReady ? '' : ` (needs bubblewrap: ${probe.detail})`
