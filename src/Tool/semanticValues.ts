import * as z from 'zod'

/** A number that may come as text, as models sometimes write it: `"5000"`. Its JSON Schema is the inner one. */
export function semanticNumber<Inner extends z.ZodType>(inner: Inner) {
  return z.preprocess((value) => {
    const isNumeric = typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)
    return isNumeric ? Number(value) : value
  }, inner)
}

/** A boolean that may come as text: `"true"`, `"False"`. Its JSON Schema is the inner one. */
export function semanticBoolean<Inner extends z.ZodType>(inner: Inner) {
  return z.preprocess((value) => {
    if (typeof value !== 'string') return value
    const word = value.trim().toLowerCase()
    if (word === 'true') return true
    return word === 'false' ? false : value
  }, inner)
}
