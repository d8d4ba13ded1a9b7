import { randomBytes } from 'node:crypto'

const PATTERN = /^\.[\w-]{12}\.kode-run\.tmp$/

/** A name for a file that takes the place of another when it is complete; nobody can guess it. */
export function temporaryName(): string {
  return `.${randomBytes(9).toString('base64url')}.kode-run.tmp`
}

/** True for such a name: where no run writes any more, the file was left by one that was killed. */
export function isTemporaryName(name: string): boolean {
  return PATTERN.test(name)
}
