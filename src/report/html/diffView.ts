import { unquotedName, visibleName } from '../../lib/text/visibleName.ts'
import { type Html, html } from './html.ts'

const MAX_LINES = 2_000

/** A unified diff, foldable by file; added and removed lines have a sign and a color. */
export function diffView(patch: string): Html {
  const files = patch.split(/^(?=diff --git )/m).filter((file) => file.trim() !== '')
  return html`<div class="diff">${files.map((file) => fileView(file, files.length <= 3))}</div>`
}

function fileView(file: string, isOpen: boolean): Html {
  const open = isOpen ? html` open` : null
  return html`<details${open}><summary><code>${nameOf(file)}</code></summary>${diffLines(file)}</details>`
}

/** The file of a part of a patch; its old name if it was deleted. */
function nameOf(part: string): string {
  const [, old] = /^--- (.*?)\t?$/m.exec(part) ?? []
  const [, now] = /^\+\+\+ (.*?)\t?$/m.exec(part) ?? []
  const [, moved] = /^rename to (.*)$/m.exec(part) ?? []
  // Without these (a mode, a binary, an empty file) both names of the first line are the same.
  const [, both = ''] = /^diff --git (.*)$/m.exec(part) ?? []
  const half = both.slice((both.length + 1) / 2)
  const same = both.startsWith(half.replace('b/', 'a/')) ? half : ''
  const name = (now === '/dev/null' ? old : now) ?? (moved === undefined ? same : `b/${moved}`)
  return visibleName(unquotedName(name).replace(/^[ab]\//, '')) || 'patch'
}

export function diffLines(diff: string): Html {
  const lines = diff.replace(/\n$/, '').split('\n')
  const rest = lines.length - MAX_LINES
  const shown = lines.slice(0, MAX_LINES).map((line) => html`<span class="${lineKind(line)}">${line}\n</span>`)
  const more = rest > 0 ? html`<span class="hunk">… ${rest} more lines</span>` : null
  return html`<pre class="lines" tabindex="0">${shown}${more}</pre>`
}

function lineKind(line: string): string {
  if (/^(?:diff |index |--- |\+\+\+ |new |deleted |similarity |rename |old )/.test(line)) return 'file'
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'same'
}
