const FLAGS = /^(?: *-(?:O\w?|g\d?|W[a-z][\w-]*(?:=[\w-]+)?|std=[\w+]+|D\w+(?:=\w+)?|fsanitize=[\w,]+|fPIC))* *$/

/** True for compiler flags that only say how to translate; build tools hand such a text to a shell. */
export function isTranslating(flags: string): boolean {
  return FLAGS.test(flags)
}
