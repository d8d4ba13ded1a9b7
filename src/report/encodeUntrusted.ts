/** What has no width, gives a direction or controls a terminal. An emoji keeps its own joiner and style. */
const INVISIBLE =
  /(?<!\p{Extended_Pictographic}\ufe0f?)(?:\ufe0f|\u200d)|(?![\t\n]|\ufe0f|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/** Shown before every line that is not our own: a command of any CI starts at the start of a line. */
const PREFIX = '│ '

/**
 * A text of the model, a tool or a file as lines that no CI runner takes for a command: each has a visible prefix,
 * `##[` and `##vso[` are broken up, line ends are `\n`, and signs that cannot be seen are written out. Ends in a newline.
 * GitHub's runner reads `::name::` after white space at the start of a line, and `##[name]` anywhere.
 */
export function encodeUntrusted(text: string): string {
  return `${visible(text)
    .split('\n')
    .map((line) => PREFIX + line)
    .join('\n')}\n`
}

/** The same text but for what a runner would take for a command; for a result that programs read. */
export function defuseCommands(text: string): string {
  return visible(text)
    .split('\n')
    .map((line) => (line.trimStart().startsWith('::') ? PREFIX + line : line))
    .join('\n')
}

/** Line ends as `\n`; signs that cannot be seen, or turn the text around, written out as `\u{…}`. */
export function writeOutInvisible(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n')
    .replace(INVISIBLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}

function visible(text: string): string {
  return writeOutInvisible(text).replace(/##(?=[a-z]*\[)/gi, '## ')
}
