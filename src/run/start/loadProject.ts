import type { Config } from '../../config/resolveConfig.ts'
import { listCommands } from '../../context/listCommands.ts'
import { loadAgents } from '../../context/loadAgents.ts'
import { loadInstructions } from '../../context/loadInstructions.ts'
import { loadSkills } from '../../context/loadSkills.ts'
import type { DefinitionFolder } from '../../context/readDefinition.ts'
import type { FileAccess } from '../../contracts/files.ts'
import { readInputFile } from '../../lib/fs/readInputFile.ts'
import type { Policy } from '../../policy/Policy.ts'

/** Instructions, agents and skills from the checkout and the policy. */
export type Project = Awaited<ReturnType<typeof loadProject>>

/** Loads AGENTS.md below `root`, and sub-agents, skills and commands of `folders`. An unusable file is a warning. */
export async function loadProject(
  { config, policy }: { readonly config: Config; readonly policy: Policy },
  root: string,
  files: FileAccess,
  folders: readonly DefinitionFolder[],
) {
  const flag = await agentsFlag(config.agents)
  const [instructions, agents, skills, commands] = await Promise.all([
    loadInstructions(root, files),
    loadAgents({ folders, policy: policy.settings.agents, flag }),
    loadSkills(folders),
    listCommands(folders),
  ])
  return {
    /** AGENTS.md and CLAUDE.md, fenced; empty without them. */
    instructions: instructions.text,
    agents: agents.agents,
    skills: skills.skills,
    /** What a prompt `/name` may call. */
    commands,
    warnings: [...instructions.warnings, ...agents.warnings, ...skills.warnings],
  }
}

/** `--agents` is JSON, or the path of a file that holds it. */
async function agentsFlag(value: string | undefined): Promise<string | undefined> {
  if (value === undefined || value.trimStart().startsWith('{')) return value
  return readInputFile(value, { label: '--agents', reason: 'bad_input', maxBytes: 1_000_000 })
}
