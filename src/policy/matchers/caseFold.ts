/** Code points that some file systems ignore in names and that people cannot see. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** A name as the most lenient file system compares it: composed, case-folded, without invisible characters. */
export function caseFold(text: string): string {
  if (/^[ -@[-~]*$/.test(text)) return text
  return text.normalize('NFC').replace(INVISIBLE, '').toUpperCase().toLowerCase().normalize('NFC')
}
