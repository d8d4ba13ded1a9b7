import { readFileSync } from 'node:fs'

type Scene = readonly [title: string, lines: string[]]

/**
 * The scenes of a text, by the headings in brackets above them: each has its title in the first line, and lines that begin
 * with blanks. A line that begins with `=>` goes on. What begins with a hash is for people.
 */
export function readScenes(file: string): (readonly [heading: string, scenes: Scene[]])[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^#.*\n/gm, '')
  const [, ...parts] = text.split(/^\[(.*)\]\n/m)
  return parts.flatMap((heading, at) => {
    if (at % 2 === 1) return []
    const scenes = (parts[at + 1] ?? '').trim().split('\n\n')
    return [[heading, scenes.map(toScene)] as const]
  })
}

function toScene(text: string): Scene {
  const [title = '', ...lines] = text.replaceAll(/\n +=> /g, ' => ').split('\n')
  return [title, lines.map((line) => line.trim())]
}
