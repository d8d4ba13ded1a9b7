import type * as z from 'zod'

/** The type with everything in it readonly. */
export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value

/** What a schema reads. */
export type Of<Schema extends z.ZodType> = Frozen<z.infer<Schema>>

/** One of a list. */
export type Items<List> = List extends readonly (infer Item)[] ? Item : never
