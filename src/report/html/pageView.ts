import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'

/** What a page is made of. Style and script are ours and contain nothing from a run. */
export type PageParts = {
  readonly title: string
  readonly style: string
  readonly script: string
  readonly body: Html
}

/** A self-contained page: no network, no other file, and no script but this one, by its hash. */
export function pageView({ title, style, script, body }: PageParts): string {
  const hash = createHash('sha256').update(script).digest('base64')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<title>${title}</title>
${element('style', style)}
</head>
<body>
${body}
${element('script', script)}
</body>
</html>
`.markup
}

function element(name: 'style' | 'script', text: string): Html {
  return { markup: `<${name}>${text}</${name}>` }
}
