import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { NamedPlugin, Plugin, PluginFile, Plugins } from '../contracts/plugins.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { ownedFolder } from '../lib/fs/ownedFolder.ts'
import { isObject } from '../lib/isObject.ts'
import { orElse } from '../lib/orElse.ts'
import { visibleName } from '../lib/text/visibleName.ts'
import { hashOf, type PluginTree, pluginFault, pluginFiles } from './pluginFiles.ts'

export type PluginPlace = {
  /** What commands of a run may change. A plugin in there is the project's, whoever names it. */
  readonly checkout: readonly string[]
  /** Where a path of the checkout is read: in the snapshot that replaces it, if there is one. */
  at(path: string): string
}

const MANIFEST = join('.claude-plugin', 'plugin.json')
/** Says something about a plugin, and changes nothing. */
const ABOUT =
  'name version description author homepage repository license keywords $schema displayName category tags defaultEnabled'
const PARTS = ['commands', 'agents', 'skills', 'hooks', 'mcpServers']
/** Parts of Claude Code's layout that have no meaning here. */
const FOREIGN =
  'output-styles .lsp.json monitors themes workflows bin settings.json SKILL.md .claude-plugin/marketplace.json'

export function namedPlugins(ofPolicy: readonly NamedPlugin[], directories: readonly string[]): readonly NamedPlugin[] {
  return [...ofPolicy.map((each) => ({ ...each, isPolicy: true })), ...directories.map((path) => ({ path }))]
}

/**
 * Reads the plugins that policy and flags name, each once, and copies them to a folder of this run: what was hashed is
 * what runs. Throws `RunError('config')` for a folder that is no plugin, a link in it, or another hash than the pinned
 * one. Nothing is started. Layout: https://code.claude.com/docs/en/plugins-reference.
 */
export function openPlugins(named: readonly NamedPlugin[], place: PluginPlace): Plugins {
  const folder = ownedFolder(tmpdir(), 'kode-run-plugins-')
  const close = () => rmSync(folder, { recursive: true, force: true })
  try {
    const list: Plugin[] = []
    const warnings: string[] = []
    for (const path of new Set(named.map((each) => each.path))) {
      const pins = named.filter((each) => each.path === path)
      const { plugin, unused } = readOrFault(path, pins, { ...place, folder })
      list.push(plugin)
      const isOpen = !plugin.isFromProject && pins.some(({ isPolicy }) => isPolicy) && pins.every((pin) => !pin.sha256)
      if (isOpen)
        warnings.push(`The plugin ${plugin.name} is not pinned: write \`sha256: ${plugin.sha256}\` beside its path.`)
      if (unused.length > 0)
        warnings.push(`The plugin ${plugin.name} has parts that are not used here: ${unused.join(', ')}.`)
    }
    const sources = list.flatMap(({ path, source }) => [path, source])
    const protectedPaths = [...new Set([folder, ...sources])]
    // A name of the plugin could end a line of the log, and begin the next one as a command to the runner.
    return { list, folder, protectedPaths, warnings: warnings.map(visibleName), close }
  } catch (error) {
    close()
    throw error
  }
}

type Opening = PluginPlace & { readonly folder: string }

/** A folder where a file should be, say, is a fault of the plugin too. */
function readOrFault(path: string, pins: readonly NamedPlugin[], opening: Opening) {
  try {
    return readPlugin(path, pins, opening)
  } catch (error) {
    throw error instanceof RunError ? error : pluginFault(path, `cannot be used: ${messageOf(error)}`)
  }
}

function readPlugin(path: string, pins: readonly NamedPlugin[], { checkout, at, folder }: Opening) {
  const roots = checkout.flatMap((root) => [root, realPath(root) ?? root])
  const { source, isFromProject } = findSource(path, roots)
  if (!isFromProject && roots.some((root) => isWithin(root, source)))
    throw pluginFault(path, 'contains the checkout, so a part of it is not trusted; name a folder beside it')
  const place = isFromProject ? at(source) : source
  if (isFromProject && existsSync(place) && realpathSync(place) !== place)
    throw pluginFault(path, 'is reached by a link of the checkout, which may lead anywhere; name the folder itself')
  if (!existsSync(place)) throw pluginFault(path, 'does not exist: name the folder that holds it')
  const files = pluginFiles(place, path)
  const sha256 = hashOf(files)
  for (const pin of pins) {
    if (pin.sha256 !== undefined && pin.sha256 !== sha256)
      throw pluginFault(
        path,
        `has the sha256 ${sha256}, but the policy pins ${pin.sha256}. Look at what changed before you pin it anew`,
      )
  }
  const manifest = readManifest(files, path)
  const { name, version } = nameOf(manifest, path)
  const root = join(folder, name)
  if (existsSync(root)) throw pluginFault(path, `has the name ${name}, as another plugin has`)
  for (const [file, { bytes, isExecutable }] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), bytes, { mode: isExecutable ? 0o555 : 0o444 })
  }
  const unused = [
    ...FOREIGN.split(' ').filter((part) => [...files.keys()].some((file) => isWithin(file, part))),
    ...Object.keys(manifest).filter((key) => ![...ABOUT.split(' '), ...PARTS].includes(key)),
    ...['commands', 'agents', 'skills'].filter((part) => !addPaths(manifest[part], { part, root, path })),
  ]
  const asFile = (given: { readonly label: string; readonly value: unknown }, key: string): PluginFile => {
    const inner = isObject(given.value) && isObject(given.value[key]) ? given.value[key] : given.value
    const text = JSON.stringify({ [key]: inner }).replaceAll(ROOT, () => JSON.stringify(root).slice(1, -1))
    return { label: `plugin ${name}, ${given.label}`, text }
  }
  const read = (part: string, usual: string, key: string) =>
    configsOf(manifest[part], { part, usual, root, path }).map((given) => asFile(given, key))
  const plugin: Plugin = {
    ...{ name, path, source, root, sha256, isFromProject },
    ...(version === undefined ? {} : { version }),
    hooks: read('hooks', join('hooks', 'hooks.json'), 'hooks'),
    servers: read('mcpServers', '.mcp.json', 'mcpServers'),
  }
  return { plugin, unused: [...new Set(unused)] }
}

/** Both forms that a shell knows; a program also gets the variable. */
const ROOT = /\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g

/**
 * The folder of a plugin, and whether the checkout decides what is in it. A path leads into the checkout where its first
 * part does, by whatever links: what comes after that, the checkout may choose.
 */
function findSource(path: string, checkout: readonly string[]): { source: string; isFromProject: boolean } {
  const parts = path.split('/')
  for (let count = 2; count <= parts.length; count++) {
    const start = realPath(parts.slice(0, count).join('/'))
    if (start !== undefined && checkout.some((root) => isWithin(start, root)))
      return { source: join(start, ...parts.slice(count)), isFromProject: true }
  }
  return { source: realPath(path) ?? path, isFromProject: false }
}

function realPath(path: string): string | undefined {
  return orElse(undefined, () => realpathSync(path))
}

type Manifest = Readonly<Record<string, unknown>>

function readManifest(files: PluginTree, path: string): Manifest {
  const file = files.get(MANIFEST)
  if (file === undefined) {
    if ([...files.keys()].some((name) => /^(?:commands|agents|skills|hooks)\/|^\.mcp\.json$/.test(name))) return {}
    const isMarket = files.has(join('.claude-plugin', 'marketplace.json'))
    throw pluginFault(
      path,
      isMarket ? 'is a marketplace: name the folder of one of its plugins' : `is no plugin: it has no ${MANIFEST}`,
    )
  }
  return parseJson(file.bytes.toString('utf8'), MANIFEST, path)
}

function parseJson(text: string, file: string, path: string): Manifest {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    throw pluginFault(path, `has a ${file} that is not JSON: ${messageOf(error)}`)
  }
  throw pluginFault(path, `has a ${file} that is no object`)
}

function nameOf(manifest: Manifest, path: string): { name: string; version: string | undefined } {
  const { name = basename(path), version } = manifest
  if (typeof name !== 'string' || !/^[A-Za-z0-9][\w-]{0,63}$/.test(name))
    throw pluginFault(path, `has the name ${JSON.stringify(name)}: a name has at most 64 letters, digits, - and _`)
  return { name, version: typeof version === 'string' ? version : undefined }
}

type Part = { readonly part: string; readonly root: string; readonly path: string }

/** Further folders and files that the manifest names join the usual folder, in the copy. False: they are of no known form. */
function addPaths(given: unknown, { part, root, path }: Part): boolean {
  const paths = [given ?? []].flat()
  if (!paths.every((each) => typeof each === 'string')) return false
  for (const each of paths) {
    const from = inside(each, { part, root, path })
    const isOne = part === 'skills' ? existsSync(join(from, 'SKILL.md')) : from.endsWith('.md')
    const to = isOne ? join(root, part, basename(from)) : join(root, part)
    if (!isWithin(from, join(root, part))) cpSync(from, to, { recursive: true, force: false })
  }
  return true
}

/** Hooks or servers: the usual file, and what the manifest has itself or names. */
function configsOf(given: unknown, { usual, ...part }: Part & { readonly usual: string }) {
  const usualFile = join(part.root, usual)
  const named = [given ?? []].flat()
  const files = named.filter((each) => typeof each === 'string').map((each) => inside(each, part))
  const all = [...new Set([...(existsSync(usualFile) ? [usualFile] : []), ...files])]
  return [
    ...all.map((file) => {
      const label = file.slice(part.root.length + 1)
      return { label, value: parseJson(readFileSync(file, 'utf8'), label, part.path) }
    }),
    ...named.flatMap((each) => (isObject(each) ? [{ label: MANIFEST, value: each }] : [])),
  ]
}

function inside(name: string, { part, root, path }: Part): string {
  const found = resolve(root, name)
  if (found === root || !isWithin(found, root) || !existsSync(found))
    throw pluginFault(path, `names ${JSON.stringify(name)} under ${part}, which is not in it`)
  return found
}
