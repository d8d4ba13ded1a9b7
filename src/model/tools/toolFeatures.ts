import { modelVersion } from '../modelVersion.ts'

/** What a request may use beyond the plain form of its tools. */
export type ToolFeatures = {
  /** `defer_loading` and `tool_reference`: loading a tool later does not change the cached prefix. */
  readonly references: boolean
  /** `strict: true`: the API makes each call match the tool's schema. */
  readonly strict: boolean
}

export const NO_FEATURES: ToolFeatures = { references: false, strict: false }

/** The first versions that support a feature, as in "Tool search" and "Structured outputs" of the API's documentation. */
const SINCE = {
  references: (family: string) => (family === 'haiku' ? 405 : 400),
  strict: () => 405,
} as const

/** The features that a model supports, of those that are wanted. One without a version in its name has none. Pure. */
export function featuresOf(model: string, wanted: ToolFeatures): ToolFeatures {
  const version = modelVersion(model)
  if (version === undefined) return /claude-mythos/.test(model) ? wanted : NO_FEATURES
  const { number, family } = version
  return {
    references: wanted.references && number >= SINCE.references(family),
    strict: wanted.strict && number >= SINCE.strict(),
  }
}

/**
 * The features that a refused request used and that its refusal is about. All that it used if the refusal names none of
 * them, or both. Pure.
 */
export function refusedFeatures(used: ToolFeatures, message: string): ToolFeatures {
  const isStrict = used.strict && /strict|grammar|compil|schema/i.test(message)
  const isReferences = used.references && /defer_loading|tool[_ ]reference/i.test(message)
  return isStrict === isReferences ? used : { references: isReferences, strict: isStrict }
}
