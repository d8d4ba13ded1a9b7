import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { main } from '../../../src/entry/main.ts'
import { isWithin } from '../../../src/lib/fs/isWithin.ts'
import { isAll } from '../sampled.ts'
import { openTestIo } from '../testIo.ts'

type Place = { readonly cwd: string; readonly env?: Readonly<Record<string, string>> }

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Any command of kode-run with nothing on stdin: where all tests run the built one, otherwise the source in this process. */
export function kodeRun(argv: readonly string[], place: Place): Promise<Ended> {
  return isAll ? runBuilt(argv, place) : runInside(argv, place)
}

/**
 * The machine's PATH, without the home of whoever runs the tests: a version manager writes there at any time, and a run
 * without a sandbox ends with what changed on its PATH.
 */
export const stablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !isWithin(folder, homedir()) || existsSync(join(folder, 'node')))
  .join(delimiter)

function environment({ cwd, env }: Place): Record<string, string> {
  return { PATH: stablePath, HOME: cwd, ...env }
}

async function runBuilt(argv: readonly string[], place: Place): Promise<Ended> {
  const cli = join(import.meta.dirname, '../../../dist/cli.js')
  const child = spawn(process.execPath, [cli, ...argv], {
    ...{ cwd: place.cwd, env: environment(place), stdio: ['ignore', 'pipe', 'pipe'] },
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

/** The same from the source in this process, always. */
export async function runInside(argv: readonly string[], place: Place): Promise<Ended> {
  const env = environment(place)
  const { io, said } = openTestIo(argv, { environment: env, cwd: place.cwd, home: env['HOME'] ?? place.cwd })
  const code = await main(io)
  return { code, ...said }
}
