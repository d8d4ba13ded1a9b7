import type { WrapperOptions } from '../programs/wrappers.ts'

/** The placeholder that xargs replaces with each line. A later `-n` or `-L` may append them after all. */
export function placeholderOf(
  own: readonly string[],
  { valued }: WrapperOptions,
): { mark?: string; isAppending: boolean } {
  let mark: string | undefined
  let isCounting = false
  for (let index = 0; index < own.length; index += 1) {
    const option = own[index] ?? ''
    if (/^-[Ii]/.test(option)) {
      mark = (option === '-I' ? own[index + 1] : option.slice(2) || '{}') ?? '{}'
      isCounting = false
    } else isCounting ||= /^(?:-[nL]|--max-(?:args|lines))/.test(option)
    if (valued?.test(option)) index += 1
  }
  return { ...(mark === undefined ? {} : { mark }), isAppending: isCounting || mark === undefined }
}
