import { join, relative, resolve } from 'node:path'
import { isWithin } from '../lib/fs/isWithin.ts'
import { isJson } from '../lib/text/json.ts'
import type { Config } from './resolveConfig.ts'

/** A snapshot that replaces those files of the checkout that steer a run. */
export type SnapshotPlace = {
  /** The project root in the checkout, and the snapshot that replaces it. */
  readonly cwd: string
  readonly root: string
  /** The top folder of the repository, which may be above the project. */
  readonly top: string
}

/** The path to read a steering file from: in the snapshot if it belongs to the repository, otherwise unchanged. */
export function atSnapshot(path: string, place: SnapshotPlace | undefined): string {
  return place !== undefined && isWithin(path, place.top) ? join(place.root, relative(place.cwd, path)) : path
}

/** The configuration with all files of the repository taken from the snapshot. */
export function withSnapshot(config: Config, place: SnapshotPlace): Config {
  const at = (path: string) => atSnapshot(path, place)
  const textFile = (source: Config['systemPrompt']) =>
    source !== undefined && 'file' in source ? { file: at(source.file) } : source
  const placed = (value: string) => (isJson(value) ? value : at(resolve(config.cwd, value)))
  const unlessJson = (value: string | undefined) => (value === undefined ? undefined : placed(value))
  return Object.freeze({
    ...config,
    mcpConfigs: config.mcpConfigs.map(placed),
    systemPrompt: textFile(config.systemPrompt),
    appendSystemPrompt: textFile(config.appendSystemPrompt),
    jsonSchema: unlessJson(config.jsonSchema),
    agents: unlessJson(config.agents),
  })
}
