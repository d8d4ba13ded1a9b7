import type { Span } from './pieceIndex.ts'

/**
 * The shapes of secrets, by the name of each. If a pattern has a group, the group is kept; the rest of the match is the
 * secret. Every pattern takes time linear in the text: what follows a failed start cannot contain another start.
 */
const VENDOR_SHAPES = Object.entries({
  AWS_ACCESS_KEY_ID: /\bA(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}\b/g,
  AWS_SECRET_ACCESS_KEY: /(secret_?access_?key["']?\s{0,4}[=:]\s{0,4}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
  GITHUB_TOKEN: /gh[opsur]_[A-Za-z0-9]{30,255}(?:[._-][A-Za-z0-9_-]{10,1024}){0,3}|github_pat_[A-Za-z0-9_]{22,255}/g,
  GITLAB_TOKEN: /gl(?:pat|ptt|dt)-[A-Za-z0-9_.-]{20,300}/g,
  ANTHROPIC_API_KEY: /sk-ant-[A-Za-z0-9_-]{20,300}/g,
  OPENAI_API_KEY: /sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,300}|\bsk-[A-Za-z0-9]{32,64}\b/g,
  SLACK_TOKEN:
    /xox[abeoprs]-[A-Za-z0-9-]{10,300}|xapp-\d-[A-Za-z0-9-]{10,300}|(hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,100}/g,
  NPM_TOKEN: /npm_[A-Za-z0-9]{36}/g,
  PYPI_TOKEN: /pypi-AgE[A-Za-z0-9_-]{50,500}/g,
  GOOGLE_API_KEY: /AIza[A-Za-z0-9_-]{35}/g,
  STRIPE_KEY: /[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g,
  AZURE_ACCOUNT_KEY: /(AccountKey=)[A-Za-z0-9+/]{86}==/g,
  HUGGINGFACE_TOKEN: /\bhf_[A-Za-z0-9]{34,64}\b/g,
  JWT: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}/g,
  AUTHORIZATION:
    /(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4})[A-Za-z0-9._~+/-]{16,4096}={0,2}/gi,
  URL_PASSWORD: /(:\/\/[^\s/?#:@"'<>]{0,128}:)(?![[{<$*%])[^\s/?#@"'<>]{3,256}(?=@)/g,
  PRIVATE_KEY:
    /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,.()]|-(?!-)){16,16384}(?:-----END [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----)?/g,
})

/** The places that look like a vendor's secret, in no particular order. */
export function findVendorShapes(text: string): Span[] {
  const found: Span[] = []
  for (const [name, pattern] of VENDOR_SHAPES) {
    // Not `matchAll`, which copies the pattern for each text. A search that failed leaves its place behind.
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const start = match.index + (match[1]?.length ?? 0)
      found.push({ start, end: match.index + match[0].length, name })
    }
  }
  return found
}

/** True when the whole text is one vendor's secret. */
export function isVendorSecret(text: string): boolean {
  return findVendorShapes(text).some(({ start, end }) => start === 0 && end === text.length)
}
