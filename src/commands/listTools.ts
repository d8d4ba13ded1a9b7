import { join } from 'node:path'
import { loadSkills } from '../context/loadSkills.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { createFileAccess } from '../files/createFileAccess.ts'
import { toToolSpec } from '../model/toolSpec.ts'
import type { Policy } from '../policy/Policy.ts'
import { childPath, findProgram } from '../sandbox/environment/childPath.ts'
import { findTool, isDeferred, type PoolFacts, type Tool } from '../Tool.ts'
import { assembleToolPool, checkToolNames, getAllBaseTools } from '../tools.ts'
import { loadCommandPolicy } from './policy/loadCommandPolicy.ts'
import type { CommandLine } from './runCommandLine.ts'

/** `kode-run tools`: lists the tools that a policy offers, without starting a server; `--json` adds their schemas. */
export async function listTools(io: ProcessIo, { flags }: CommandLine): Promise<number> {
  const policy = await loadCommandPolicy(io, flags)
  const only = flags['tools'] as string[] | undefined
  // Names of servers' tools are known only where the servers run.
  checkToolNames(only?.filter((name) => !name.startsWith('mcp__')) ?? [], getAllBaseTools())
  const pool = assembleToolPool({
    policy,
    only,
    isBare: flags['bare'] === true,
    searchEndpoint: policy.settings.run.searchEndpoint,
    facts: await factsOf(policy, io),
  })
  const options = { tools: pool, cwd: policy.cwd }
  const isOnDemand = (tool: Tool) => isDeferred(tool) && findTool(pool, 'ToolSearch') !== undefined
  if (flags['json'] === true) {
    const specs = pool.map(async (tool) => {
      return { ...(await toToolSpec(tool, options)), aliases: tool.aliases, deferred: isOnDemand(tool) }
    })
    io.print(`${JSON.stringify(await Promise.all(specs), null, 2)}\n`)
    return 0
  }
  for (const tool of pool) {
    const [line = ''] = (await tool.description(options)).split('\n')
    io.print(`${tool.name.padEnd(24)} ${isOnDemand(tool) ? '(on demand) ' : ''}${line}\n`)
  }
  return 0
}

/** What a run under this policy would have. */
async function factsOf({ cwd, settings }: Policy, io: ProcessIo): Promise<Omit<PoolFacts, 'tools'>> {
  const { skills } = await loadSkills([
    { folder: join(cwd, '.claude'), files: createFileAccess({ roots: [cwd], forbidden: [] }), prefix: '' },
  ])
  const path = childPath(io.environment['PATH'], cwd)
  return {
    hasMemory: settings.memory !== undefined,
    hasSkills: skills.length > 0,
    hasOutputs: Object.keys(settings.outputs).length > 0,
    hasServers: settings.projectMcp || Object.keys(settings.mcpServers).length > 0,
    hasProgram: (name) => findProgram(name, path) !== undefined,
  }
}
