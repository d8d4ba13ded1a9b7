import { expect } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import { type LoadPolicyOptions, loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import type { Policy } from '../../../src/policy/Policy.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

export function load(cwd: string, options: Partial<LoadPolicyOptions> = {}): Promise<Policy> {
  return loadPolicy({ file: 'policy.yml', cwd, home: '/home/user', ...options })
}

/** The lines of the error that loading must end with. */
export async function faultsOf(cwd: string, options: Partial<LoadPolicyOptions> = {}): Promise<readonly string[]> {
  const error = await load(cwd, options).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RunError)
  expect((error as RunError).reason).toBe('config')
  return (error as RunError).message.split('\n')
}

export const faultsIn = (text: string | Uint8Array) => faultsOf(makeFiles({ 'policy.yml': text }))
