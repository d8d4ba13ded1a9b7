/** Characters without width, or that set a direction or control a terminal. An emoji keeps its joiner and style. */
const INVISIBLE =
  /(?<!\p{Extended_Pictographic}\ufe0f?)(?:\ufe0f|\u200d)|(?![\t\n]|\ufe0f|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/** Put before every line that is not ours: a CI command starts at the start of a line. */
const PREFIX = '│ '

/**
 * Text of the model, a tool or a file, as lines that no CI runner takes for a command. Each line has a visible prefix,
 * `##[` and `##vso[` are broken up, line ends are `\n`, and invisible characters are escaped. Ends in a newline.
 * GitHub's runner parses `::name::` after white space at the start of a line, and `##[name]` anywhere.
 */
export function encodeUntrusted(text: string): string {
  return `${visible(text)
    .split('\n')
    .map((line) => PREFIX + line)
    .join('\n')}\n`
}

/** The same text without anything that a runner takes for a command; for results that programs read. */
export function escapeWorkflowCommands(text: string): string {
  return visible(text)
    .split('\n')
    .map((line) => (line.trimStart().startsWith('::') ? PREFIX + line : line))
    .join('\n')
}

/** Line ends become `\n`; invisible or direction-changing characters become `\u{…}`. */
export function escapeInvisible(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n')
    .replace(INVISIBLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}

function visible(text: string): string {
  return escapeInvisible(text).replace(/##(?=[a-z]*\[)/gi, '## ')
}
