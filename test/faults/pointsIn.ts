/** Each system call of a trace as `name:number`: strace counts each name on its own. */
export function pointsIn(trace: string): string[] {
  const counts = new Map<string, number>()
  return trace.split('\n').flatMap((line) => {
    const name = /^([a-z]\w*)\(/.exec(line)?.[1]
    if (name === undefined) return []
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return [`${name}:${counts.get(name)}`]
  })
}
