/** What git and agents write beside their work: who commits, and what a branch follows. */
const PASSING = /^(?:\[(?:user|branch "[^"]*")\]|(?:name|email|remote|merge|rebase|pushRemote)\s*=.*|)$/i

/**
 * True where two states of git's configuration differ in nothing but who commits and what branches follow. Such a change
 * holds for the command and is dropped afterwards: configuration is never taken over without a rule.
 */
export function isPassingConfig(before: string, now: string): boolean {
  const [old, young] = [linesOf(before), linesOf(now)]
  return [...old.filter((line) => !young.includes(line)), ...young.filter((line) => !old.includes(line))].every(
    (line) => PASSING.test(line),
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim())
}
