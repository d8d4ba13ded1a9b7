import type { SubjectContext, ToolInput } from '../../Tool.ts'

/** Parameters that name one file, by the names that hooks know. */
const FILES = ['file_path', 'notebook_path']

/**
 * The input with absolute paths for files: hooks written for Claude Code compare them with folders, and there they are
 * never relative.
 */
export function withFullPaths(input: ToolInput, { resolvePath }: Pick<SubjectContext, 'resolvePath'>): ToolInput {
  const whole = FILES.flatMap((name) => {
    const value = input[name]
    return typeof value === 'string' && value !== '' ? [[name, resolvePath(value).lexical] as const] : []
  })
  return whole.length === 0 ? input : { ...input, ...Object.fromEntries(whole) }
}
