import { join, relative, resolve } from 'node:path'
import { isWithin } from '../lib/fs/isWithin.ts'
import { isJson } from '../lib/text/isJson.ts'
import type { Config } from './resolveConfig.ts'

/** A snapshot that stands in for the files of the checkout where these steer a run. */
export type SnapshotPlace = {
  /** The project root in the checkout, and what stands in for it. */
  readonly cwd: string
  readonly root: string
  /** The top folder of the repository; the project may be a part of it. */
  readonly top: string
}

/** Where a file that steers a run is read: in the snapshot where it is one of the repository's, else where it is. */
export function atSnapshot(path: string, place: SnapshotPlace | undefined): string {
  return place !== undefined && isWithin(path, place.top) ? join(place.root, relative(place.cwd, path)) : path
}

/** The same configuration, with every file of the repository that it names taken from the snapshot. */
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
