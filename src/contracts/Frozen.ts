import type * as z from 'zod'

export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value

export type Of<Schema extends z.ZodType> = Frozen<z.infer<Schema>>

export type Items<List> = List extends readonly (infer Item)[] ? Item : never
