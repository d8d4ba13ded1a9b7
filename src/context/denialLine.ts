const LONGEST_INPUT = 200

/** One line on a denied call: the request, and why it was denied. */
export function denialLine(tool: string, input: unknown, reason: string): string {
  return `${tool} ${JSON.stringify(input).slice(0, LONGEST_INPUT).toWellFormed()}: ${reason}`
}
