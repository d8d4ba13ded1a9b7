import type { CommandResult } from '../contracts/commands.ts'

const NOTE =
  'kode-run: a folder of the project cannot be renamed in one step here. Use `mv OLD NEW`, which copies it; then run `git add -A`.'

/**
 * A helpful line if a program could not rename a folder. Overlayfs returns EXDEV for a folder that existed before the
 * command, and unlike `mv`, `git mv` does not fall back to copying. The last program of a line may still have
 * succeeded, so the exit code does not matter.
 */
export function withRenameNote(result: CommandResult): CommandResult {
  const { stdout, stderr } = result
  if (!/Invalid cross-device link|EXDEV: cross-device link/.test(`${stdout.text}\n${stderr.text}`)) return result
  const text = `${stderr.text.replace(/\n*$/, '\n').trimStart()}${NOTE}\n`
  return { ...result, stderr: { ...stderr, text, bytes: stderr.bytes + Buffer.byteLength(NOTE) + 1 } }
}
