import { posix } from 'node:path'
import type { Annotation } from '../contracts/annotation.ts'

/** What a step shows and hands on, through the runner's own commands and files. */
export type GitHubSurface = {
  /** Hides the values, and each line of them, in every log of the job from here on. */
  mask(values: readonly string[]): void
  annotate(annotation: Annotation): void
  /** For later steps. The runner's file parts values by a random delimiter. */
  setOutput(name: string, value: string): void
  /** For `post`. */
  saveState(name: string, value: string): void
}

const SHORTEST_MASK = 8

/**
 * The surface of this step, by `@actions/core`, which writes to stdout and to the files that the environment names. `prefix`
 * leads from the repository's root to the project root: annotations count from there.
 */
export async function openGitHubSurface(prefix: string): Promise<GitHubSurface> {
  const core = await import('@actions/core')
  const masked = new Set<string>()
  return {
    mask(values) {
      for (const part of values.flatMap(partsOf)) {
        if (!masked.has(part)) core.setSecret(part)
        masked.add(part)
      }
    },
    annotate({ level, message, title, file, line, endLine }) {
      core[level](message, {
        title,
        ...(file === undefined ? {} : { file: posix.join(prefix, file) }),
        ...(line === undefined ? {} : { startLine: line }),
        ...(endLine === undefined ? {} : { endLine }),
      })
    },
    setOutput: (name, value) => core.setOutput(name, value),
    saveState: (name, value) => core.saveState(name, value),
  }
}

/** The runner masks what it was told, not parts of it: a key of several lines is printed line by line. */
function partsOf(value: string): string[] {
  const lines = value.split(/\r\n?|\n/).map((line) => line.trim())
  return [value.trim(), ...lines].filter((part) => part.length >= SHORTEST_MASK)
}
