/**
 * The name of a file without characters that end a line, control a terminal or turn the direction of text: each is
 * escaped as in JavaScript. All names that people or the model read go through this. Pure.
 */
export function visibleName(name: string): string {
  return name.replace(UNSEEN, (sign) => SHORT[sign] ?? escaped(sign.charCodeAt(0).toString(16)))
}

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** From `\x80` on, `nameOfBytes` uses the short form for a byte that is no character. */
function escaped(hex: string): string {
  return hex.length > 2 || hex >= '80' ? `\\u{${hex}}` : `\\x${hex.padStart(2, '0')}`
}

/** The name in a patch of git, which writes one with unusual bytes as a C string. Pure. */
export function unquotedName(name: string): string {
  if (!/^".*"$/.test(name)) return name
  const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }
  const bytes = name.slice(1, -1).replace(/\\([0-7]{3}|.)|[^\\]/gu, (whole, code: string | undefined) => {
    if (code === undefined) return Buffer.from(whole).toString('latin1')
    return /^\d{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code)
  })
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/**
 * A text without what a reader would not see: control characters but tab and newline, zero-width and direction marks, tag
 * characters and variation selectors beyond the common ones. Sources: Unicode categories Cc and Cf; UTS 39, 3.1.
 */
export function stripHidden(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN, '')
}

const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}]|[\u115F\u1160\u3164\uFFA0]|[\u{E0100}-\u{E01EF}]/gu
