import type { CommandLink, PathForms, Word } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { textOf } from '../programs/literalWord.ts'
import { moveTo, resolveValue, type Walk } from './Walk.ts'

/** The words from a builtin on: without `command` and `builtin` before it. */
export function builtinWords(argv: readonly Word[]): readonly Word[] {
  const start = argv.findIndex((word) => !/^(?:command|builtin|-p|--)$/.test(textOf(word)))
  return start < 0 ? [] : argv.slice(start)
}

/** The words of a `cd` or `pushd`, also after `command` and `builtin`. */
export function cdOperands(argv: readonly Word[]): readonly Word[] | undefined {
  const words = builtinWords(argv)
  return /^(?:cd|pushd|popd)$/.test(textOf(words[0])) ? words : undefined
}

/** Follows `cd`. Inside the project it needs no rule. To an outside or unknown place, it needs one for `cd`. */
export function followDirectory(argv: readonly Word[], words: readonly Word[], walk: Walk): CommandLink {
  if (textOf(words[0]) === 'popd') {
    moveTo(walk, undefined)
    return { argv, cover: 'none' }
  }
  const isPushd = textOf(words[0]) === 'pushd'
  const operands = words.slice(1).filter((word, index) => index > 0 || textOf(word) !== '--')
  const [target, ...more] = operands
  const path = textOf(target)
  const isKnown = more.length === 0 && path !== '' && !/^[-+]/.test(path)
  if (!isKnown || (walk.cwd === undefined && !path.startsWith('/'))) {
    moveTo(walk, undefined)
    const isHome = target === undefined && !isPushd
    const isLost = path !== '' && !isHome ? { isLost: true as const } : {}
    return {
      argv: words,
      cover: 'wildcard',
      why: { code: 'directory', path: isHome ? '~' : path, ...isLost },
    }
  }
  const forms = resolveValue(path, walk)
  moveTo(walk, forms.lexical)
  if (isInProject(forms, walk)) return { argv, cover: 'none' }
  return { argv: words, cover: 'wildcard', why: { code: 'directory', path } }
}

export function isInProject({ lexical, resolved, physical, problem }: PathForms, { context }: Walk): boolean {
  return problem === undefined && [lexical, resolved, physical].every((form) => isWithin(form, context.root))
}
