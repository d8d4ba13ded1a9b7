/** How a check failed, after "failed": by its exit code, or in spite of it, as its output tells. */
export function checkFailure(exitCode: number | null): string {
  if (exitCode === null) return 'with no exit code'
  return exitCode === 0 ? 'although its exit code is 0' : `with exit code ${exitCode}`
}
