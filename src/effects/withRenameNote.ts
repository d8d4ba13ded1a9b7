import type { CommandResult } from '../contracts/commands.ts'

const NOTE =
  'kode-run: a folder of the project cannot be renamed in one step here. Use `mv OLD NEW`, which copies it; then `git add -A` tells git.'

/**
 * A line that helps where a program gave up on renaming a folder: overlayfs answers EXDEV for one that was there before the
 * command, and `git mv` does not fall back to copying as `mv` does. The last program of a line may have succeeded all the
 * same, so the exit code does not count.
 */
export function withRenameNote(result: CommandResult): CommandResult {
  const { stderr } = result
  if (!/Invalid cross-device link|\bEXDEV\b/.test(stderr.text)) return result
  const text = `${stderr.text.replace(/\n*$/, '\n')}${NOTE}\n`
  return { ...result, stderr: { ...stderr, text, bytes: stderr.bytes + Buffer.byteLength(NOTE) + 1 } }
}
