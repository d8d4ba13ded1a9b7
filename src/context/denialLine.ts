const LONGEST_INPUT = 200

/** One line on a denied call: what was asked for, and why not. */
export function denialLine(tool: string, input: unknown, reason: string): string {
  return `${tool} ${JSON.stringify(input).slice(0, LONGEST_INPUT).toWellFormed()}: ${reason}`
}
