/** How a check failed, to follow "failed": its exit code, or a success that its output contradicts. */
export function checkFailure(exitCode: number | null): string {
  if (exitCode === null) return 'with no exit code'
  return exitCode === 0 ? 'although its exit code is 0' : `with exit code ${exitCode}`
}
