/** A note that a CI system shows at a line of code, or for the whole run if it names none. Paths start at the project root. */
export type Annotation = {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
  readonly file?: string
  readonly line?: number
  readonly endLine?: number
}
