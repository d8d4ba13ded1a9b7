/**
 * A text without what a reader would not see: control characters but tab and newline, zero-width and direction marks, tag
 * characters and variation selectors beyond the common ones. Sources: Unicode categories Cc and Cf; UTS 39, 3.1.
 */
export function stripHidden(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN, '')
}

const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}]|[\u115F\u1160\u3164\uFFA0]|[\u{E0100}-\u{E01EF}]/gu
