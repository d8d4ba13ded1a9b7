import { readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RunError } from '../contracts/errors.ts'
import { OWNER, shortLivedFolder } from '../lib/fs/ownedFolder.ts'
import { secretsFromEnvironment } from '../lib/secrets/secretsFromEnvironment.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Names the file in which a process leaves its environment for its successor. */
export const HANDOVER_VARIABLE = 'KODE_RUN_HANDOVER'

/**
 * Leaves the environment in a file that only this user can read. Returns the environment that a successor may show in
 * `/proc`: without inputs, the runner's service tokens, and anything that is or looks like a secret.
 */
export function writeHandover(environment: Environment): Record<string, string> {
  const file = join(shortLivedFolder('kode-run-handover-'), 'environment')
  writeFileSync(file, JSON.stringify(environment), { mode: 0o600, flag: 'wx' })
  return { ...withoutSecrets(environment), [HANDOVER_VARIABLE]: file }
}

/** Reads the environment that was left, and deletes the file: only one of ours, as its name comes from outside. */
export function readHandover(file: string): Record<string, string> {
  if (!/\/kode-run-handover-\w+\/environment$/.test(file))
    throw new RunError('internal', `${file}: no handover of ours`)
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  rmSync(join(dirname(file), OWNER), { force: true })
  rmdirSync(dirname(file))
  return JSON.parse(text) as Record<string, string>
}

/** What the environment of a process visible to others may contain. */
export function withoutSecrets(environment: Environment): Record<string, string> {
  const secrets = secretsFromEnvironment(environment, secretNames(environment))
  const kept = Object.entries(environment).filter(
    ([name, value]) =>
      value !== undefined &&
      !/^(?:INPUT_|ACTIONS_|STATE_)/.test(name) &&
      !secrets.some((secret) => name === secret.name || (secret.value.length >= 8 && value.includes(secret.value))),
  )
  return Object.fromEntries(kept) as Record<string, string>
}

/** Inputs and the runner's tokens whose names do not look secret. */
function secretNames(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => /^(?:INPUT_.*(?:KEY|TOKEN)|ACTIONS_.*TOKEN)$/i.test(name))
}
