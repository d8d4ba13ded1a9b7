import { posix } from 'node:path'
import type { Annotation } from '../../contracts/annotation.ts'

/** The annotation as a command of GitHub's runner, on a line of its own; `prefix` leads from the repository to the project. */
export function annotationCommand({ level, title, message, file, line, endLine }: Annotation, prefix: string): string {
  const properties = Object.entries({
    ...(file === undefined ? {} : { file: posix.join(prefix, file) }),
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
    title,
  })
  const words = properties.map(([name, value]) => `${name}=${escapeData(String(value)).replace(/[:,]/g, encode)}`)
  return `::${level} ${words.join(',')}::${escapeData(message)}\n`
}

/** Escapes what would end the command's line, and the escape character itself. */
function escapeData(text: string): string {
  return text.replace(/[%\r\n]/g, encode)
}

function encode(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
