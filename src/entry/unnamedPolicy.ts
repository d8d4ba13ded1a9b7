import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Policy } from '../policy/Policy.ts'

/** Where `kode-run init` writes it. */
const USUAL = '.kode/policy.yml'

/** One line where a run has no policy although the project has one. It is only told of: a checkout does not choose its policy. */
export function unnamedPolicy({ files, cwd }: Pick<Policy, 'files' | 'cwd'>): readonly string[] {
  if (files.length > 0 || !existsSync(join(cwd, USUAL))) return []
  return [`${USUAL} is there, but no policy is named, so this run only reads. --policy ${USUAL} uses it.`]
}
