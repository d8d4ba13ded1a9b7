import type { ProcessIo } from '../../contracts/processIo.ts'
import { runCommand } from '../../lib/process/runCommand.ts'
import type { ProjectFiles } from './ProjectFiles.ts'

/** Where jobs of the project run. `init` writes those of GitHub and GitLab; for the others it names what to start from. */
export type Platform = 'github' | 'gitlab' | 'azure' | 'bitbucket' | 'jenkins'

const CI_FILES: readonly (readonly [RegExp, Platform])[] = [
  [/^\.gitlab-ci\.ya?ml$/, 'gitlab'],
  [/^\.github\/workflows\//, 'github'],
  [/^Jenkinsfile$/, 'jenkins'],
  [/^azure-pipelines\.ya?ml$/, 'azure'],
  [/^bitbucket-pipelines\.yml$/, 'bitbucket'],
]

const MAX_MS = 10_000

/** By the CI files that are there, else by the host of `origin`; GitHub if neither says anything. */
export async function findPlatform(io: ProcessIo, root: string, { paths }: ProjectFiles): Promise<Platform> {
  const [, found] = CI_FILES.find(([file]) => [...paths].some((path) => file.test(path))) ?? []
  if (found !== undefined) return found
  const host = hostOf(await originOf(io, root))
  if (host.includes('gitlab')) return 'gitlab'
  if (host.includes('bitbucket')) return 'bitbucket'
  return /(?:^|\.)(?:azure|visualstudio)\.com$/.test(host) ? 'azure' : 'github'
}

async function originOf(io: ProcessIo, root: string): Promise<string> {
  const { exitCode, stdout } = await runCommand({
    ...{ file: 'git', args: ['remote', 'get-url', 'origin'], cwd: root, timeoutMs: MAX_MS },
    env: { PATH: io.environment['PATH'] ?? '', HOME: io.home },
    signal: new AbortController().signal,
  })
  return exitCode === 0 ? stdout.text.trim() : ''
}

/** The host of `https://host/path`, `ssh://user@host:22/path` or `user@host:path`. */
function hostOf(address: string): string {
  return /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^:/]+)[:/]/.exec(address)?.[1]?.toLowerCase() ?? ''
}
