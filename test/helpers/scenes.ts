import { readFileSync } from 'node:fs'
import { rowsOfText } from './rowsOfText.ts'

type Scene = readonly [title: string, lines: string[]]

/** The scenes of a text in rows, by their groups: the lines below each title. One that begins with `=>` goes on. */
export function readScenes(file: string): (readonly [group: string, scenes: Scene[]])[] {
  const groups = new Map<string, Scene[]>()
  for (const { group, line, below } of rowsOfText(readFileSync(file, 'utf8'))) {
    const lines = below
      .join('\n')
      .replaceAll(/\n *=> /g, ' => ')
      .split('\n')
    groups.set(group, [...(groups.get(group) ?? []), [line, lines]])
  }
  return [...groups]
}
