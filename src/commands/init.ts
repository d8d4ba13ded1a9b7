import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '../config/resolveConfig.ts'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { findRepository } from '../git/own/ownGit.ts'
import { checkInputs } from '../policy/checkInputs.ts'
import { protectionsOf } from '../policy/paths/judgeProtection.ts'
import { encodeUntrusted } from '../report/markdown/encodeUntrusted.ts'
import { findPlatform, type Platform } from './init/findPlatform.ts'
import { findRegistries } from './init/findRegistries.ts'
import { findStacks } from './init/findStacks.ts'
import { initGitHub } from './init/initGitHub.ts'
import { initGitLab } from './init/initGitLab.ts'
import { type InitJob, initJobs } from './init/initJobs.ts'
import { checksOf, type InitPlan, initPolicy } from './init/initPolicy.ts'
import { openProjectFiles } from './init/ProjectFiles.ts'
import { programSource } from './init/programSource.ts'
import type { CommandLine } from './runCommandLine.ts'

/** `kode-run init [JOB]`: writes a policy and a CI job for this repository. Overwrites nothing and asks nothing. */
export async function init(io: ProcessIo, { flags, positionals }: CommandLine): Promise<number> {
  const job = jobOf(positionals[0])
  const program = programSource(flags['use'] as string | undefined)
  const root = projectRoot(io, flags)
  const files = await openProjectFiles(root)
  const stacks = findStacks(files)
  const platform = await findPlatform(io, root, files)
  const file = `.kode/${job.name === 'fix' ? 'policy' : job.name}.yml`
  const tests =
    ['test', 'tests', 'spec'].find((name) => [...files.paths].some((path) => path.startsWith(`${name}/`))) ?? 'test'
  const isOpen = (path: string) => files.paths.has(path) && protectionsOf(`/${path}`, 'write', '/-').length === 0
  const checked = [...checkInputs(checksOf(stacks))].filter(isOpen)
  const registries = await findRegistries(io, root, stacks)
  const plan: InitPlan = { job, file, stacks, tests, checked, registries, platform, program }
  const pipeline = pipelineOf(plan)
  for (const { path, content } of [{ path: file, content: initPolicy(plan) }, ...pipeline]) {
    const isNew = create(join(root, path), content)
    io.print(encodeUntrusted(`${isNew ? 'written' : 'already there, not changed'}: ${path}`))
  }
  const top = findRepository(root)?.top
  io.print(encodeUntrusted(nextSteps(plan, pipeline[0]?.path, top === root ? undefined : top)))
  return 0
}

/** The file of the job in CI; none where `init` knows no form for it. */
function pipelineOf(plan: InitPlan): readonly { readonly path: string; readonly content: string }[] {
  const { job, platform } = plan
  const name = `kode-run${job.name === 'fix' ? '' : `-${job.name}`}`
  if (platform === 'github') return [{ path: `.github/workflows/${name}.yml`, content: initGitHub(plan) }]
  if (platform === 'gitlab') return [{ path: `.kode/${job.name}.gitlab-ci.yml`, content: initGitLab(plan) }]
  return []
}

function jobOf(name: string | undefined): InitJob {
  const [first] = initJobs
  const job = name === undefined ? first : initJobs.find((each) => each.name === name)
  if (job !== undefined) return job
  const names = initJobs.map((each) => each.name).join(', ')
  throw new RunError('usage', `init: there is no job ${JSON.stringify(name)}; choose from ${names}`)
}

/** False if the file already exists. */
function create(file: string, text: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST' && syscall === 'open') return false
    throw new RunError('cannot_create', `init: ${messageOf(cause)}`, { cause })
  }
}

/** `top`: the top of the repository, if the project is below it. */
function nextSteps(plan: InitPlan, pipeline: string | undefined, top: string | undefined): string {
  const { job, file, stacks, platform, registries } = plan
  const found = stacks.map(({ name, members }) => (members?.length ? `${name} with ${members.join(', ')}` : name))
  const tests = checksOf(stacks)
  const isChecked =
    tests.length === 0
      ? '; no test command: name one under checks.commands'
      : `; tests with ${tests.map((command) => `\`${command}\``).join(', ')}`
  const { hosts, unknown } = registries
  const network = [
    hosts.length > 0 && `\nCommands may reach: ${hosts.join(', ')}`,
    unknown.length > 0 &&
      `\nNo registry of ${unknown.join(', ')} is known here: name the hosts under sandbox.allow, or commands install nothing.`,
  ].filter((line) => line !== false)
  return `Found: ${found.join('; ') || 'no known build'}${job.mayEdit ? isChecked : ''}.${job.mayRun ? network.join('') : ''}
Review ${pipeline === undefined ? 'the file and commit it' : 'both files and commit them'}: the agent may not, so \`git add -A\` is refused until then.
First run, on this machine: ANTHROPIC_API_KEY=... kode-run --policy ${file} ${JSON.stringify(job.firstPrompt)}
For runs in CI: ${pipeline !== undefined && top !== undefined ? atTop(top) : IN_CI[platform].replace('PIPELINE', pipeline ?? '')}.`
}

function atTop(top: string): string {
  return `its files count only at the top of the repository, so run kode-run init in ${top}`
}

const SECRET = 'store the key as the secret variable ANTHROPIC_API_KEY'

/** What is left to do there, with the file of the job as `PIPELINE`. */
const IN_CI: Readonly<Record<Platform, string>> = {
  github: 'store the key as the secret ANTHROPIC_API_KEY',
  gitlab: 'add `include: [{ local: PIPELINE }]` to .gitlab-ci.yml, and store the key as the variable ANTHROPIC_API_KEY',
  azure: `start from examples/azure/azure-pipelines.yml of kode-run, and ${SECRET}`,
  jenkins: 'start from examples/jenkins/Jenkinsfile of kode-run, and store the key as a credential',
  bitbucket: `call kode-run in a step of bitbucket-pipelines.yml, and ${SECRET}`,
}
