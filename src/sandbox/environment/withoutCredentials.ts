/**
 * A git configuration without logins: no `extraheader` (where checkout steps put their token), no `credential` section,
 * no cookie file, no user information in a URL. Everything else stays byte for byte; git-config(1), "Syntax".
 */
export function withoutCredentials(config: string): string {
  let section = ''
  const kept: string[] = []
  for (const line of logicalLines(config)) {
    section = /^\s*\[\s*([^\s\]"]+)/.exec(line)?.[1]?.toLowerCase() ?? section
    if (/^credential(?:\.|$)/.test(section)) continue
    if (/(?:^|\])\s*(?:extraheader|cookiefile|proxy|sslkey|sslcert)\s*=/im.test(line)) continue
    kept.push(line.replace(/:\/\/[^\s/@"]*@/g, '://'))
  }
  return kept.join('')
}

/** Lines with their ends; one that ends in a backslash continues on the next. */
function logicalLines(text: string): string[] {
  return text.match(/(?:[^\\\n]|\\[^\n]|\\\n)*\n|(?:[^\\\n]|\\[\s\S]?)+/g) ?? []
}
