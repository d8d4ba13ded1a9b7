import { atSnapshot } from '../../config/atSnapshot.ts'
import { namedPlugins, openPlugins } from '../../context/openPlugins.ts'
import type { InitEvent } from '../../contracts/events.ts'
import type { Plugin, Plugins } from '../../contracts/plugins.ts'
import type { HookTable } from '../../contracts/settings.ts'
import { findRepository } from '../../git/own/ownGit.ts'
import { parseHooks } from '../../policy/load/loadProjectHooks.ts'
import { parseYaml } from '../../policy/load/parseYaml.ts'
import { joinHooks } from '../hooksOf.ts'
import { type RunRequest, workspacesOf } from '../RunRequest.ts'

/** The plugins of a run, and those of their hooks that may run. */
export type OpenedPlugins = Plugins & {
  readonly hooks: HookTable
  readonly projectHooks: HookTable
}

const LETS_HOOKS = '`projectHooks: true` in the policy lets them.'

type Before = NonNullable<InitEvent['plugins']>

/**
 * Opens the plugins that policy and flags name. What a plugin of the checkout may do, the policy says, as for the
 * checkout's own hooks and servers; what a plugin elsewhere may do, who named it has decided. `before`: those of the run
 * that is continued.
 */
export async function loadPlugins(request: RunRequest, before: Before): Promise<OpenedPlugins> {
  const { policy, config, configRoot, configTop = config.cwd } = request
  const { plugins, projectHooks } = policy.settings
  const snapshot = configRoot === undefined ? undefined : { cwd: config.cwd, root: configRoot, top: configTop }
  const top = findRepository(config.cwd)?.top
  const checkout = [...workspacesOf(request), request.configTop, top].filter((path) => path !== undefined)
  const opened = openPlugins(namedPlugins(plugins, config.pluginDirs), {
    checkout,
    at: (path) => atSnapshot(path, snapshot),
  })
  try {
    const own = hooksOf(opened.list.filter(({ isFromProject }) => !isFromProject))
    const project = hooksOf(opened.list.filter(({ isFromProject }) => isFromProject && projectHooks))
    const warnings = [
      ...opened.warnings,
      ...own.warnings,
      ...project.warnings,
      ...opened.list
        .filter(({ isFromProject, hooks }) => hooks.length > 0 && isFromProject && !projectHooks)
        .map(({ name }) => `The plugin ${name} lies in the checkout, so its hooks do not run; ${LETS_HOOKS}`),
      ...changes(before, opened.list),
    ]
    return { ...opened, hooks: own.table, projectHooks: project.table, warnings }
  } catch (error) {
    opened.close()
    throw error
  }
}

/** Hooks with the folder of their plugin, which their programs get as a variable. */
function hooksOf(plugins: readonly Plugin[]) {
  const warnings: string[] = []
  let table: HookTable = {}
  for (const { root, hooks } of plugins) {
    for (const { label, text } of hooks) {
      const read = parseHooks(parseYaml(text), label)
      warnings.push(...read.warnings)
      const placed = Object.entries(read.table).map(([event, groups]) => {
        const ofPlugin = groups.map((group) => ({
          ...group,
          hooks: group.hooks.map((hook) => (hook.type === 'command' ? { ...hook, pluginRoot: root } : hook)),
        }))
        return [event, ofPlugin] as const
      })
      table = joinHooks(table, Object.fromEntries(placed))
    }
  }
  return { table, warnings }
}

/** How the plugins differ from those of the run that is continued. */
function changes(before: Before, now: readonly Plugin[]): readonly string[] {
  const gone = before.filter(({ name }) => now.every((plugin) => plugin.name !== name))
  return [
    ...gone.map(({ name }) => `The plugin ${name} of the continued run is not loaded now.`),
    ...now.flatMap(({ name, sha256 }) => {
      const old = before.find((plugin) => plugin.name === name)
      if (old === undefined || old.sha256 === sha256) return []
      const [was = '', is] = [old.sha256, sha256].map((hash) => hash?.slice(0, 12))
      return [`The plugin ${name} has changed since the continued run: sha256 ${was}…, now ${is}…`]
    }),
  ]
}
