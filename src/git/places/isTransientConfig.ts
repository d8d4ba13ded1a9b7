/** What git and agents write as a side effect: the committer, and what a branch tracks. */
const TRANSIENT = /^(?:\[(?:user|branch "[^"]*")\]|(?:name|email|remote|merge|rebase|pushRemote)\s*=.*|)$/i

/**
 * True if two states of git's configuration differ only in the committer and in tracked branches. Such a change lasts
 * for the command and is dropped afterwards: configuration is never taken over without a rule.
 */
export function isTransientConfig(before: string, now: string): boolean {
  const [old, young] = [linesOf(before), linesOf(now)]
  return [...old.filter((line) => !young.includes(line)), ...young.filter((line) => !old.includes(line))].every(
    (line) => TRANSIENT.test(line),
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim())
}
