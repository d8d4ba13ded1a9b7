/** Version and family in the name of a Claude model: `claude-opus-4-6` is 406, `claude-3-7-sonnet-20250219` is 307. */
export type ModelVersion = { readonly number: number; readonly family: string }

/** The version of a model by its name; undefined where the name has none. Pure. */
export function modelVersion(model: string): ModelVersion | undefined {
  const name = /claude(?:-([a-z]+))?-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)(?:-([a-z]+))?/.exec(model)
  if (name === null) return undefined
  const [, before, major, minor = '0', after = ''] = name
  return { number: Number(major) * 100 + Number(minor), family: before ?? after }
}
