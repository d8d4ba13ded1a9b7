import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import { type LoadPolicyOptions, loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import type { Policy } from '../../../src/policy/Policy.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = makeFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}

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

export const faultsIn = (text: string | Uint8Array) => faultsOf(folderWith({ 'policy.yml': text }))
