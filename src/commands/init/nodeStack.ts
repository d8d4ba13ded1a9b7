import { parse } from 'yaml'
import * as z from 'zod'
import { orFail } from '../../contracts/errors.ts'
import { ACTIONS } from './actions.ts'
import type { ProjectFiles } from './ProjectFiles.ts'
import { EMPTY_STACK, inFolder, type Stack } from './Stack.ts'

const MANAGERS = [
  { lock: 'pnpm-lock.yaml', name: 'pnpm', install: 'corepack enable && pnpm install --frozen-lockfile' },
  { lock: 'yarn.lock', name: 'yarn', install: 'corepack enable && yarn install --immutable' },
  { lock: 'bun.lock', name: 'bun', install: 'npm install --global bun && bun install --frozen-lockfile' },
  { lock: 'bun.lockb', name: 'bun', install: 'npm install --global bun && bun install --frozen-lockfile' },
  { lock: 'package-lock.json', name: 'npm', install: 'npm ci' },
] as const

/** Tests all packages of a workspace whose root has no test. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  npm: 'npm test --workspaces --if-present',
  pnpm: 'pnpm -r test',
  yarn: 'yarn workspaces foreach --all run test',
  bun: "bun run --filter '*' test",
}

const globs = z.array(z.string()).catch([])
const manifest = z.looseObject({
  scripts: z.record(z.string(), z.string()).catch({}).default({}),
  workspaces: z
    .union([z.array(z.string()), z.looseObject({ packages: globs }).transform(({ packages }) => packages)])
    .catch([])
    .default([]),
  packageManager: z.string().optional().catch(undefined),
})
const workspace = z.looseObject({ packages: globs })

/** A project of npm, pnpm, yarn or bun, with its workspaces. */
export function nodeStack(files: ProjectFiles, folder: string): Stack | undefined {
  const text = files.read(inFolder(folder, 'package.json'))
  if (text === undefined) return undefined
  const json: unknown = orFail('bad_input', inFolder(folder, 'package.json'), () => JSON.parse(text))
  const { scripts, workspaces, packageManager } = manifest.parse(json)
  const named = packageManager?.split('@')[0]
  const manager = MANAGERS.find(({ lock, name }) => files.paths.has(inFolder(folder, lock)) || name === named) ?? {
    name: 'npm' as const,
    install: 'npm install',
  }
  const members = files.members([...workspaces, ...pnpmWorkspaces(files, folder)], 'package.json')
  const { name } = manager
  const line = (script: string) => (script === 'test' && name !== 'bun' ? `${name} test` : `${name} run ${script}`)
  const hasTest = 'test' in scripts && !/no test specified/.test(scripts['test'] ?? '')
  const isTested = (member: string) => /"test"\s*:/.test(files.read(`${member}/package.json`) ?? '')
  return {
    ...EMPTY_STACK,
    name,
    members,
    test: hasTest ? line('test') : members.some(isTested) ? EVERYWHERE[name] : undefined,
    linters: ['lint', 'typecheck', 'check'].filter((script) => script in scripts).map(line),
    install: manager.install,
    setup: ACTIONS.setupNode,
    image: 'node:24-trixie',
  }
}

function pnpmWorkspaces(files: ProjectFiles, folder: string): readonly string[] {
  const file = inFolder(folder, 'pnpm-workspace.yaml')
  const text = files.read(file)
  const data: unknown = text === undefined ? {} : orFail('bad_input', file, () => parse(text))
  return workspace.safeParse(data).data?.packages ?? []
}
