import type { TextSource } from '../../config/resolveConfig.ts'
import { readInputFile } from '../../lib/fs/readInputFile.ts'
import type { RunRequest } from '../RunRequest.ts'
import { loadOutputSchema } from './loadOutputSchema.ts'

/** Reads input files of the run: the schema of its output, and texts for the system prompt. */
export async function readInputs({ config }: RunRequest) {
  const { jsonSchema, cwd } = config
  return {
    outputSchema: jsonSchema === undefined ? undefined : await loadOutputSchema(jsonSchema, cwd),
    systemPrompt: await readText(config.systemPrompt, '--system-prompt-file'),
    appendSystemPrompt: await readText(config.appendSystemPrompt, '--append-system-prompt-file'),
  }
}

async function readText(source: TextSource | undefined, label: string): Promise<string | undefined> {
  if (source === undefined || 'text' in source) return source?.text
  return readInputFile(source.file, { label, reason: 'bad_input', maxBytes: 1_000_000 })
}
