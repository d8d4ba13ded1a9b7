import type { Word } from '../contracts/subject.ts'

/** Options of npx that take no value: behind any other one it may take the program's name for a value, and read on. */
const SWITCH = /^(?:-[yqs]|--(?:yes|no-install|quiet|silent|offline|prefer-offline|prefer-online))$/

/** The words that npx reads itself: what stands behind the program's name is the program's. All where that is not certain. */
export function npxWords(argv: readonly Word[]): readonly Word[] {
  const at = argv.findIndex((word, index) => index > 0 && !(word.kind === 'literal' && SWITCH.test(word.value)))
  const word = argv[at]
  return word?.kind === 'literal' && /^[\w@./]/.test(word.value) ? argv.slice(0, at + 1) : argv
}
