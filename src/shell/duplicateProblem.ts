/** Why `>&word` is not a plain copy of a descriptor: `2>&-touch ls` runs `touch`. */
export function duplicateProblem(target: string): string | undefined {
  return /^(?:\d{1,3}|-)$/.test(target) ? undefined : `\`&${target}\` is not a descriptor number`
}
