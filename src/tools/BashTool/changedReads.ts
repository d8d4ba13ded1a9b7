import type { EffectsReport } from '../../contracts/effects.ts'
import { noteStamp } from '../../files/changeTextFile.ts'
import { diffTexts, headOf } from '../../files/diffTexts.ts'
import { readTextFile } from '../../files/readTextFile.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import type { ToolUseContext } from '../../Tool.ts'

type Reads = ReadonlyMap<string, string>
type Memory = Pick<ToolUseContext, 'files' | 'readFileState' | 'cwd'>

const MAX_FILES = 20
const MAX_BYTES = 100_000
const MAX_LINES = 60

/** The contents of the files that the model read last, taken before a command that may change them. Never throws. */
export async function rememberReads({ files, readFileState }: Memory): Promise<Reads> {
  const known = [...readFileState].filter(([, { size }]) => size <= MAX_BYTES).slice(-MAX_FILES)
  const texts = known.map(async ([path, stamp]): Promise<[string, string][]> => {
    const now = await readTextFile(files, path).catch(() => undefined)
    return now?.stamp.sha256 === stamp.sha256 ? [[path, now.text]] : []
  })
  return new Map((await Promise.all(texts)).flat())
}

/**
 * The changes of a command to these files, line by line, so that the model need not read them again; undefined if it
 * changed none. A file whose changes are all shown counts as read.
 */
export async function changedReads(
  before: Reads,
  { kept }: Pick<EffectsReport, 'kept'>,
  { files, readFileState, cwd }: Memory,
  who = 'This command',
): Promise<string | undefined> {
  const parts: string[] = []
  let room = MAX_LINES
  for (const { path, kind } of kept) {
    const old = before.get(path)
    if (old === undefined || kind === 'mode') continue
    const now = kind === 'deleted' ? undefined : await readTextFile(files, path).catch(() => undefined)
    const name = displayPath(path, cwd)
    if (now === undefined) {
      parts.push(`${name} is gone.`)
      continue
    }
    if (now.text === old) continue
    const { hunks, added, removed } = await diffTexts(old, now.text)
    const lines = (hunks ?? []).flatMap((hunk) => [headOf(hunk), ...hunk.lines])
    if (hunks === undefined || lines.length > room) {
      parts.push(`${name} (+${added} -${removed} lines): read it again before you edit it.`)
      continue
    }
    room -= lines.length
    parts.push([`${name}:`, ...lines].join('\n'))
    noteStamp(readFileState, path, { ...now.stamp, isWhole: readFileState.get(path)?.isWhole === true })
  }
  return parts.length === 0 ? undefined : `${who} changed files that you have read:\n${parts.join('\n')}`
}
