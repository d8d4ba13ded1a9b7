import { runCommandLine } from '../../src/commands/runCommandLine.ts'
import { parseArguments } from '../../src/config/parseArguments.ts'
import { type ExitReason, RunError } from '../../src/contracts/errors.ts'
import type { ProcessIo } from '../../src/contracts/processIo.ts'
import { openTestIo } from './testIo.ts'

type Surroundings = {
  readonly environment?: ProcessIo['environment']
  readonly home?: string
  readonly stdin?: string
}

/** A sub-command in a folder, in this process: its exit code and what it printed. */
export async function commandLine(
  cwd: string,
  argv: readonly string[],
  { environment = {}, home = '/home/nobody', stdin = '' }: Surroundings = {},
): Promise<{ readonly code: number; readonly out: string }> {
  const { io, said } = openTestIo(argv, { environment, cwd, home, readStdin: async () => stdin })
  const invocation = parseArguments(argv)
  if (invocation.show !== undefined) throw new Error('help')
  const code = await runCommandLine(io, invocation)
  return { code, out: said.stdout }
}

/** The same where the command may refuse: `code` is then the reason that it ends with. */
export async function tryCommandLine(
  ...given: Parameters<typeof commandLine>
): Promise<{ readonly code: number | ExitReason; readonly out: string }> {
  try {
    return await commandLine(...given)
  } catch (error) {
    if (error instanceof RunError) return { code: error.reason, out: '' }
    throw error
  }
}
