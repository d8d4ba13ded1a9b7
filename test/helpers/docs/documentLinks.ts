import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Document } from '../../../scripts/documents.ts'

/** Links of a document that lead nowhere: to a file that is not there, or to a heading that its document does not have. */
export function deadLinks({ path, text }: Document): string[] {
  return [
    ...deadPaths(path, text),
    ...misnamedLinks(path, text),
    ...linksOf(text).flatMap((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      if (file !== '' && !existsSync(target)) return [`${path}: ${link} is not there`]
      if (anchor === undefined) return []
      const headings = anchorsOf(file === '' ? text : statSync(target).isFile() ? readFileSync(target, 'utf8') : '')
      return headings.includes(anchor) ? [] : [`${path}: ${link} has no such heading`]
    }),
  ]
}

/** Files of the source that are named in code marks and are not there; `XTool` stands for any tool. */
function deadPaths(path: string, text: string): string[] {
  const named = [...text.matchAll(/`((?:src|test|scripts|examples|docs)\/[\w./-]+\.(?:ts|mjs|yml|md|json))`/g)].map(
    ([, file = '']) => file,
  )
  return named
    .filter((file) => !/\bx\b|XTool/.test(file) && !existsSync(file))
    .map((file) => `${path}: ${file} is not there`)
}

/** Links whose text is the name of another file than theirs: `[a.ts](b.ts)`. */
function misnamedLinks(path: string, text: string): string[] {
  return [...text.matchAll(/\[`?([\w./-]+\.ts)`?\]\(([^)\s#]+)[^)]*\)/g)]
    .filter(([, name = '', file = '']) => !file.endsWith(`/${name}`) && file !== name)
    .map(([, name, file]) => `${path}: the link ${name} leads to ${file}`)
}

/** Every link of a document that stays in the repository. */
export function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link)
}

/** The anchors that GitHub makes of the headings. */
function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '')
}
