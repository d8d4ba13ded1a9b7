import { randomBytes } from 'node:crypto'

const PATTERN = /^\.[\w-]{12}\.kode-run\.tmp$/

/** An unpredictable name for a file that replaces another when it is complete. */
export function temporaryName(): string {
  return `.${randomBytes(9).toString('base64url')}.kode-run.tmp`
}

/** True for such a name: if no run is writing any more, the file was left by a killed run. */
export function isTemporaryName(name: string): boolean {
  return PATTERN.test(name)
}
