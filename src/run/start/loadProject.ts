import { resolve } from 'node:path'
import type { Config, TextSource } from '../../config/resolveConfig.ts'
import { listCommands } from '../../context/listCommands.ts'
import { loadAgents } from '../../context/loadAgents.ts'
import { loadInstructions } from '../../context/loadInstructions.ts'
import { loadSkills } from '../../context/loadSkills.ts'
import type { DefinitionFolder } from '../../context/readDefinition.ts'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { FileAccess } from '../../contracts/files.ts'
import { readInputFile } from '../../lib/fs/readInputFile.ts'
import { isObject } from '../../lib/isObject.ts'
import type { Policy } from '../../policy/Policy.ts'
import type { RunRequest } from '../RunRequest.ts'

/** What the checkout tells the agent, and whom and what it may use. */
export type Project = Omit<Readonly<Awaited<ReturnType<typeof loadProject>>>, 'warnings'>

export type Inputs = Readonly<Awaited<ReturnType<typeof readInputs>>>

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
  return value === undefined || value.trimStart().startsWith('{') ? value : readInput(value, '--agents')
}

function readInput(file: string, label: string): Promise<string> {
  return readInputFile(file, { label, reason: 'bad_input', maxBytes: 1_000_000 })
}

/** Reads input files of the run: the schema of its output, and texts for the system prompt. */
export async function readInputs({ config }: RunRequest) {
  const { jsonSchema, cwd } = config
  return {
    outputSchema: jsonSchema === undefined ? undefined : await loadOutputSchema(jsonSchema, cwd),
    /** Replaces the system prompt of the main loop. */
    systemPrompt: await readText(config.systemPrompt, '--system-prompt-file'),
    appendSystemPrompt: await readText(config.appendSystemPrompt, '--append-system-prompt-file'),
  }
}

async function readText(source: TextSource | undefined, label: string): Promise<string | undefined> {
  if (source === undefined || 'text' in source) return source?.text
  return readInput(source.file, label)
}

/** Loads `--json-schema`: JSON text, or the path of a file. Throws `bad_input` if it is not a JSON Schema. */
async function loadOutputSchema(source: string, cwd: string) {
  const isText = source.trimStart().startsWith('{')
  const text = isText ? source : await readInput(resolve(cwd, source), '--json-schema')
  try {
    const schema: unknown = JSON.parse(text)
    if (!isObject(schema)) throw new Error('it is not a JSON object')
    const { Ajv2020 } = (await import('ajv/dist/2020.js')).default
    const { Ajv } = (await import('ajv')).default
    const isOld = String(schema['$schema']).includes('draft-0')
    const validate = new (isOld ? Ajv : Ajv2020)({ allErrors: true, strict: false }).compile(schema)
    return {
      schema,
      /** What is wrong with a structured output, or null. */
      check(output: unknown): string | null {
        if (output === undefined) return 'give the structured output in `output`.'
        if (validate(output)) return null
        const faults = validate.errors?.slice(0, 8).map((error) => `${error.instancePath || 'output'} ${error.message}`)
        return `the output does not fit the schema: ${faults?.join('; ')}`
      },
    }
  } catch (error) {
    throw new RunError('bad_input', `--json-schema: ${messageOf(error)}`, { cause: error })
  }
}
