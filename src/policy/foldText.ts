/** Code points that some file systems ignore in names, and that eyes cannot see. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** A name as the most forgiving file system compares it: composed, without case, without invisible characters. */
export function foldText(text: string): string {
  if (/^[ -@[-~]*$/.test(text)) return text
  return text.normalize('NFC').replace(INVISIBLE, '').toUpperCase().toLowerCase().normalize('NFC')
}
