import { posix } from 'node:path'
import type { Annotation } from '../contracts/annotation.ts'

/** What a step shows and outputs, through the runner's commands and files. */
export type GitHubSurface = Awaited<ReturnType<typeof openGitHubSurface>>

const SHORTEST_MASK = 8

/**
 * The surface of this step through `@actions/core`, which writes to stdout and to the runner's files. `prefix` is the
 * path from the repository to the project root, for annotations.
 */
export async function openGitHubSurface(prefix: string) {
  const core = await import('@actions/core')
  const masked = new Set<string>()
  return {
    /** Masks the values, and each of their lines, in all later logs of the job. */
    mask(values: readonly string[]): void {
      for (const part of values.flatMap(partsOf)) {
        if (!masked.has(part)) core.setSecret(part)
        masked.add(part)
      }
    },
    annotate({ level, message, title, file, line, endLine }: Annotation): void {
      core[level](message, {
        title,
        ...(file === undefined ? {} : { file: posix.join(prefix, file) }),
        ...(line === undefined ? {} : { startLine: line }),
        ...(endLine === undefined ? {} : { endLine }),
      })
    },
    /** An output for later steps. Values are separated by a random delimiter. */
    setOutput: (name: string, value: string): void => core.setOutput(name, value),
    /** For `post`. */
    saveState: (name: string, value: string): void => core.saveState(name, value),
  }
}

/** The parts to mask. The runner masks only whole values, but prints a key of several lines line by line. */
function partsOf(value: string): string[] {
  const lines = value.split(/\r\n?|\n/).map((line) => line.trim())
  return [value.trim(), ...lines].filter((part) => part.length >= SHORTEST_MASK)
}
