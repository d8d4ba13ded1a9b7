import type { Redirection } from 'unbash'
import { programName } from '../../lib/text/programName.ts'
import { findShellScript } from '../chain/findShellScript.ts'
import { literalWord, textOf } from '../programs/literalWord.ts'
import { SHELLS } from '../programs/wrappers.ts'
import { hereDocumentText, isHereDocument } from '../words/literalOutput.ts'
import { quoteWord } from '../words/quoteWord.ts'
import type { ReadWord } from '../words/readWord.ts'

/**
 * The one input of a shell that has no script among its words: `bash <<'EOF'`. It is judged and run as the script of
 * `-c`, so that no command in it reads what follows it. Only a document without expansions is known.
 */
export function scriptDocument(words: readonly ReadWord[], redirects: readonly Redirection[]) {
  const [document, ...others] = redirects.filter(isInput)
  if (document?.type !== 'HereDoc' || others.length > 0 || !isHereDocument(document)) return undefined
  const text = hereDocumentText(document)
  if (!document.delimiter?.quoted && /[$`\\]/.test(text)) return undefined
  const argv = [...words.map(({ word }) => word), literalWord('-c'), literalWord(text)]
  const name = programName(textOf(argv[0]))
  const found = SHELLS.has(name) ? findShellScript(name, argv) : 'unseen'
  return typeof found === 'object' && found.index === argv.length - 1 ? { document, text } : undefined
}

function isInput(redirect: Redirection): boolean {
  const { descriptor } = redirect
  if (descriptor !== undefined) return descriptor.type === 'FileDescriptor' && descriptor.value === 0
  return redirect.operator.startsWith('<')
}

/** A word that means what it says. */
export function plainWord(value: string): ReadWord {
  return { word: literalWord(value), emission: quoteWord(value), text: value }
}
