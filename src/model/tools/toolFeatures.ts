import { modelVersion } from '../modelVersion.ts'

/** What a request may use beyond the plain form of its tools. */
export type ToolFeature = keyof typeof FEATURES

/**
 * For each feature its field of a tool, its name for people, the first version of a family that supports it, and what a
 * refusal of it says. As in "Tool search" and "Structured outputs" of the API's documentation.
 */
const FEATURES = {
  /** Tools that are loaded later, and `tool_reference`: loading one does not change the cached prefix. */
  references: {
    field: 'defer_loading',
    name: 'tool references',
    since: (family: string) => (family === 'haiku' ? 405 : 400),
    refusal: /defer_loading|tool[_ ]reference/i,
  },
  /** The API makes each call match the tool's schema. */
  strict: { field: 'strict', name: 'strict tools', since: () => 405, refusal: /strict|grammar|compil|schema/i },
}

export const TOOL_FEATURES = ['references', 'strict'] as const satisfies ToolFeature[]

/** The features that these tools of a request use. Pure. */
export function featuresIn(tools: readonly object[]): ToolFeature[] {
  return TOOL_FEATURES.filter((feature) => tools.some((tool) => FEATURES[feature].field in tool))
}

/** The features that a model supports, of those that are wanted. One without a version in its name has none. Pure. */
export function featuresOf(model: string, wanted: readonly ToolFeature[]): readonly ToolFeature[] {
  const version = modelVersion(model)
  if (version === undefined) return /claude-mythos/.test(model) ? wanted : []
  return wanted.filter((feature) => version.number >= FEATURES[feature].since(version.family))
}

/** Of the features that a refused request used, the one that its refusal names; all if it names none, or several. Pure. */
export function refusedFeatures(used: readonly ToolFeature[], message: string): readonly ToolFeature[] {
  const named = used.filter((feature) => FEATURES[feature].refusal.test(message))
  return named.length === 1 ? named : used
}

/** `tool references and strict tools`. */
export function nameFeatures(features: readonly ToolFeature[]): string {
  return features.map((feature) => FEATURES[feature].name).join(' and ')
}
