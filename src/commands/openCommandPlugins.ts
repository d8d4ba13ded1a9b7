import { namedPlugins, openPlugins } from '../context/openPlugins.ts'
import type { Plugins } from '../contracts/plugins.ts'
import { findRepository } from '../git/own/ownGit.ts'
import type { Policy } from '../policy/Policy.ts'

/** The plugins of a policy and of `--plugin-dir`, for a sub-command. Throws for one that would not start a run. */
export async function openCommandPlugins(
  { settings, cwd }: Policy,
  directories: readonly string[] = [],
): Promise<Plugins> {
  const top = findRepository(cwd)?.top ?? cwd
  const checkout = [cwd, top, ...settings.additionalDirectories]
  return openPlugins(namedPlugins(settings.plugins, directories), { checkout, at: (path) => path })
}
