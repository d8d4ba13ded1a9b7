import { FileError, type ToolUseContext } from '../../Tool.ts'

/** True if the rules and the guard let the model read the file now. */
export async function isPermittedFile(path: string, context: ToolUseContext): Promise<boolean> {
  if (!context.mayRead(path)) return false
  try {
    return (await context.files.stat(path))?.kind === 'file'
  } catch (error) {
    if (error instanceof FileError) return false
    throw error
  }
}
