/** Git writes a name with unusual bytes as a C string. */
export function unquotedName(name: string): string {
  if (!/^".*"$/.test(name)) return name
  const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }
  const bytes = name.slice(1, -1).replace(/\\([0-7]{3}|.)|[^\\]/gu, (whole, code: string | undefined) => {
    if (code === undefined) return Buffer.from(whole).toString('latin1')
    return /^\d{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code)
  })
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
