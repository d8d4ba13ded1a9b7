import { parse } from 'yaml'
import * as z from 'zod'
import { orFail } from '../../contracts/errors.ts'
import type { ProjectFiles } from './ProjectFiles.ts'
import { ACTIONS, inFolder, type Stack } from './Stack.ts'

/** `frozen`: installs exactly what a lock file names, and fails without one. */
const MANAGERS = [
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], install: 'corepack enable && pnpm', frozen: 'install --frozen-lockfile' },
  { name: 'yarn', locks: ['yarn.lock'], install: 'corepack enable && yarn', frozen: 'install --immutable' },
  {
    ...{ name: 'bun', locks: ['bun.lock', 'bun.lockb'] },
    ...{ install: 'npm install --global bun && bun', frozen: 'install --frozen-lockfile' },
  },
  { name: 'npm', locks: ['package-lock.json'], install: 'npm', frozen: 'ci' },
] as const
const NPM = MANAGERS[3]

/** Tests all packages of a workspace whose root has no test. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  npm: 'npm test --workspaces --if-present',
  pnpm: 'pnpm -r test',
  yarn: 'yarn workspaces foreach --all run test',
  bun: "bun run --filter '*' test",
}

const texts = z.array(z.string()).catch([])
const manifest = z.looseObject({
  scripts: z.record(z.string(), z.string()).catch({}).default({}),
  workspaces: z
    .union([z.array(z.string()), z.looseObject({ packages: texts }).transform(({ packages }) => packages)])
    .catch([])
    .default([]),
  packageManager: z.string().optional().catch(undefined),
})
const workspace = z.looseObject({ packages: texts })

export function nodeStack(files: ProjectFiles, folder: string): Stack | undefined {
  const text = files.read(inFolder(folder, 'package.json'))
  if (text === undefined) return undefined
  const json: unknown = orFail('bad_input', inFolder(folder, 'package.json'), () => JSON.parse(text))
  const { scripts, workspaces, packageManager } = manifest.parse(json)
  const has = (name: string) => files.paths.has(inFolder(folder, name))
  const named = packageManager?.split('@')[0] ?? (has('pnpm-workspace.yaml') ? 'pnpm' : undefined)
  const { name, locks, install, frozen } =
    MANAGERS.find((manager) => manager.locks.some(has) || manager.name === named) ?? NPM
  const members = files.members(folder, [...workspaces, ...pnpmWorkspaces(files, folder)], 'package.json')
  const line = (script: string) => (script === 'test' && name !== 'bun' ? `${name} test` : `${name} run ${script}`)
  const hasTest = 'test' in scripts && !/no test specified/.test(scripts['test'] ?? '')
  const isTested = (member: string) => /"test"\s*:/.test(files.read(`${member}/package.json`) ?? '')
  return {
    name,
    members,
    test: hasTest ? line('test') : members.some(isTested) ? EVERYWHERE[name] : undefined,
    linters: ['lint', 'typecheck', 'check'].filter((script) => script in scripts).map(line),
    install: `${install} ${locks.some(has) ? frozen : 'install'}`,
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
